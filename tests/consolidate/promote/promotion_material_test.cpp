#include "consolidate/promote/promotion_material.h"

#include "edits/understand.h"
#include "tests/consolidate/consolidate_fixture.h"

namespace loci {
namespace {

using PromotionMaterialTest = ConsolidateTest;

// It is believed ten minutes later; until then a rebuild may make another entry of the same facts.
TEST_F(PromotionMaterialTest, WhatALineShowedThatWasJustTakenOutIsBarredWithItsFacts) {
  const std::string fact = say("Likes tea.");
  run_builtin();
  const std::string id = entry_with("Likes tea.").id, begin = "<!-- loci:core begin -->\n", end = "<!-- loci:core end -->\n";
  write("MEMORY.md", begin + "<!--m {\"ref\":\"" + id + "\"}-->\n- Likes tea.\n" + end);
  ASSERT_TRUE(understand(*memory));
  write("MEMORY.md", begin + end);
  ASSERT_TRUE(understand(*memory));
  const auto material = read_promotion_material(memory->vault());
  ASSERT_TRUE(material);
  EXPECT_NE(std::ranges::find(material->barred, id), material->barred.end());
  EXPECT_EQ(material->barred_facts, std::vector<std::set<std::string>>{{fact}});
}

}  // namespace
}  // namespace loci
