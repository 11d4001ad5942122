#include "consolidate/promote/promotion_material.h"

#include "edits/understand.h"
#include "memory/vault_logs.h"
#include "tests/consolidate/consolidate_fixture.h"

namespace loci {
namespace {

using PromotionMaterialTest = ConsolidateTest;

// It is believed ten minutes later; until then a rebuild may make another entry of the same facts, and a person reword that.
TEST_F(PromotionMaterialTest, WhatALineShowedThatWasJustTakenOutIsBarredUnderEveryName) {
  const std::string fact = say("Likes tea.");
  run_builtin();
  const std::string id = entry_with("Likes tea.").id, begin = "<!-- loci:core begin -->\n", end = "<!-- loci:core end -->\n";
  write("MEMORY.md", begin + "<!--m {\"ref\":\"" + id + "\"}-->\n- Likes tea.\n" + end);
  ASSERT_TRUE(understand(*memory));
  write("MEMORY.md", begin + end);
  ASSERT_TRUE(understand(*memory));
  const auto settle = [&](const std::string& run, const std::string& one, const std::string& entry) {
    clock.advance(std::chrono::seconds(1));
    const LedgerEntry line{
        1, run, clock.now(), one, std::string(32, 'a'), LedgerEntry::Outcome::added, entry, std::string(32, 'a'), {}, {}};
    ASSERT_TRUE(append_ledger(memory->vault(), {line}));
  };
  settle("rebuild", fact, "anew");
  settle("filed", "f-filed", "anew");
  settle("earlier", "f-else", "another");
  settle("rebuild", fact, "another");
  const auto material = read_promotion_material(memory->vault());
  ASSERT_TRUE(material);
  const auto is_barred = [&](const std::string& entry) {
    return std::ranges::find(material->barred, entry) != material->barred.end();
  };
  EXPECT_TRUE(is_barred(id));
  EXPECT_TRUE(is_barred("anew"));
  EXPECT_FALSE(is_barred("another"));
}

}  // namespace
}  // namespace loci
