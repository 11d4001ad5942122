#include "consolidate/decide/clusters.h"

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <random>
#include <set>

#include "consolidate/decide/similarity.h"
#include "tests/consolidate/material_builder.h"

namespace loci {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<Cluster> clusters_of(const Material& material, const ClusterLimits& limits = {}) {
  return make_clusters(material, indexes(material.facts.size()), limits);
}

const Cluster& cluster_with(const std::vector<Cluster>& clusters, size_t fact) {
  const auto found =
      std::ranges::find_if(clusters, [&](const Cluster& cluster) { return std::ranges::count(cluster.facts, fact) > 0; });
  if (found == clusters.end()) throw std::runtime_error("no cluster has the fact");
  return *found;
}

// What is decided about in one call each.
std::vector<Cluster> calls_of(const Material& material) {
  const auto clusters = clusters_of(material);
  std::vector<Cluster> calls;
  for (const auto& call : pack(clusters, std::vector<std::int64_t>(clusters.size(), 1), 100, material, {}))
    calls.push_back(together(call));
  return calls;
}

bool together(const std::vector<Cluster>& clusters, size_t one, size_t other) {
  return std::ranges::count(cluster_with(clusters, one).facts, other) > 0;
}

// Entries that have no word in common with anything else.
std::vector<DurableEntry> fillers(size_t count) {
  std::vector<DurableEntry> entries;
  for (size_t i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    entries.push_back(entry_of("filler" + number + "a filler" + number + "b"));
  }
  return entries;
}

Material with_fillers(std::vector<Fact> facts, std::vector<DurableEntry> entries, size_t count = 100) {
  for (DurableEntry& filler : fillers(count)) entries.push_back(std::move(filler));
  return material_of(std::move(facts), std::move(entries));
}

// Words as texts have them: a few common, many rare.
class RandomTexts {
 public:
  explicit RandomTexts(unsigned seed) : random_(seed) {}

  std::string text(size_t words, size_t vocabulary) {
    std::string text;
    for (size_t i = 0; i < words; ++i) {
      const double uniform = std::uniform_real_distribution<double>(0, 1)(random_);
      const auto rank = static_cast<size_t>(std::pow(static_cast<double>(vocabulary), uniform));
      text += (text.empty() ? "w" : " w") + letters(rank);
    }
    return text;
  }
  // No digits: these would be values, and join.
  static std::string letters(size_t number) {
    std::string word;
    for (; number > 0; number /= 10) word += "bcfghjkmpq"[number % 10];
    return word;
  }
  size_t below(size_t end) { return std::uniform_int_distribution<size_t>(0, end - 1)(random_); }

 private:
  std::mt19937 random_;
};

TEST(Clusters, WhatFitsOneCallIsOneCluster) {
  Material material = material_of({fact_of("Tea"), fact_of("Chess")}, {entry_of("Rain"), entry_of("Held"), entry_of("Secret")});
  material.entries[1].writable = false;
  material.entries[2].is_private = true;
  EXPECT_THAT(clusters_of(material), ElementsAre(Cluster{{0, 1}, {0}, {1}}));
  EXPECT_THAT(make_clusters(material, {1}, {}), ElementsAre(Cluster{{1}, {0}, {1}}));
  EXPECT_THAT(make_clusters(material, {}, {}), IsEmpty());
}

TEST(Clusters, AFactMeetsItsNearestEntries) {
  const Material material =
      with_fillers({fact_of("Deploys to AWS happen on Mondays now."), fact_of("Drinks green tea every morning.")},
                   {entry_of("Deploys to AWS happen on Fridays."), entry_of("Likes green tea.")});
  const auto clusters = clusters_of(material);
  ASSERT_THAT(clusters, SizeIs(2));
  EXPECT_EQ(clusters[0], (Cluster{{0}, {0}, {}}));
  EXPECT_EQ(clusters[1], (Cluster{{1}, {1}, {}}));
}

TEST(Clusters, ASharedKeyJoinsWhatHasNoWordInCommon) {
  const std::vector<std::string> employer = {"Employer"};
  const Material material = with_fillers({fact_of("Just joined Microsoft.", Source::user, {"employer"}), fact_of("Owns a boat.")},
                                         {entry_of("Works at Google as an SRE.", Source::user, employer)}, 2'000);
  const auto clusters = clusters_of(material);
  EXPECT_THAT(cluster_with(clusters, 0).writable, ElementsAre(0));
  EXPECT_FALSE(together(clusters, 0, 1));

  const Material empty_store = with_fillers({fact_of("Works at Google as an SRE.", Source::user, {"employer"}),
                                             fact_of("Just joined Microsoft.", Source::user, {"employer"})},
                                            {});
  EXPECT_TRUE(together(clusters_of(empty_store), 0, 1));
}

TEST(Clusters, ASharedNameOrValueJoinsWhatHasNoOtherWordInCommon) {
  for (const auto& [fact, entry] :
       {std::pair{"We fired Okonkwo.", "The auditor is Ms Okonkwo of Leeds."},
        std::pair{"Rent is up from 1,150 euro.", "Pays 1150 euro a month for the flat."},
        std::pair{"Nothing answers at 10.20.0.5 any more.", "Staging runs behind address 10.20.0.5."}}) {
    std::vector<DurableEntry> entries = {entry_of(entry)};
    for (size_t i = 0; i < 61; ++i) entries.push_back(entry_of("Some other thing " + RandomTexts::letters(i + 1) + "."));
    const auto clusters = clusters_of(material_of({fact_of(fact), fact_of("Likes quiet mornings.")}, entries));
    ASSERT_FALSE(clusters.empty());
    EXPECT_THAT(clusters.front().writable, testing::Contains(0u)) << fact;
  }
}

TEST(Clusters, SmallOnesShareACallAsFarAsItHoldsThem) {
  const Material material = material_of({fact_of("a"), fact_of("b"), fact_of("c"), fact_of("d")}, {entry_of("e"), entry_of("f")});
  const std::vector<Cluster> clusters = {{{0}, {0}, {}}, {{1, 2}, {1}, {0}}, {{3}, {}, {1}}};
  const auto packed = [&](std::int64_t most, const ClusterLimits& limits) {
    std::vector<std::vector<size_t>> facts;
    for (const auto& call : pack(clusters, {10, 10, 10}, most, material, limits)) facts.push_back(together(call).facts);
    return facts;
  };
  EXPECT_THAT(packed(30, {}), ElementsAre(ElementsAre(0, 1, 2, 3)));
  EXPECT_THAT(packed(20, {}), ElementsAre(ElementsAre(0, 1, 2), ElementsAre(3)));
  EXPECT_THAT(packed(30, {.most_facts = 2, .most_entries = 9, .neighbors = 1}), ElementsAre(ElementsAre(0, 3), ElementsAre(1, 2)));
  EXPECT_THAT(packed(30, {.most_facts = 9, .most_entries = 1, .neighbors = 1}),
              ElementsAre(ElementsAre(0), ElementsAre(1, 2), ElementsAre(3)));
  EXPECT_EQ(together(clusters), (Cluster{{0, 1, 2, 3}, {0, 1}, {}}));
}

TEST(Clusters, AFactOnItsLastTrySharesNoCall) {
  Material material = material_of({fact_of("a"), fact_of("b"), fact_of("c")}, {});
  material.facts[1].failures = failures_quarantine - 1;
  const std::vector<Cluster> clusters = {{{0}, {}, {}}, {{1}, {}, {}}, {{2}, {}, {}}};
  EXPECT_THAT(pack(clusters, {1, 1, 1}, 9, material, {}), SizeIs(2));
}

TEST(Clusters, ThreePhrasingsMeetWithoutAnEntry) {
  const Material material =
      with_fillers({fact_of("Drinks green tea."), fact_of("Owns a red boat."), fact_of("Green tea is a favourite drink."),
                    fact_of("Prefers green tea as a drink."), fact_of("The red boat was sold.")},
                   {});
  const auto clusters = calls_of(material);
  EXPECT_TRUE(together(clusters, 0, 2));
  EXPECT_TRUE(together(clusters, 0, 3));
  // Facts that are near no entry share a call.
  EXPECT_TRUE(together(clusters, 0, 1));
}

TEST(Clusters, LonelyFactsAreShownWhatComesNearestAndNoFiller) {
  Material material = with_fillers({fact_of("Owns a boat."), fact_of("Plays chess.")}, {});
  EXPECT_THAT(clusters_of(material), ElementsAre(Cluster{{0}, {}, {}}, Cluster{{1}, {}, {}}));
  std::string& story = material.entries[70].text = "The boat";
  for (int i = 0; i < 200; ++i) story += " storyword" + std::to_string(i);
  EXPECT_THAT(clusters_of(material), ElementsAre(Cluster{{0}, {70}, {}}, Cluster{{1}, {}, {}}));
}

TEST(Similarity, AKeyThatManyHaveJoinsNothingByItself) {
  const std::vector<std::string> key = {"weather"};
  for (const size_t with_key : {SimilarityIndex::most_with_mark, SimilarityIndex::most_with_mark + 1}) {
    std::vector<std::string> words(200);
    std::vector<TopicText> texts;
    for (size_t i = 0; i < words.size(); ++i) {
      for (const char* letter : {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"})
        words[i].append("word").append(std::to_string(i)).append(letter).append(" ");
      texts.push_back({words[i], i < with_key ? std::span(key) : std::span<const std::string>()});
    }
    const auto near = SimilarityIndex(texts).nearest(0, 0, texts.size(), 3, SimilarityIndex::least_with_shared_mark);
    EXPECT_EQ(near.empty(), with_key > SimilarityIndex::most_with_mark);
  }
}

TEST(Clusters, BeforeQuarantineAFactIsTriedWithoutStrangers) {
  Material material = with_fillers({fact_of("Owns a boat."), fact_of("Plays chess."), fact_of("Speaks Welsh.")}, {});
  material.facts[1].failures = 1;
  EXPECT_THAT(calls_of(material), SizeIs(1));
  material.facts[1].failures = 2;
  EXPECT_THAT(cluster_with(calls_of(material), 1).facts, ElementsAre(1));
  EXPECT_TRUE(together(calls_of(material), 0, 2));

  material.entries.resize(5);  // everything would fit one call
  EXPECT_THAT(cluster_with(clusters_of(material), 1).facts, ElementsAre(1));
  EXPECT_THAT(cluster_with(clusters_of(material), 1).writable.size() + cluster_with(clusters_of(material), 1).shown.size(), 5u)
      << "all that it was ever put beside";
  material.facts[1].failures = 1;
  EXPECT_THAT(clusters_of(material), SizeIs(1));
}

TEST(Clusters, WhatNamesAnotherIsDecidedWithIt) {
  Material material = with_fillers({fact_of("Alpha"), fact_of("Beta"), fact_of("Gamma"), fact_of("Delta"), fact_of("Epsilon")},
                                   {entry_of("One"), entry_of("Two"), entry_of("Held")});
  material.facts[0].corrects = "e0";
  material.facts[1].corrects = "f2";
  material.entries[1].from = {"f3"};
  material.facts[4].corrects = "e2";
  material.entries[2].writable = false;
  const auto clusters = clusters_of(material);
  EXPECT_THAT(cluster_with(clusters, 0).writable, ElementsAre(0));
  EXPECT_TRUE(together(clusters, 1, 2));
  EXPECT_THAT(cluster_with(clusters, 3).writable, ElementsAre(1));
  EXPECT_THAT(cluster_with(clusters, 4).shown, ElementsAre(2));
}

TEST(Clusters, EqualTextsMeetEvenWithoutAWordThatCounts) {
  const Material material = with_fillers({fact_of("to be or not to be"), fact_of("Owns a boat."), fact_of("to be or not to be")},
                                         {entry_of("to be  or not to be")});
  const auto clusters = clusters_of(material, {.most_facts = 2, .most_entries = 60, .neighbors = 8});
  EXPECT_TRUE(together(clusters, 0, 2));
  EXPECT_THAT(cluster_with(clusters, 0).writable, Contains(0));
}

TEST(Clusters, AnEntryIsWrittenWhereItsNearestFactIs) {
  const Material material =
      with_fillers({fact_of("Green tea with jasmine from China."), fact_of("Green paint for the garden fence.")},
                   {entry_of("Green tea with jasmine."), entry_of("Paint for the garden fence, green.")});
  const auto clusters = clusters_of(material);
  EXPECT_EQ(cluster_with(clusters, 0).writable, (std::vector<size_t>{0}));
  EXPECT_EQ(cluster_with(clusters, 1).writable, (std::vector<size_t>{1}));
}

TEST(Clusters, PrivateEntriesAreNeverShownAndHeldOnesNeverWritten) {
  Material material = with_fillers({fact_of("Likes green tea.")}, {entry_of("Likes green tea!"), entry_of("Likes green tea?")});
  material.entries[0].is_private = true;
  material.entries[1].writable = false;
  const auto clusters = clusters_of(material);
  EXPECT_THAT(clusters, ElementsAre(Cluster{{0}, {}, {1}}));
}

Material random_material(RandomTexts& texts, size_t facts, size_t entries, size_t vocabulary) {
  std::vector<Fact> all_facts;
  std::vector<DurableEntry> all_entries;
  const auto keys = [&] {
    return texts.below(4) == 0 ? std::vector<std::string>{"key" + std::to_string(texts.below(5))} : std::vector<std::string>{};
  };
  for (size_t i = 0; i < facts; ++i)
    all_facts.push_back(fact_of(texts.text(1 + texts.below(8), vocabulary), Source::agent, keys()));
  for (size_t i = 0; i < entries; ++i) {
    all_entries.push_back(entry_of(texts.text(1 + texts.below(8), vocabulary), Source::agent, keys()));
    all_entries.back().writable = texts.below(10) != 0;
    all_entries.back().is_private = texts.below(10) == 0;
  }
  return material_of(std::move(all_facts), std::move(all_entries));
}

// The trap: without mutual neighbours these 60 facts become one component.
TEST(Clusters, SixtyFactsDoNotMeltIntoOne) {
  RandomTexts texts(1);
  std::vector<Fact> facts;
  std::vector<DurableEntry> entries;
  for (size_t i = 0; i < 60; ++i) facts.push_back(fact_of(texts.text(8, 400)));
  for (size_t i = 0; i < 200; ++i) entries.push_back(entry_of(texts.text(8, 400)));
  const auto clusters = clusters_of(material_of(facts, entries), {.most_facts = 60, .most_entries = 199, .neighbors = 8});
  size_t largest = 0;
  for (const Cluster& cluster : clusters) largest = std::max(largest, cluster.facts.size());
  RecordProperty("clusters", static_cast<int>(clusters.size()));
  RecordProperty("largest", static_cast<int>(largest));
  EXPECT_GE(clusters.size(), 8u);
  EXPECT_LE(largest, 25u);
}

void check_rules(const Material& material, const std::vector<size_t>& facts, const ClusterLimits& limits) {
  const auto clusters = make_clusters(material, facts, limits);
  RC_ASSERT(clusters == make_clusters(material, facts, limits));
  std::multiset<size_t> seen;
  std::map<size_t, int> written;
  for (const Cluster& cluster : clusters) {
    RC_ASSERT(!cluster.facts.empty());
    RC_ASSERT(cluster.facts.size() <= limits.most_facts);
    RC_ASSERT(cluster.writable.size() + cluster.shown.size() <= limits.most_entries);
    for (const auto* list : {&cluster.facts, &cluster.writable, &cluster.shown})
      RC_ASSERT(std::ranges::adjacent_find(*list, std::greater_equal<>()) == list->end());
    seen.insert(cluster.facts.begin(), cluster.facts.end());
    for (const size_t entry : cluster.writable) {
      RC_ASSERT(++written[entry] == 1);
      RC_ASSERT(material.entries[entry].writable && !material.entries[entry].is_private);
      RC_ASSERT(!std::ranges::binary_search(cluster.shown, entry));
    }
    for (const size_t entry : cluster.shown) RC_ASSERT(!material.entries[entry].is_private);
  }
  RC_ASSERT(seen == std::multiset<size_t>(facts.begin(), facts.end()));
  RC_ASSERT(std::ranges::is_sorted(clusters, {}, [](const Cluster& cluster) { return cluster.facts.front(); }));
}

// 500 materials, times $LOCI_TEST_SCALE.
long rounds() {
  const char* scale = std::getenv("LOCI_TEST_SCALE");
  return 5 * std::max(1L, scale ? std::strtol(scale, nullptr, 10) : 1);
}

TEST(Clusters, HoldTheirRulesForAnyMaterial) {
  EXPECT_TRUE(rc::check("clusters", [] {
    for (long round = 0; round < rounds(); ++round) {
      RandomTexts texts(*rc::gen::arbitrary<unsigned>());
      const Material material = random_material(texts, 1 + texts.below(40), texts.below(60), 2 + texts.below(200));
      std::vector<size_t> facts;
      for (size_t i = 0; i < material.facts.size(); ++i)
        if (texts.below(5) != 0) facts.push_back(i);
      const ClusterLimits limits{1 + texts.below(12), texts.below(12), texts.below(9)};
      check_rules(material, facts, limits);
    }
  }));
}

// The same facts meet whatever the entries' order, where no two similarities are equal.
TEST(Clusters, TheOrderOfEntriesDecidesNothingButTies) {
  RandomTexts texts(7);
  const Material material = random_material(texts, 30, 80, 2'000);
  Material turned = material;
  std::ranges::reverse(turned.entries);
  const auto groups = [](const std::vector<Cluster>& clusters) {
    std::set<std::vector<size_t>> sets;
    for (const Cluster& cluster : clusters) sets.insert(cluster.facts);
    return sets;
  };
  EXPECT_EQ(groups(clusters_of(material)), groups(clusters_of(turned)));
}

TEST(Clusters, CommonWordsStayBounded) {
  std::vector<Fact> facts;
  std::vector<DurableEntry> entries;
  for (size_t i = 0; i < 200; ++i)
    facts.push_back(fact_of("common ordinary plain usual " + std::to_string(i), Source::agent, {"topic"}));
  for (size_t i = 0; i < 5'000; ++i)
    entries.push_back(entry_of("common ordinary plain usual x" + std::to_string(i), Source::agent, {"topic"}));
  const auto clusters = clusters_of(material_of(std::move(facts), std::move(entries)));
  size_t facts_seen = 0;
  for (const Cluster& cluster : clusters) facts_seen += cluster.facts.size();
  EXPECT_EQ(facts_seen, 200u);
  EXPECT_LE(clusters.size(), 200u);
}

}  // namespace
}  // namespace loci
