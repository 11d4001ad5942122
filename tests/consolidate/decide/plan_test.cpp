#include "consolidate/decide/plan.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "parser/text_hash.h"

namespace loci {
namespace {

using Ids = std::vector<std::string>;
using Kind = Operation::Kind;
using Outcome = LedgerEntry::Outcome;

Fact fact(const std::string& id, const std::string& text, Source source = Source::agent, const std::string& day = "2026-11-20") {
  Fact fact;
  fact.id = id;
  fact.text = text;
  fact.hash = stored_text_hash(text);
  fact.source = source;
  fact.day = day;
  return fact;
}

DurableEntry durable(const std::string& id, const std::string& text, Source source = Source::agent, Ids from = {}) {
  DurableEntry entry;
  entry.id = id;
  entry.text = text;
  entry.hash = stored_text_hash(text);
  entry.source = source;
  entry.file = "consolidated/memory.md";
  entry.first_seen = entry.updated = "2026-11-10";
  entry.sources = {"2026-11-10"};
  entry.from = std::move(from);
  return entry;
}

Operation operation(Kind kind, std::vector<size_t> facts, const std::string& text = {}) {
  Operation operation;
  operation.kind = kind;
  operation.facts = std::move(facts);
  operation.text = text;
  return operation;
}

Operation replace(size_t target, std::vector<size_t> facts, const std::string& text, bool is_correction = false) {
  Operation all = operation(Kind::replace, std::move(facts), text);
  all.target = target;
  all.is_correction = is_correction;
  return all;
}

Operation remove(size_t target, size_t into) {
  Operation all = operation(Kind::remove, {});
  all.target = target;
  all.into = into;
  return all;
}

Operation same_as_fact(std::vector<size_t> facts, size_t other) {
  Operation all = operation(Kind::duplicate, std::move(facts));
  all.same_as_fact = other;
  return all;
}

Operation same_as_entry(std::vector<size_t> facts, size_t entry) {
  Operation all = operation(Kind::duplicate, std::move(facts));
  all.same_as_entry = entry;
  return all;
}

class PlanTest : public testing::Test {
 protected:
  Plan plan(std::vector<Operation> operations) {
    Cluster cluster;
    for (size_t i = 0; i < material.facts.size(); ++i) cluster.facts.push_back(i);
    for (size_t i = 0; i < material.entries.size(); ++i) cluster.writable.push_back(i);
    return make_plan(Decision{std::move(operations)}, material, cluster, identity);
  }
  static const PlannedEntry& change(const Plan& plan, const std::string& id) {
    const auto found = std::ranges::find(plan.changes, id, &PlannedEntry::id);
    if (found == plan.changes.end()) ADD_FAILURE() << "nothing is planned for " << id;
    return found == plan.changes.end() ? plan.changes.front() : *found;
  }

  Material material;
  RunIdentity identity{"run", 2, parse_time("2026-11-22T10:00:00Z").value()};
};

TEST_F(PlanTest, TheIdOfANewEntryIsMadeOfItsFirstFact) {
  material.facts = {fact("f1", "a"), fact("f2", "b")};
  const Plan one = plan({operation(Kind::add, {0, 1}, "a and b")});
  ASSERT_EQ(one.changes.size(), 1u);
  EXPECT_TRUE(one.changes[0].id.starts_with("c-"));
  EXPECT_EQ(one.changes[0].id.size(), 22u);
  EXPECT_EQ(one.changes[0].metadata.id, one.changes[0].id);
  material.facts = {fact("f1", "something else")};
  EXPECT_EQ(plan({operation(Kind::add, {0}, "x")}).changes[0].id, one.changes[0].id);
}

TEST_F(PlanTest, AnEntryIsAsNewAsTheNewestDayThatWasSaidByWhoRanksAtLeastAsIt) {
  material.entries = {durable("c1", "tea", Source::user)};
  const auto updated = [&](const Fact& said, const Operation& operation) {
    material.facts = {said};
    return plan({operation}).changes.at(0).metadata.updated;
  };
  Operation same = operation(Kind::duplicate, {0});
  same.same_as_entry = 0;
  EXPECT_EQ(updated(fact("f1", "tea", Source::user, "2026-11-15"), same), "2026-11-15");
  EXPECT_EQ(updated(fact("f1", "tea", Source::user, "2026-02-01"), same), "2026-11-10") << "written long ago, arrived late";
  EXPECT_EQ(updated(fact("f1", "likes tea", Source::agent, "2026-11-15"), same), "2026-11-10") << "an echo";
  EXPECT_EQ(updated(fact("f1", "coffee", Source::user, "2026-11-15"), replace(0, {0}, "coffee; previously tea")), "2026-11-15");
  EXPECT_EQ(updated(fact("f1", "coffee", Source::correction, "2026-11-05"), replace(0, {0}, "coffee", true)), "2026-11-05");
}

TEST_F(PlanTest, AnIdThatIsTakenOrWasDeletedIsNotGivenAgain) {
  material.facts = {fact("f1", "a")};
  const std::string first = plan({operation(Kind::add, {0}, "a")}).changes[0].id;
  material.entries = {durable(first, "edited since")};
  const std::string second = plan({operation(Kind::add, {0}, "a")}).changes[0].id;
  EXPECT_NE(second, first);
  material.entries.clear();
  material.ended = {first};
  EXPECT_EQ(plan({operation(Kind::add, {0}, "a")}).changes[0].id, second);
  material.ended = {first, second};
  std::ranges::sort(material.ended);
  const std::string third = plan({operation(Kind::add, {0}, "a")}).changes[0].id;
  EXPECT_NE(third, first);
  EXPECT_NE(third, second);
}

TEST_F(PlanTest, CodeWritesTheMetadataOfANewEntry) {
  material.facts = {fact("f1", "a", Source::user, "2026-11-21"), fact("f2", "b", Source::user, "2026-11-20")};
  material.facts[0].tags = {"x"};
  material.facts[1].tags = {"x", "y"};
  material.facts[0].about = {"tea"};
  material.facts[1].about = {"drinks"};
  material.facts[0].project = material.facts[1].project = "atlas";
  const Plan all = plan({operation(Kind::add, {0, 1}, "a and b")});
  const Metadata& metadata = all.changes[0].metadata;
  EXPECT_EQ(metadata.first_seen, "2026-11-20");
  EXPECT_EQ(metadata.updated, "2026-11-21") << "the newest day said, not that of the run";
  EXPECT_EQ(metadata.sources, (Ids{"2026-11-20", "2026-11-21"}));
  EXPECT_EQ(metadata.from, (Ids{"f1", "f2"}));
  EXPECT_EQ(metadata.tags, (Ids{"x", "y"}));
  EXPECT_EQ(metadata.about, (Ids{"tea", "drinks"}));
  EXPECT_EQ(metadata.project, "atlas");
  EXPECT_EQ(metadata.source, Source::user);
}

TEST_F(PlanTest, AProjectThatNotAllShareIsNone) {
  material.facts = {fact("f1", "a"), fact("f2", "b")};
  material.facts[0].project = "atlas";
  EXPECT_EQ(plan({operation(Kind::add, {0, 1}, "a and b")}).changes[0].metadata.project, "");
}

TEST_F(PlanTest, KeysOfTheOperationStandForThoseOfItsFacts) {
  material.facts = {fact("f1", "a")};
  material.facts[0].about = {"tea"};
  Operation add = operation(Kind::add, {0}, "a");
  add.about = {"drinks"};
  EXPECT_EQ(plan({add}).changes[0].metadata.about, Ids{"drinks"});
}

struct TrustRow {
  const char* what;
  std::optional<Source> target;
  std::vector<std::pair<const char*, Source>> facts;  // text, source
  Source expected;
};

TEST_F(PlanTest, WhatATextStillSaysOfAnAgentsEntryStaysTheAgents) {
  material.entries = {durable("c-1", "Works at Google.", Source::agent, {"f0"})};
  material.facts = {fact("f1", "Works at Microsoft now.", Source::user)};
  EXPECT_EQ(plan({replace(0, {0}, "Works at Microsoft, previously at Google.")}).changes.at(0).metadata.source, Source::agent);
  EXPECT_EQ(plan({replace(0, {0}, "Works at Microsoft now.")}).changes.at(0).metadata.source, Source::user);
  material.facts.push_back(fact("f2", "Left Google.", Source::user));
  EXPECT_EQ(plan({replace(0, {0, 1}, "Works at Microsoft, previously at Google.")}).changes.at(0).metadata.source, Source::user);
}

TEST_F(PlanTest, NoGuessGainsAPersonsAuthority) {
  const TrustRow rows[] = {
      {"one fact", {}, {{"a", Source::user}}, Source::user},
      {"a person's and an agent's", {}, {{"a", Source::user}, {"b", Source::agent}}, Source::agent},
      {"equal words count once, with the highest", {}, {{"a", Source::agent}, {"a", Source::user}}, Source::user},
      {"equal words and a guess", {}, {{"a", Source::agent}, {"a", Source::user}, {"b", Source::system}}, Source::system},
      {"a correction and what a person said", {}, {{"a", Source::correction}, {"b", Source::user}}, Source::user},
      {"an agent's entry that a person changes", Source::agent, {{"a", Source::user}}, Source::user},
      {"a person's entry that a person changes", Source::user, {{"a", Source::user}}, Source::user},
      {"a person's entry with a guess among what changes it",
       Source::user,
       {{"a", Source::user}, {"b", Source::agent}},
       Source::agent},
      {"a fact in the words of the entry", Source::user, {{"old", Source::agent}, {"a", Source::user}}, Source::user},
      {"a correction that a person changes", Source::correction, {{"a", Source::user}}, Source::user},
  };
  for (const TrustRow& row : rows) {
    material = {};
    std::vector<size_t> facts;
    for (const auto& [text, source] : row.facts) {
      facts.push_back(facts.size());
      material.facts.push_back(fact("f" + std::to_string(facts.size()), text, source));
    }
    if (row.target) material.entries = {durable("c-1", "old", *row.target, {"f0"})};
    const Plan all = plan({row.target ? replace(0, facts, "new") : operation(Kind::add, facts, "new")});
    EXPECT_EQ(all.changes.at(0).metadata.source, row.expected) << row.what;
  }
}

TEST_F(PlanTest, AReplaceRestsOnOldFactsFirst) {
  material.facts = {fact("f2", "b"), fact("f3", "c")};
  material.entries = {durable("c-1", "a", Source::agent, {"f1"})};
  const Plan all = plan({replace(0, {0, 1}, "abc")});
  const PlannedEntry& entry = change(all, "c-1");
  EXPECT_EQ(entry.before_hash, stored_text_hash("a"));
  EXPECT_EQ(entry.metadata.from, (Ids{"f1", "f2", "f3"}));
  EXPECT_EQ(entry.metadata.sources, (Ids{"2026-11-10", "2026-11-20"}));
  EXPECT_EQ(entry.metadata.first_seen, "2026-11-10");
  EXPECT_EQ(entry.facts.size(), 2u);
  ASSERT_EQ(all.ledger.size(), 2u);
  EXPECT_EQ(all.ledger[0].outcome, Outcome::replaced);
  EXPECT_EQ(all.ledger[0].entry_hash, stored_text_hash("abc"));
  EXPECT_EQ(all.ledger[0].generation, 2);
}

TEST_F(PlanTest, ACorrectionRestsOnItsFactsAloneAndBuriesTheOthers) {
  material.facts = {fact("f2", "The name is John.", Source::correction)};
  material.entries = {durable("c-1", "The name is Jon.", Source::user, {"f1", "f0"})};
  const Plan all = plan({replace(0, {0}, "The name is John.", true)});
  EXPECT_EQ(change(all, "c-1").metadata.from, Ids{"f2"});
  EXPECT_EQ(change(all, "c-1").metadata.sources, Ids{"2026-11-20"});
  EXPECT_EQ(change(all, "c-1").metadata.source, Source::correction);
  Ids buried;
  for (const Tombstone& tombstone : all.tombstones) {
    buried.push_back(tombstone.id);
    EXPECT_EQ(tombstone.reason, Tombstone::Reason::corrected);
    EXPECT_EQ(tombstone.superseded_by, "f2");
    EXPECT_EQ(tombstone.by, "model") << "no person said that this was wrong";
  }
  EXPECT_EQ(buried, (Ids{"f1", "f0", id_from_hash(stored_text_hash("The name is Jon."))}));
}

TEST_F(PlanTest, AChangeBuriesNothing) {
  material.facts = {fact("f2", "b")};
  material.entries = {durable("c-1", "a", Source::agent, {"f1"})};
  EXPECT_TRUE(plan({replace(0, {0}, "b; previously a")}).tombstones.empty());
}

TEST_F(PlanTest, WhatIsMergedGivesAllThatItRestsOn) {
  material.facts = {fact("f3", "c")};
  material.entries = {durable("c-1", "a", Source::agent, {"f1"}), durable("c-2", "b", Source::agent, {"f2"})};
  material.entries[1].tags = {"x"};
  material.entries[1].first_seen = "2026-11-01";
  const Plan all = plan({replace(0, {0}, "abc"), remove(1, 0)});
  EXPECT_EQ(change(all, "c-1").metadata.from, (Ids{"f1", "f3", "f2"}));
  EXPECT_EQ(change(all, "c-1").metadata.tags, Ids{"x"});
  EXPECT_EQ(change(all, "c-1").metadata.first_seen, "2026-11-01");
  EXPECT_TRUE(change(all, "c-2").removed);
  EXPECT_EQ(change(all, "c-2").into, "c-1");
  const auto merged = std::ranges::find(all.ledger, Outcome::merged, &LedgerEntry::outcome);
  ASSERT_NE(merged, all.ledger.end());
  EXPECT_EQ(merged->fact, "f2");
  EXPECT_EQ(merged->fact_hash, "");  // looked up when it is applied
  EXPECT_EQ(merged->entry, "c-2");
  EXPECT_EQ(merged->into, "c-1");
}

TEST_F(PlanTest, AMergeWithoutNewFactsTakesTheLowerTrust) {
  material.entries = {durable("c-1", "a", Source::user, {"f1"}), durable("c-2", "b", Source::agent, {"f2"})};
  EXPECT_EQ(change(plan({replace(0, {}, "ab"), remove(1, 0)}), "c-1").metadata.source, Source::agent);
}

TEST_F(PlanTest, DuplicatesJoinTheirEntryAndLeaveItsWords) {
  material.facts = {fact("f2", "in other words", Source::user), fact("f3", "a", Source::user)};
  material.entries = {durable("c-1", "a", Source::agent, {"f1"})};
  const Plan other_words = plan({same_as_entry({0}, 0)});
  EXPECT_EQ(change(other_words, "c-1").text, "a");
  EXPECT_EQ(change(other_words, "c-1").metadata.from, (Ids{"f1", "f2"}));
  EXPECT_EQ(change(other_words, "c-1").metadata.source, Source::agent);
  EXPECT_EQ(other_words.ledger.at(0).outcome, Outcome::duplicate);
  EXPECT_EQ(other_words.ledger.at(0).entry_hash, stored_text_hash("a"));
  EXPECT_EQ(change(plan({same_as_entry({1}, 0)}), "c-1").metadata.source, Source::user);  // a person says the very same
}

TEST_F(PlanTest, DuplicatesOfAFactGoWhereItGoes) {
  material.facts = {fact("f1", "a"), fact("f2", "a again"), fact("f3", "and again")};
  const Plan all = plan({same_as_fact({2}, 1), operation(Kind::add, {0}, "a"), same_as_fact({1}, 0)});
  ASSERT_EQ(all.changes.size(), 1u);
  EXPECT_EQ(all.changes[0].metadata.from.size(), 3u);
  EXPECT_EQ(all.ledger.size(), 3u);
  for (const LedgerEntry& line : all.ledger) EXPECT_EQ(line.entry, all.changes[0].id);
}

TEST_F(PlanTest, ADuplicateOfWhatStaysPendingStaysPending) {
  material.facts = {fact("f1", "a"), fact("f2", "a again")};
  EXPECT_TRUE(plan({same_as_fact({1}, 0)}).empty());
}

TEST_F(PlanTest, ADuplicateOfAnEntryThatMayNotBeWrittenIsOnlySettled) {
  material.facts = {fact("f2", "a")};
  material.entries = {durable("c-1", "a", Source::agent, {"f1"})};
  material.entries[0].writable = false;
  const Plan all = plan({same_as_entry({0}, 0)});
  EXPECT_TRUE(all.changes.empty());
  EXPECT_EQ(all.ledger.at(0).entry, "c-1");
}

TEST_F(PlanTest, WhatIsIgnoredHasALineAndNothingElse) {
  material.facts = {fact("f1", "Hello.")};
  Operation ignore = operation(Kind::ignore, {0});
  ignore.why = "small talk";
  const Plan all = plan({ignore});
  EXPECT_TRUE(all.changes.empty());
  EXPECT_EQ(all.ledger.at(0).outcome, Outcome::ignored);
  EXPECT_EQ(all.ledger.at(0).why, "small talk");
}

TEST_F(PlanTest, NoEntryRestsOnAnIdThatWasDeleted) {
  material.facts = {fact("f1", "written anew by hand"), fact("f2", "b")};
  material.ended = {"f1"};
  const Plan all = plan({operation(Kind::add, {0, 1}, "a and b")});
  EXPECT_EQ(all.changes.at(0).metadata.from, Ids{"f2"});
  EXPECT_EQ(all.ledger.size(), 2u);
}

}  // namespace
}  // namespace loci
