#include "parser/entry_steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parser/core_file.h"
#include "parser/entry_edit.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string with(std::string file, const std::string& id, const std::string& text) {
  Metadata metadata;
  metadata.id = id;
  return insert_entry(file, metadata, text).value();
}

std::vector<std::string> ids_of(const std::vector<EntryStep>& steps) {
  std::vector<std::string> ids;
  for (const EntryStep& step : steps) ids.push_back(step.id);
  return ids;
}

const std::string start = with(with(with("# Memory\n", "a", "Tea."), "b", "Cake."), "c", "Pie.");

TEST(EntrySteps, TellWhatChangedWentAndCame) {
  std::string after = replace_entry_text(start, "a", "Green tea.").value();
  after = with(remove_entry(after, "b").value(), "d", "Bread.");
  EXPECT_THAT(ids_of(steps_between(start, after)), ElementsAre("a", "b", "d"));
  EXPECT_THAT(steps_between(start, start), IsEmpty());
  EXPECT_EQ(apply_steps(start, steps_between(start, after))->bytes, after);
}

TEST(EntrySteps, AreMadeInAFileThatSomebodyEditedSince) {
  std::string after = replace_entry_text(start, "a", "Green tea.").value();
  after = with(remove_entry(after, "b").value(), "d", "Bread.");
  const std::string edited = "Mine.\n\n" + replace_entry_text(start, "c", "Apple pie.").value();
  const auto stepped = apply_steps(edited, steps_between(start, after));
  ASSERT_TRUE(stepped) << stepped.error().message;
  EXPECT_EQ(stepped->bytes, "Mine.\n\n" + replace_entry_text(after, "c", "Apple pie.").value());
  EXPECT_THAT(stepped->done, ElementsAre("a", "b", "d"));
  EXPECT_THAT(stepped->kept, IsEmpty());
  EXPECT_EQ(apply_steps(stepped->bytes, steps_between(after, start))->bytes.substr(0, 5), "Mine.");
}

TEST(EntrySteps, PutALineThatShowsAnEntryBetweenTheMarkersOfTheCore) {
  const std::string before = "Mine.\n\n<!-- loci:core begin -->\n<!-- loci:core end -->\n";
  const std::string after = replace_core_lines(before, {}, {{"c-1", "Tea."}, {"c-2", "Cake."}}).value();
  const std::string edited = replace_core_lines(before, {}, {{"c-3", "Pie."}}).value() + "\nMine, too.\n";
  const auto stepped = apply_steps(edited, steps_between(before, after));
  ASSERT_TRUE(stepped) << stepped.error().message;
  EXPECT_EQ(stepped->bytes, replace_core_lines(edited, {}, {{"c-1", "Tea."}, {"c-2", "Cake."}}).value());
  EXPECT_EQ(apply_steps(stepped->bytes, steps_between(after, before))->bytes, edited);
}

TEST(EntrySteps, BringBackAPersonsWordsAsTheirs) {
  std::string typed = start;
  typed.replace(typed.find("Tea."), 4, "Green tea.");  // the sum is still that of what stood there
  const std::string filed = replace_entry_text(typed, "a", "Green tea.").value();
  ASSERT_NE(filed, typed);
  const auto stepped = apply_steps("Mine.\n\n" + filed, steps_between(filed, typed));
  ASSERT_TRUE(stepped) << stepped.error().message;
  EXPECT_EQ(stepped->bytes, "Mine.\n\n" + typed);
}

TEST(EntrySteps, LeaveWhatSomebodyEditedSinceAsItIs) {
  const std::string after = replace_entry_text(start, "a", "Green tea.").value();
  const std::string edited = replace_entry_text(start, "a", "Black tea.").value();
  const auto stepped = apply_steps(edited, steps_between(start, after));
  ASSERT_TRUE(stepped);
  EXPECT_EQ(stepped->bytes, edited);
  EXPECT_THAT(stepped->kept, ElementsAre("a"));
}

TEST(EntrySteps, MadeTwiceAreMadeOnce) {
  const std::string after = with(remove_entry(start, "b").value(), "d", "Bread.");
  const auto steps = steps_between(start, after);
  const auto again = apply_steps(after, steps);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->bytes, after);
  EXPECT_THAT(again->done, ElementsAre("b", "d"));
}

TEST(EntrySteps, RefuseAFileThatIsNotUtf8) {
  const auto stepped = apply_steps(start + "caf\xe9\n", steps_between(start, remove_entry(start, "b").value()));
  ASSERT_FALSE(stepped);
  EXPECT_EQ(stepped.error().code, ErrorCode::refused);
}

}  // namespace
}  // namespace loci
