#include "consolidate/promote/lines_that_stand.h"

#include "memory/forget.h"
#include "tests/consolidate/consolidate_fixture.h"

namespace loci {
namespace {

using LinesThatStand = ConsolidateTest;

TEST_F(LinesThatStand, OnlyLinesOfEntriesThatStandAreKept) {
  say("Likes tea.");
  say("Likes cake.");
  say("Likes rum.");
  run_builtin();
  const Material before = material();
  std::vector<PromotedLine> lines;
  for (const DurableEntry& entry : before.entries) lines.push_back({entry.id, entry.text});
  ASSERT_TRUE(forget(*memory, {entry_with("Likes tea.").id}, {}));
  std::string bytes = read(file);
  bytes.replace(bytes.find("Likes cake."), 11, "Loves cake.");
  write(file, bytes);
  const auto left = lines_that_still_stand(*memory, lines, before.entries);
  ASSERT_TRUE(left);
  ASSERT_EQ(left->size(), 1u);
  EXPECT_EQ(left->front().text, "Likes rum.");
}

}  // namespace
}  // namespace loci
