#include "consolidate/decide/losses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/consolidate/material_builder.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using Kind = Operation::Kind;

Operation operation(Kind kind, std::vector<size_t> facts, const std::string& text = {}) {
  Operation operation;
  operation.kind = kind;
  operation.facts = std::move(facts);
  operation.text = text;
  return operation;
}

Operation replace(size_t target, std::vector<size_t> facts, const std::string& text) {
  Operation all = operation(Kind::replace, std::move(facts), text);
  all.target = target;
  return all;
}

Operation remove(size_t target, size_t into) {
  Operation all = operation(Kind::remove, {});
  all.target = target;
  all.into = into;
  return all;
}

class LossesTest : public testing::Test {
 protected:
  // 20 entries of 200 bytes.
  LossesTest() {
    std::vector<DurableEntry> entries;
    for (int i = 0; i < 20; ++i) entries.push_back(entry_of(std::string(199, static_cast<char>('a' + i)) + "."));
    material = material_of({}, std::move(entries));
  }
  static PlannedEntry gone(const std::string& id) {
    PlannedEntry change;
    change.id = id;
    change.before_hash = "x";
    change.removed = true;
    return change;
  }
  static PlannedEntry now(const std::string& id, const std::string& text) {
    PlannedEntry change;
    change.id = id;
    change.text = text;
    return change;
  }
  static Plan losing(int entries, int from = 0) {
    Plan plan;
    for (int i = from; i < from + entries; ++i) plan.changes.push_back(gone("e" + std::to_string(i)));
    plan.changes.push_back(now("c-new", std::string(static_cast<size_t>(entries) * 200, 'n')));
    return plan;
  }

  Material material;
};

TEST_F(LossesTest, AFewEntriesMayGoAndATenthOfMany) {
  RunLosses losses;
  EXPECT_TRUE(check_losses(losses, losing(3), material));
  EXPECT_EQ(losses.entries_lost, 3);
  const auto refused = check_losses(losses, losing(1, 3), material);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::refused);
  EXPECT_EQ(losses.entries_lost, 3);  // what was refused is not counted
  for (int i = 20; i < 60; ++i) material.entries.push_back(entry_of("short"));
  losses = {};
  EXPECT_TRUE(check_losses(losses, losing(6), material));
  EXPECT_FALSE(check_losses(losses, losing(1, 6), material));
}

TEST_F(LossesTest, TextMayNotShrinkByMoreThanAFifth) {
  Plan plan;
  for (int i = 0; i < 10; ++i) plan.changes.push_back(now("e" + std::to_string(i), std::string(100, 'x')));
  RunLosses losses;
  EXPECT_TRUE(check_losses(losses, plan, material));  // 1,000 of 4,000 bytes are little
  for (DurableEntry& entry : material.entries) entry.text += entry.text + entry.text;
  losses = {};
  EXPECT_FALSE(check_losses(losses, plan, material));  // 5,000 of 12,000
  plan.changes.push_back(now("c-new", std::string(3'000, 'x')));
  EXPECT_TRUE(check_losses(losses, plan, material));  // but for 3,000 that came
}

// Three facts about one thing and its four entries; and two that have nothing to do with it.
class BearablePart : public LossesTest {
 protected:
  BearablePart() {
    material = material_of({fact_of("many in one"), fact_of("something else"), fact_of("the same else")}, material.entries);
    cluster = {{0, 1, 2}, {0, 1, 2, 3, 4, 5}, {}};
    for (const size_t gone : {1, 2, 3, 4}) decision.operations.push_back(remove(gone, 0));
    decision.operations.push_back(replace(0, {0}, std::string(900, 'm')));
    decision.operations.push_back(operation(Kind::add, {1}, "something else"));
    decision.operations.push_back(operation(Kind::duplicate, {2}));
    decision.operations.back().same_as_fact = 1;
  }
  Bearable bearable(RunLosses losses = {}) const { return bearable_part(losses, decision, material, cluster, {"r", 1, {}}); }

  Decision decision;
  Cluster cluster;
};

TEST_F(BearablePart, IsTheRestOfAnAnswerThatTakesTooManyEntriesOut) {
  const auto [done, refused] = bearable();
  EXPECT_THAT(done.operations, ElementsAre(decision.operations[5], decision.operations[6]));
  ASSERT_THAT(refused, SizeIs(5)) << "a merge stands or falls whole";
  for (const RefusedOperation& one : refused) EXPECT_THAT(one.why, ElementsAre(HasSubstr("4 of 20 entries out")));
}

TEST_F(BearablePart, IsEverythingThatTakesFewOut) {
  decision.operations.erase(decision.operations.begin());
  EXPECT_EQ(bearable().decision.operations, decision.operations);
  EXPECT_THAT(bearable().refused, IsEmpty());
}

TEST_F(BearablePart, CountsWhatTheRunTookOutBefore) {
  decision.operations.erase(decision.operations.begin());
  RunLosses before;
  ASSERT_TRUE(check_losses(before, losing(1, 10), material));
  EXPECT_THAT(bearable(before).refused, SizeIs(4));
}

TEST_F(BearablePart, DoesWhatTakesAwayLeastFirst) {
  decision.operations.erase(decision.operations.begin());  // three go into one
  Operation small = replace(5, {1}, std::string(300, 's'));
  material.entries.push_back(entry_of(std::string(100, 'x')));
  cluster.writable.push_back(20);
  decision.operations[4] = remove(20, 5);
  decision.operations[5] = small;
  EXPECT_THAT(bearable().decision.operations, ElementsAre(decision.operations[4], small));
}

TEST(IndependentParts, NameNoFactAndNoEntryInCommon) {
  Decision decision;
  decision.operations = {operation(Kind::add, {0}), replace(7, {1}, "x"),           operation(Kind::duplicate, {2}), remove(8, 7),
                         operation(Kind::add, {3}), operation(Kind::duplicate, {4})};
  decision.operations[2].same_as_fact = 0;
  decision.operations[5].same_as_entry = 8;
  std::vector<size_t> sizes;
  for (const Decision& part : independent_parts(decision)) sizes.push_back(part.operations.size());
  EXPECT_THAT(sizes, ElementsAre(2, 3, 1));
}

}  // namespace
}  // namespace loci
