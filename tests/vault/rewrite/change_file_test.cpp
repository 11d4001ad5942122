#include "vault/rewrite/change_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/manual_clock.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_environment.h"
#include "tests/vault/racing_person.h"

namespace loci {
namespace {

using testing::HasSubstr;

class ChangeFileTest : public testing::Test {
 protected:
  ChangeFileTest() { folder_.write("vault/notes/a.md", "one\n"); }

  Vault vault() { return *Vault::open(folder_ / "vault", environment_in(folder_), real_file_system(), clock_); }
  std::string read() const { return folder_.read("vault/notes/a.md"); }
  void save(const std::string& bytes) const { save_as(SaveStyle::rename, folder_ / "vault/notes/a.md", bytes); }

  static Result<std::string> with_two(std::string_view bytes) { return std::string(bytes) + "two\n"; }

  static constexpr const char* file = "notes/a.md";
  TemporaryFolder folder_;
  ManualClock clock_;
};

TEST_F(ChangeFileTest, PutsInPlaceWhatWasMadeOfTheFile) {
  EXPECT_TRUE(change_file(vault(), file, with_two).value());
  EXPECT_EQ(read(), "one\ntwo\n");
}

TEST_F(ChangeFileTest, WritesNothingIfTheBytesComeBackAsTheyWere) {
  const auto inode = [&] { return std::filesystem::last_write_time(folder_ / "vault/notes/a.md"); };
  const auto before = inode();
  EXPECT_FALSE(change_file(vault(), file, [](std::string_view bytes) { return Result<std::string>(bytes); }).value());
  EXPECT_EQ(inode(), before);
}

TEST_F(ChangeFileTest, WorksOutAnewWhatSomebodySavedMeanwhile) {
  int saves = 0;
  const auto changed = change_file(vault(), file, [&](std::string_view bytes) {
    if (++saves < 5) save("save " + std::to_string(saves) + "\n");
    return with_two(bytes);
  });
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_EQ(read(), "save 4\ntwo\n");
}

TEST_F(ChangeFileTest, GivesUpOnAProgramThatSavesAllTheTime) {
  int saves = 0;
  const auto changed = change_file(vault(), file, [&](std::string_view bytes) {
    save("save " + std::to_string(++saves) + "\n");
    return with_two(bytes);
  });
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().code, ErrorCode::refused);
  EXPECT_THAT(changed.error().message, HasSubstr("was changed meanwhile"));
  EXPECT_EQ(read(), "save 5\n");
}

TEST_F(ChangeFileTest, AFileThatIsRefusedForAnotherReasonIsNotTriedAgain) {
  folder_.write("vault/.git/MERGE_HEAD", "");
  int tries = 0;
  const auto changed = change_file(vault(), file, [&](std::string_view bytes) {
    ++tries;
    return with_two(bytes);
  });
  ASSERT_FALSE(changed);
  EXPECT_THAT(changed.error().message, HasSubstr("git is in the middle of something"));
  EXPECT_EQ(tries, 1);
}

TEST_F(ChangeFileTest, WhatRefusesToChangeLeavesTheFileAsItWas) {
  const auto changed =
      change_file(vault(), file, [](std::string_view) -> Result<std::string> { return fail(ErrorCode::usage, "no"); });
  EXPECT_EQ(changed.error().code, ErrorCode::usage);
  EXPECT_EQ(read(), "one\n");
}

TEST_F(ChangeFileTest, MakesAMissingFileOnlyIfItIsToldTo) {
  EXPECT_EQ(change_file(vault(), "notes/b.md", with_two).error().code, ErrorCode::not_found);
  EXPECT_FALSE(folder_.has("vault/notes/b.md"));
  EXPECT_TRUE(change_file(vault(), "notes/b.md", with_two, IfMissing::create).value());
  EXPECT_EQ(folder_.read("vault/notes/b.md"), "two\n");
}

TEST_F(ChangeFileTest, AFileThatSomebodyMadeMeanwhileIsTakenAsItIs) {
  const auto changed = change_file(
      vault(), "notes/b.md",
      [&](std::string_view bytes) {
        if (bytes.empty()) folder_.write("vault/notes/b.md", "theirs\n");
        return with_two(bytes);
      },
      IfMissing::create);
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_EQ(folder_.read("vault/notes/b.md"), "theirs\ntwo\n");
}

}  // namespace
}  // namespace loci
