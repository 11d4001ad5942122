#include "edits/core_place.h"

#include "tests/edits/edits_fixture.h"
#include "vault/logs/chronicle.h"

namespace loci {
namespace {

constexpr const char* core = "MEMORY.md";

std::string line_of(const std::string& ref, const std::string& text) {
  return "<!--m {\"ref\":\"" + ref + "\"}-->\n- " + text + "\n";
}

std::string core_of(const std::string& lines) {
  return "# Memory\n\nMine.\n\n<!-- loci:core begin -->\n" + lines + "<!-- loci:core end -->\n\nAnd this.\n";
}

class CorePlaceTest : public EditsTest {
 protected:
  CorePlaceTest() {
    save(file, numbered(3));
    save(core, core_of(""));
  }

  bool is_demoted(const std::string& id) { return Chronicle::read(memory->vault()).value().is_demoted(id); }

  ErrorCode why_not_promoted(const std::string& id) {
    const auto placed = promote(*memory, id);
    return placed ? ErrorCode::usage : placed.error().code;
  }
};

TEST_F(CorePlaceTest, WhatIsPromotedStandsBehindTheOtherLinesAndFollowsItsEntry) {
  ASSERT_TRUE(promote(*memory, "e2"));
  ASSERT_TRUE(promote(*memory, "e1"));
  EXPECT_EQ(read(core), core_of(line_of("e2", "fact number 2") + line_of("e1", "fact number 1")));
  const Understood observed = settle();
  EXPECT_TRUE(observed.demoted.empty() && observed.corrected.empty());
  EXPECT_TRUE(stands_in_core(memory->vault(), "e1").value());
  EXPECT_FALSE(stands_in_core(memory->vault(), "e3").value());
}

TEST_F(CorePlaceTest, WhatIsDemotedGoesAndItsEntryStays) {
  ASSERT_TRUE(promote(*memory, "e1"));
  ASSERT_TRUE(promote(*memory, "e2"));
  ASSERT_TRUE(demote(*memory, "e1"));
  EXPECT_EQ(read(core), core_of(line_of("e2", "fact number 2")));
  EXPECT_TRUE(is_demoted("e1"));
  EXPECT_TRUE(find_entry(*memory, "e1"));
  settle();
  EXPECT_EQ(read(core), core_of(line_of("e2", "fact number 2")));
}

TEST_F(CorePlaceTest, APersonsOwnWordingIsDemotedToo) {
  save(core, core_of(line_of("e1", "fact number 1")));
  ASSERT_TRUE(demote(*memory, "e1"));
  EXPECT_EQ(read(core), core_of(""));
  EXPECT_TRUE(is_demoted("e1"));
}

TEST_F(CorePlaceTest, WhatWasDemotedIsPromotedAgain) {
  ASSERT_TRUE(promote(*memory, "e1"));
  ASSERT_TRUE(demote(*memory, "e1"));
  ASSERT_TRUE(promote(*memory, "e1"));
  EXPECT_FALSE(is_demoted("e1"));
  EXPECT_EQ(read(core), core_of(line_of("e1", "fact number 1")));
}

TEST_F(CorePlaceTest, WhatCannotStandThereIsRefusedAndChangesNothing) {
  save("note.md", "A note of my own.\n");
  write(".loci/config.toml", "[consolidation]\nmemory_max_lines = 2\n");
  restart();
  ASSERT_TRUE(promote(*memory, "e1"));
  const std::string before = read(core);
  EXPECT_EQ(why_not_promoted("e1"), ErrorCode::refused);  // it stands there
  EXPECT_EQ(why_not_promoted(id_of(*memory, "A note of my own.")), ErrorCode::refused);
  EXPECT_EQ(why_not_promoted("nobody"), ErrorCode::not_found);
  EXPECT_EQ(demote(*memory, "e2").error().code, ErrorCode::refused);
  EXPECT_EQ(read(core), before);
  ASSERT_TRUE(promote(*memory, "e2"));
  EXPECT_EQ(why_not_promoted("e3"), ErrorCode::refused);  // two lines are all there may be
}

TEST_F(CorePlaceTest, WhatMayNotBeSentIsNotPutIntoEveryPrompt) {
  write(".loci/config.toml", "[privacy]\nnever_send = [\"consolidated/**\"]\n");
  restart();
  EXPECT_EQ(why_not_promoted("e1"), ErrorCode::refused);
  EXPECT_EQ(read(core), core_of(""));
}

TEST_F(CorePlaceTest, WithoutMarkersThereIsNoPlace) {
  save(core, "Mine alone.\n");
  EXPECT_EQ(why_not_promoted("e1"), ErrorCode::refused);
  EXPECT_EQ(read(core), "Mine alone.\n");
}

TEST_F(CorePlaceTest, WhatStandsBetweenGitsMarkersIsNotDemoted) {
  const std::string bytes =
      core_of("<<<<<<< HEAD\n" + line_of("e1", "fact number 1") + "=======\n" + line_of("e2", "fact number 2") + ">>>>>>> other\n");
  save(core, bytes);
  const auto demoted = demote(*memory, "e1");
  ASSERT_FALSE(demoted);
  EXPECT_EQ(demoted.error().code, ErrorCode::refused);
  EXPECT_EQ(read(core), bytes);
  EXPECT_FALSE(is_demoted("e1"));
}

}  // namespace
}  // namespace loci
