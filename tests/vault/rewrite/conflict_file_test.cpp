#include "vault/rewrite/conflict_file.h"

#include <gtest/gtest.h>

#include "tests/support/manual_clock.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_environment.h"
#include "vault/layout/ignore.h"

namespace loci {
namespace {

TEST(ConflictName, SaysWhatItConflictsWithAndWhen) {
  const Instant at = *parse_time("2026-11-21T20:14:43.999Z");
  EXPECT_EQ(conflict_name("memory.md", at, 1), "memory.loci-conflict-20261121T201443Z.md");
  EXPECT_EQ(conflict_name("memory.md", at, 2), "memory.loci-conflict-20261121T201443Z-2.md");
  EXPECT_EQ(conflict_name("a.b.markdown", at, 1), "a.b.loci-conflict-20261121T201443Z.md");
  EXPECT_EQ(conflict_name("config.toml", at, 1), "config.toml.loci-conflict-20261121T201443Z.md");
}

TEST(ConflictName, IsCutAtACharacterWhereItWouldBeTooLong) {
  std::string name;
  while (name.size() < 251) name += "ä";
  const std::string conflict = conflict_name(name + ".md", Instant{}, 1);
  EXPECT_LE(conflict.size(), 255U);
  EXPECT_GE(conflict.size(), 254U);
  EXPECT_NE(conflict.find("ä.loci-conflict-"), std::string::npos);
}

TEST(ConflictName, IsNeverIndexed) { EXPECT_EQ(classify_name(conflict_name("memory.md", Instant{}, 1)), NameClass::conflict); }

class ConflictFileTest : public testing::Test {
 protected:
  ConflictFileTest() { folder_.write("vault/notes/a.md", "theirs\n"); }

  TemporaryFolder folder_;
  ManualClock clock_;
  Vault vault_ = *Vault::open((std::filesystem::create_directories(folder_ / "vault"), folder_ / "vault"), environment_in(folder_),
                              real_file_system(), clock_);
};

TEST_F(ConflictFileTest, StandsBesideTheFileAndOverwritesNothing) {
  const auto one = write_conflict_file(vault_, "one\n", "notes/a.md"), two = write_conflict_file(vault_, "two\n", "notes/a.md");
  ASSERT_TRUE(one && two);
  EXPECT_EQ(folder_.read("vault/" + *one), "one\n");
  EXPECT_EQ(folder_.read("vault/" + *two), "two\n");
  EXPECT_EQ(folder_.read("vault/notes/a.md"), "theirs\n");
  EXPECT_TRUE(folder_.contents("vault/.loci/tmp").empty());
}

TEST_F(ConflictFileTest, MakesTheFolderAgain) {
  std::filesystem::remove_all(folder_ / "vault/notes");
  const auto made = write_conflict_file(vault_, "one\n", "notes/a.md");
  ASSERT_TRUE(made);
  EXPECT_EQ(folder_.read("vault/" + *made), "one\n");
}

TEST_F(ConflictFileTest, NeverLeavesTheVault) {
  EXPECT_EQ(write_conflict_file(vault_, "one\n", "../a.md").error().code, ErrorCode::refused);
}

}  // namespace
}  // namespace loci
