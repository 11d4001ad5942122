// Ranking on small vaults, as a specification of what a person finds first.
#include "recall/search.h"

#include "tests/recall/searchable_vault.h"

namespace loci {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

SearchOptions with_history() {
  SearchOptions options;
  options.history = true;
  return options;
}

SearchOptions at_most(size_t limit) {
  SearchOptions options;
  options.limit = limit;
  return options;
}

// A hundred facts that share no word with what the tests ask for.
std::vector<EntryToWrite> filler() {
  std::vector<EntryToWrite> entries;
  for (int i = 0; i < 100; ++i)
    entries.push_back({"f" + std::to_string(i),
                       "The deploy of server " + std::to_string(i) + " went well and redis cached its index.",
                       R"("source":"agent")"});
  return entries;
}

class NeedleTest : public testing::TestWithParam<const char*> {};

TEST_P(NeedleTest, AnOldExactAnswerStandsAboveAFreshNearMiss) {
  SearchableVault vault;
  auto entries = filler();
  entries.push_back(
      {"needle", "The zebrafish quasar passphrase rotates on Tuesdays.", R"("source":"agent")", "2023-02-03T08:00:00Z"});
  entries.push_back({"fresh", "The zebrafish tank is green and the feeding schedule hangs on the wall.", R"("source":"user")",
                     "2026-11-21T20:00:00Z"});
  for (int i = 0; i < 10; ++i)
    entries.push_back({"p" + std::to_string(i), "A passphrase for the build server number " + std::to_string(i)});
  vault.write("archive/2026-11-20.md", entries);
  const auto result = vault.search(GetParam());
  ASSERT_FALSE(result.hits.empty());
  EXPECT_EQ(result.hits[0].entry.id, "needle");
  EXPECT_TRUE(result.confident);
}
INSTANTIATE_TEST_SUITE_P(Questions, NeedleTest,
                         testing::Values("what is the zebrafish quasar passphrase", "zebrafish passphrase",
                                         "passphrases rotating tuesday", "What's the ZEBRAFISH's passphrase?"));

TEST(Search, FindsNothingAndSaysSoWhereNothingMatches) {
  SearchableVault vault;
  vault.write("archive/2026-11-20.md", filler());
  const auto result = vault.search("giraffe telescope");
  EXPECT_THAT(result.hits, IsEmpty());
  EXPECT_FALSE(result.confident);
}

TEST(Search, IsNotConfidentOfAnEntryThatSharesOneCommonWord) {
  SearchableVault vault;
  vault.write("archive/2026-11-20.md", filler());
  const auto result = vault.search("which giraffe polished the telescope index lens yesterday evening");
  EXPECT_THAT(result.hits, Not(IsEmpty()));
  EXPECT_FALSE(result.confident);
}

TEST(Search, RanksAConsolidatedEntryByTheDayItWasSaidAndFiltersByIt) {
  SearchableVault vault;
  vault.write("consolidated/memory.md",
              "<!--m {\"id\":\"old\",\"source\":\"user\",\"updated\":\"2025-03-01\"}-->\nParks the bicycle in hall A.\n\n"
              "<!--m {\"id\":\"new\",\"source\":\"user\",\"updated\":\"2026-11-19\"}-->\nParks the bicycle in hall B.\n");
  EXPECT_THAT(vault.ids("bicycle"), ElementsAre("new", "old"));
  EXPECT_THAT(vault.ids("bicycle since:2026-11-01"), ElementsAre("new"));
  EXPECT_THAT(vault.ids("bicycle until:2025-12-31"), ElementsAre("old"));
}

TEST(Search, AnEmptyVaultAndAnEmptyQueryFindNothing) {
  SearchableVault vault;
  EXPECT_THAT(vault.ids("anything"), IsEmpty());
  vault.write("note.md", "something\n");
  for (const char* query : {"", " ", "*", "?!", "\""}) EXPECT_THAT(vault.ids(query), IsEmpty()) << query;
}

TEST(Search, TrustOrdersEqualTextsAndNothingMore) {
  SearchableVault vault;
  vault.write("archive/2026-11-20.md", {{"a", "The printer is on floor one.", R"("source":"system")"},
                                        {"b", "The printer is on floor two.", R"("source":"agent")"},
                                        {"c", "The printer is on floor six.", R"("source":"user")"},
                                        {"d", "The printer is on floor ten.", R"("source":"correction")"},
                                        {"e", "The scanner is broken.", R"("source":"correction")"},
                                        {"f", "The scanner and the printer share a cable.", R"("source":"system")"}});
  EXPECT_THAT(vault.ids("printer floor"), ElementsAre("d", "c", "b", "a", "f"));
  EXPECT_EQ(vault.ids("scanner printer cable")[0], "f");
}

TEST(Search, OfEqualTextsTheNewerComesFirstAndAgeNeverCostsMoreThanTheFloor) {
  SearchableVault vault;
  vault.write("archive/2026-11-20.md", {{"old", "The office plant needs water.", "", "2016-01-01T08:00:00Z"},
                                        {"new", "The office plant needs light.", "", "2026-11-20T08:00:00Z"},
                                        {"future", "The office plant needs shade.", "", "2027-11-20T08:00:00Z"}});
  const auto result = vault.search("office plant");
  EXPECT_THAT(vault.ids("office plant"), ElementsAre("future", "new", "old"));
  EXPECT_DOUBLE_EQ(result.hits[0].why.recency, 1.0);
  EXPECT_NEAR(result.hits[2].why.recency, 0.7, 1e-9);
}

TEST(Search, EveryScoreIsTheProductOfItsReasons) {
  SearchableVault vault;
  auto entries = filler();
  entries.push_back({"needle", "redis is the cache of the deploy server"});
  vault.write("archive/2026-11-20.md", entries);
  for (const Hit& hit : vault.search("redis cache deploy").hits) {
    EXPECT_NEAR(hit.score, (hit.why.bm25 + hit.why.thread) * hit.why.recency * hit.why.trust, 1e-12);
    EXPECT_GT(hit.score, 0);
    EXPECT_LE(hit.score, 1);
  }
}

TEST(Search, ARebuildGivesTheSameAnswersInTheSameOrder) {
  SearchableVault vault;
  vault.write("archive/2026-11-20.md", filler());
  vault.write("notes/b.md", "- redis keeps the cache\n- redis keeps the locks\n- redis keeps the queue\n");
  const auto before = vault.ids("redis keeps index", at_most(20));
  vault.write("notes/a.md", "- redis keeps the rest\n");
  vault.ids("redis");
  vault.rebuild();
  vault.write("notes/a.md", "nothing of the kind\n");
  EXPECT_EQ(vault.ids("redis keeps index", at_most(20)), before);
}

TEST(Search, EqualEntriesComeInTheOrderOfTheirIds) {
  SearchableVault vault;
  vault.write("archive/2026-11-20.md", {{"c", "a red kite"}, {"a", "a red wing"}, {"b", "a red leaf"}, {"d", "a red bean"}});
  EXPECT_THAT(vault.ids("red"), ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(vault.ids("red", at_most(2)), ElementsAre("a", "b"));
}

// --- words ---

TEST(Search, OfManyMatchesTheBestAreFoundHoweverFewAreWanted) {
  SearchableVault vault;
  const char* words[] = {"boat", "mast", "varnish", "rope", "anchor"};
  const char* sources[] = {R"("source":"agent")", R"("source":"user")", R"("source":"system")"};
  std::vector<EntryToWrite> entries;
  for (unsigned i = 0; i < 700; ++i) {
    std::string text;
    for (unsigned n = 0; n <= i % 7; ++n) text += std::string(words[(i * 7 + n * n) % 5]) + (n % 2 ? " and " : " ");
    entries.push_back({"e" + std::to_string(i), text + std::string(i % 11, 'x'), sources[i % 3],
                       "20" + std::to_string(10 + i % 17) + "-11-20T08:00:00Z"});
  }
  vault.write("archive/2026-11-20.md", entries);
  for (const char* question : {"mast varnish", "boat mast rope", "anchor varnish boat source:system", "rope -mast"}) {
    SearchOptions all;
    all.limit = entries.size();
    const auto in_order = vault.ids(question, all);
    for (const size_t wanted : {size_t{1}, size_t{4}, size_t{40}}) {
      SearchOptions few;
      few.limit = wanted;
      const auto first = static_cast<std::ptrdiff_t>(std::min(wanted, in_order.size()));
      EXPECT_EQ(vault.ids(question, few), std::vector<std::string>(in_order.begin(), in_order.begin() + first)) << question;
    }
  }
}

TEST(Search, FindsInflectedAndIrregularForms) {
  SearchableVault vault;
  vault.write("notes/a.md", "- Anna went hiking in the mountains\n- The children painted a bicycle\n");
  EXPECT_THAT(vault.ids("where does Anna go"), testing::SizeIs(1));
  EXPECT_THAT(vault.ids("kid's bike"), testing::SizeIs(1));
  EXPECT_THAT(vault.ids("mountain hikes"), testing::SizeIs(1));
}

TEST(Search, FoldsCaseAndAccents) {
  SearchableVault vault;
  vault.write("notes/a.md", "Die Straße nach Malmö führt über die Brücke\n");
  for (const char* query : {"malmo", "MALMÖ", "strasse", "STRASSE", "brucke",
                            "Bru\xCC\x88"
                            "cke"})
    EXPECT_THAT(vault.ids(query), testing::SizeIs(1)) << query;
}

TEST(Search, FindsUnspacedWordsOfOneToFourCharacters) {
  SearchableVault vault;
  vault.write("notes/a.md", "- 数据库每天凌晨三点备份\n- 猫はソファの上で寝ている\n- 서버 배포는 금요일\n");
  for (const char* query : {"库", "备份", "数据库", "凌晨三点", "猫", "ソファ", "寝て", "배포", "数据库什么时候备份"})
    EXPECT_THAT(vault.ids(query), testing::SizeIs(1)) << query;
  EXPECT_THAT(vault.ids("据数"), IsEmpty());
}

TEST(Search, FindsEmoji) {
  SearchableVault vault;
  vault.write("notes/a.md", "- party at nine 🎉\n- meeting at ten\n");
  EXPECT_THAT(vault.ids("🎉"), testing::SizeIs(1));
}

TEST(Search, FindsIdentifiersWholeAndInParts) {
  SearchableVault vault;
  vault.write("notes/a.md", "- set max_open_files in src/limits.cpp for v1.2.3\n- mail me@example.org about alpha-one\n");
  for (const char* query :
       {"max_open_files", "open", "src/limits.cpp", "limits", "v1.2.3", "me@example.org", "example", "alpha-one", "alpha"})
    EXPECT_THAT(vault.ids(query), testing::SizeIs(1)) << query;
}

TEST(Search, APrefixFindsEveryWordThatBeginsWithIt) {
  SearchableVault vault;
  vault.write("archive/2026-11-20.md", {{"a", "kubernetes"}, {"b", "kubectl"}, {"c", "docker"}});
  EXPECT_THAT(vault.ids("kube*"), UnorderedElementsAre("a", "b"));
}

TEST(Search, APhraseStandsAboveItsWordsApart) {
  SearchableVault vault;
  vault.write("archive/2026-11-20.md", {{"apart", "green lights and blue walls", "", "2026-11-21T08:00:00Z"},
                                        {"phrase", "the blue green deployment was slow", "", "2026-11-01T08:00:00Z"},
                                        {"one", "blue"}});
  EXPECT_EQ(vault.ids("\"blue green\"")[0], "phrase");
  EXPECT_EQ(vault.ids("blue green deployment")[0], "phrase");
}

TEST(Search, ANoteIsFoundByTheHeadingsAboveIt) {
  SearchableVault vault;
  vault.write("Garden/Plants.md",
              "---\ntags: [garden]\n---\n# Plants\n\n## Monstera\n\n- [ ] water it on Mondays\n- repotted in [[2024-05-01|May]]\n\n"
              "## Basil\n\n> [!tip] water it daily\n");
  const auto result = vault.search("when to water the monstera");
  ASSERT_GE(result.hits.size(), 2u);
  EXPECT_THAT(result.hits[0].entry.text, testing::HasSubstr("water it on Mondays"));
  EXPECT_TRUE(result.confident);
  EXPECT_THAT(vault.ids("tag:garden basil"), testing::SizeIs(1));
}

TEST(Search, OfALargeVaultAWordThatMostEntriesHaveIsDroppedIfARarerOneRemains) {
  SearchableVault vault;
  std::string text;
  for (int i = 0; i < 10'100; ++i) text += "- deploy number " + std::to_string(i) + (i == 77 ? " of the zebra" : "") + "\n";
  vault.write("log.md", text);
  EXPECT_THAT(vault.ids("deploy zebra"), testing::SizeIs(1));
  EXPECT_THAT(vault.ids("deploy"), testing::SizeIs(8));
}

// --- what is left out ---

TEST(Search, ExcludedWordsAndPhrasesHideTheirEntries) {
  SearchableVault vault;
  vault.write("archive/2026-11-20.md",
              {{"a", "deploy on friday"}, {"b", "deploy on monday"}, {"c", "deploy the friday build on tuesday"}});
  EXPECT_THAT(vault.ids("deploy -friday"), ElementsAre("b"));
  EXPECT_THAT(vault.ids("deploy -\"on friday\""), UnorderedElementsAre("b", "c"));
  EXPECT_THAT(vault.ids("deploy -fri*"), ElementsAre("b"));
  EXPECT_THAT(vault.ids("-friday"), ElementsAre("b"));
}

TEST(Search, TagsProjectsSourcesAndKindsFilter) {
  SearchableVault vault;
  vault.write("archive/2026-11-20.md", {{"a", "deploy one", R"("tags":["ops"],"project":"atlas","source":"user")"},
                                        {"b", "deploy two", R"("tags":["ops","draft"],"project":"borealis","source":"agent")"},
                                        {"c", "deploy six", R"("kind":"turn","session":"s1","turn":0)"}});
  EXPECT_THAT(vault.ids("deploy tag:ops"), UnorderedElementsAre("a", "b"));
  EXPECT_THAT(vault.ids("deploy tag:ops tag:draft"), ElementsAre("b"));
  EXPECT_THAT(vault.ids("deploy tag:ops -tag:draft"), ElementsAre("a"));
  EXPECT_THAT(vault.ids("deploy project:borealis"), ElementsAre("b"));
  EXPECT_THAT(vault.ids("deploy source:user -kind:turn"), ElementsAre("a"));
  EXPECT_THAT(vault.ids("deploy kind:turn"), ElementsAre("c"));
  EXPECT_THAT(vault.ids("deploy session:s1"), ElementsAre("c"));
  SearchOptions both;
  both.filter.project = "atlas";
  EXPECT_THAT(vault.ids("deploy project:borealis", both), IsEmpty());
}

TEST(Search, AFilterAloneListsNewestFirst) {
  SearchableVault vault;
  vault.write("archive/2026-11-20.md", {{"a", "one", R"("tags":["ops"])", "2026-11-01T08:00:00Z"},
                                        {"b", "two", R"("tags":["ops"])", "2026-11-03T08:00:00Z"},
                                        {"c", "six", R"("tags":["ops"])", "2026-11-02T08:00:00Z"},
                                        {"d", "ten", "", "2026-11-04T08:00:00Z"}});
  EXPECT_THAT(vault.ids("tag:ops"), ElementsAre("b", "c", "a"));
  EXPECT_THAT(vault.ids("tag:ops -two", at_most(1)), ElementsAre("c"));
}

TEST(Search, DatesFilterAndAnEntryWithoutADateNeverPasses) {
  SearchableVault vault;
  vault.write("archive/2026-11-20.md", {{"a", "deploy one", "", "2026-04-30T23:59:59Z"},
                                        {"b", "deploy two", "", "2026-05-01T00:00:00Z"},
                                        {"c", "deploy six", "", "2026-06-30T23:00:00Z"}});
  vault.write("undated.md", "deploy ten\n");
  EXPECT_THAT(vault.ids("deploy since:2026-05 until:2026-06"), UnorderedElementsAre("b", "c"));
}

TEST(Search, DeletedEntriesNeverAppear) {
  SearchableVault vault;
  vault.write("archive/2026-11-20.md", {{"kept", "the heron fishes at dawn"}, {"gone", "the heron nests in May"}});
  vault.write(".loci/tombstones/test.jsonl", R"({"at":"2026-11-21T09:00:00.000Z","id":"gone","reason":"deleted","by":"user"})"
                                             "\n");
  EXPECT_THAT(vault.ids("heron"), ElementsAre("kept"));
  EXPECT_THAT(vault.ids("heron", with_history()), ElementsAre("kept"));
  SearchOptions all;
  all.inactive = true;
  EXPECT_THAT(vault.ids("heron", all), UnorderedElementsAre("kept", "gone"));
}

TEST(Search, L2IsLeftOutUnlessAskedFor) {
  SearchableVault vault;
  vault.write("archive/sessions/2026-11-20-s1.md",
              {{"t0", "Ada: shall we book the lighthouse?", R"("kind":"turn","session":"s1","turn":0)"}});
  vault.write("note.md", "The lighthouse is booked.\n");
  EXPECT_THAT(vault.ids("lighthouse"), Not(Contains("t0")));
  EXPECT_THAT(vault.ids("lighthouse", with_history()), Contains("t0"));
  EXPECT_THAT(vault.ids("lighthouse layer:L2"), ElementsAre("t0"));
  EXPECT_THAT(vault.ids("lighthouse since:2026"), Contains("t0"));
  EXPECT_THAT(vault.ids("what did we say about the lighthouse"), Contains("t0"));
  SearchOptions since;
  since.filter.since = parse_time("2026");
  EXPECT_THAT(vault.ids("lighthouse", since), Contains("t0"));
}

// --- snippets ---

TEST(Search, ASnippetShowsTheWordsThatWereFound) {
  SearchableVault vault;
  std::string text;
  for (int i = 0; i < 100; ++i) text += "filler words here ";
  vault.write("note.md", text + "the passphrases rotate weekly " + text + "\n");
  const auto result = vault.search("passphrase rotation");
  ASSERT_EQ(result.hits.size(), 1u);
  EXPECT_THAT(result.hits[0].snippet, testing::HasSubstr("passphrases rotate weekly"));
  EXPECT_LE(result.hits[0].snippet.size(), 210u);
}

TEST(Search, ABeginningFindsTheWordsThatBeginSoHoweverManyTheyAre) {
  SearchableVault vault;
  vault.write("archive/2026-11-20.md", {{"stem", "The lighthouse lamp needs oil."}, {"inflected", "Jonas is polishing the lamp."}});
  EXPECT_THAT(vault.ids("lightho*"), ElementsAre("stem"));
  EXPECT_THAT(vault.ids("polishi*"), ElementsAre("inflected"));
  EXPECT_THAT(vault.ids("lam* polishi*"), ElementsAre("inflected", "stem"));
  EXPECT_THAT(vault.ids("oi* lamx*"), ElementsAre("stem"));
  vault.write("archive/2026-11-21.md", {{"other", "The lights of the harbour."}});
  EXPECT_THAT(vault.ids("light*"), UnorderedElementsAre("stem", "other"));
}

TEST(Search, OfALargeVaultABeginningThatMostEntriesHaveIsNoReasonToShowOne) {
  SearchableVault vault;
  for (int file = 0; file < 11; ++file) {
    std::vector<EntryToWrite> entries;
    for (int i = 0; i < 1000; ++i) {
      const std::string number = std::to_string(file * 1000 + i);
      entries.push_back({"e" + number, "House " + number + " of the street."});
    }
    vault.write("archive/2026-10-" + std::to_string(10 + file) + ".md", entries);
  }
  vault.write("archive/2026-11-20.md", {{"rare", "The lantern of the street."}});
  EXPECT_THAT(vault.ids("lantern stre*"), ElementsAre("rare"));
  EXPECT_THAT(vault.ids("stre*", at_most(20)), testing::SizeIs(20));
}

}  // namespace
}  // namespace loci
