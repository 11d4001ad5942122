#include "vault/replace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>
#include <functional>

#include "tests/support/faulty_file_system.h"
#include "tests/support/interrupting_file_system.h"
#include "tests/support/manual_clock.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_environment.h"

namespace loci {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class ReplaceTest : public testing::Test {
 protected:
  ReplaceTest() { folder_.write("vault/notes/a.md", "old\n"); }

  Vault vault(FileSystem& files = real_file_system()) {
    return *Vault::open(folder_ / "vault", environment_in(folder_), files, clock_);
  }
  std::string read() const { return folder_.read("vault/notes/a.md"); }
  std::map<std::string, std::string> left_over() const { return folder_.contents("vault/.loci/tmp"); }

  static constexpr const char* file = "notes/a.md";
  TemporaryFolder folder_;
  ManualClock clock_;
};

TEST_F(ReplaceTest, PutsNewBytesInPlaceAndKeepsTheMode) {
  std::filesystem::permissions(folder_ / "vault/notes/a.md", std::filesystem::perms(0640));
  ASSERT_TRUE(replace_file(vault(), file, "old\n", "new\n"));
  EXPECT_EQ(read(), "new\n");
  EXPECT_EQ(std::filesystem::status(folder_ / "vault/notes/a.md").permissions(), std::filesystem::perms(0640));
  EXPECT_THAT(left_over(), IsEmpty());
}

TEST_F(ReplaceTest, RefusesAFileThatIsNotWhatWasRead) {
  const auto replaced = replace_file(vault(), file, "older\n", "new\n");
  ASSERT_FALSE(replaced);
  EXPECT_EQ(replaced.error().code, ErrorCode::refused);
  EXPECT_THAT(replaced.error().message, HasSubstr("notes/a.md was changed meanwhile"));
  EXPECT_EQ(read(), "old\n");
  EXPECT_THAT(left_over(), IsEmpty());
}

TEST_F(ReplaceTest, RefusesAFileThatIsNotThere) {
  EXPECT_EQ(replace_file(vault(), "notes/b.md", "old\n", "new\n").error().code, ErrorCode::refused);
  EXPECT_FALSE(folder_.has("vault/notes/b.md"));
}

TEST_F(ReplaceTest, RefusesWhatLeadsOutOfTheVault) {
  folder_.write("outside/a.md", "old\n");
  std::filesystem::create_symlink(folder_ / "outside/a.md", folder_ / "vault/link.md");
  std::filesystem::create_directory_symlink(folder_ / "outside", folder_ / "vault/linked");
  const std::vector<std::string> paths = {"link.md", "linked/a.md", "../outside/a.md", (folder_ / "outside/a.md").string()};
  for (const std::string& relative : paths) {
    EXPECT_EQ(replace_file(vault(), relative, "old\n", "new\n").error().code, ErrorCode::refused) << relative;
    EXPECT_EQ(create_file(vault(), relative, "new\n").error().code, ErrorCode::refused) << relative;
  }
  EXPECT_EQ(create_file(vault(), "linked/new.md", "new\n").error().code, ErrorCode::refused);
  EXPECT_EQ(folder_.contents("outside").size(), 1U);
  EXPECT_EQ(folder_.read("outside/a.md"), "old\n");
}

TEST_F(ReplaceTest, FollowsALinkInsideTheVault) {
  std::filesystem::create_symlink("notes/a.md", folder_ / "vault/link.md");
  ASSERT_TRUE(replace_file(vault(), "link.md", "old\n", "new\n"));
  EXPECT_EQ(read(), "new\n");
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "vault/link.md"));
}

TEST_F(ReplaceTest, RefusesWhileGitIsInTheMiddleOfSomething) {
  for (const std::string marker :
       {"MERGE_HEAD", "rebase-merge/x", "rebase-apply/x", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_LOG", "index.lock"}) {
    folder_.write(".git/HEAD", "x");  // the vault may be a folder of a larger repository
    folder_.write(".git/" + marker, "x");
    const auto replaced = replace_file(vault(), file, "old\n", "new\n");
    ASSERT_FALSE(replaced) << marker;
    EXPECT_EQ(replaced.error().code, ErrorCode::refused);
    EXPECT_THAT(replaced.error().message, HasSubstr("git"));
    std::filesystem::remove_all(folder_ / ".git");
  }
  folder_.write("vault/.git/HEAD", "x");
  EXPECT_TRUE(replace_file(vault(), file, "old\n", "new\n"));
}

TEST_F(ReplaceTest, AWorktreesGitFolderIsFollowed) {
  folder_.write("vault/.git", "gitdir: ../repository/worktrees/one\n");
  folder_.write("repository/worktrees/one/HEAD", "x");
  ASSERT_TRUE(replace_file(vault(), file, "old\n", "older\n"));
  folder_.write("repository/worktrees/one/MERGE_HEAD", "x");
  EXPECT_EQ(replace_file(vault(), file, "older\n", "new\n").error().code, ErrorCode::refused);
}

TEST_F(ReplaceTest, CreatesANewFileForItsOwnerAndNeverOverwrites) {
  ASSERT_TRUE(create_file(vault(), "deep/er/b.md", "one\n"));
  EXPECT_EQ(folder_.read("vault/deep/er/b.md"), "one\n");
  EXPECT_EQ(std::filesystem::status(folder_ / "vault/deep/er/b.md").permissions(), std::filesystem::perms(0600));
  EXPECT_EQ(create_file(vault(), "deep/er/b.md", "two\n").error().code, ErrorCode::refused);
  EXPECT_EQ(folder_.read("vault/deep/er/b.md"), "one\n");
  EXPECT_THAT(left_over(), IsEmpty());
}

TEST_F(ReplaceTest, ALongNameCanBeReplaced) {
  const std::string name = std::string(252, 'n') + ".md";
  ASSERT_TRUE(create_file(vault(), name, "one"));
  EXPECT_TRUE(replace_file(vault(), name, "one", "two"));
}

// --- faults ---

TEST_F(ReplaceTest, ACallThatFailsLeavesTheOldOrTheNewAndNothingHalf) {
  const struct {
    const char* name;
    std::function<Status(const Vault&)> write;
  } writes[] = {{"replace", [](const Vault& vault) { return replace_file(vault, file, "old\n", "new\n"); }},
                {"create", [](const Vault& vault) { return create_file(vault, "notes/b.md", "new\n"); }}};
  for (const auto& [name, write] : writes)
    for (const int error : {ENOSPC, EIO})
      for (size_t number = 0, calls = 1; number < calls; ++number) {
        folder_.write("vault/notes/a.md", "old\n");
        std::filesystem::remove(folder_ / "vault/notes/b.md");
        FaultyFileSystem files;
        const Vault faulty = vault(files);
        files.fail_call(number, error);
        const auto written = write(faulty);
        calls = files.calls().size();
        const std::string context = std::string(name) + ", call " + files.calls().at(number);
        const auto notes = folder_.contents("vault/notes");
        EXPECT_THAT(notes.at("vault/notes/a.md"), testing::AnyOf("old\n", "new\n")) << context;
        EXPECT_TRUE(!notes.contains("vault/notes/b.md") || notes.at("vault/notes/b.md") == "new\n") << context;
        const bool only_cleaning_up = files.calls().at(number).starts_with("remove");
        EXPECT_TRUE(!written || only_cleaning_up) << context;
        EXPECT_TRUE(written || !written.error().message.empty()) << context;
      }
}

TEST_F(ReplaceTest, APersonsSaveAtAnyMomentWins) {
  ASSERT_TRUE(replace_file(vault(), file, "old\n", "old\n"));  // makes .loci
  for (const bool by_renaming : {false, true})
    for (size_t number = 0, calls = 1; number < calls; ++number) {
      folder_.write("vault/notes/a.md", "old\n");
      InterruptingFileSystem files([&](size_t call, const std::string&) {
        if (call != number) return;
        folder_.write(by_renaming ? "vault/notes/.a.md.new" : "vault/notes/a.md", "a person's\n");
        if (by_renaming) std::filesystem::rename(folder_ / "vault/notes/.a.md.new", folder_ / "vault/notes/a.md");
      });
      const auto replaced = replace_file(vault(files), file, "old\n", "new\n");
      calls = files.calls();
      EXPECT_EQ(read(), "a person's\n") << number;
      EXPECT_THAT(left_over(), IsEmpty()) << number;
      (void)replaced;
    }
}

TEST_F(ReplaceTest, AFileThatAnEditorTakesAwayForAMomentIsRefused) {
  for (size_t number = 0, calls = 1; number < calls; ++number) {
    folder_.write("vault/notes/a.md", "old\n");
    std::filesystem::remove(folder_ / "vault/notes/a.md~");
    InterruptingFileSystem files([&](size_t call, const std::string&) {
      if (call != number) return;
      std::error_code ignored;
      std::filesystem::rename(folder_ / "vault/notes/a.md", folder_ / "vault/notes/a.md~", ignored);
    });
    const auto replaced = replace_file(vault(files), file, "old\n", "new\n");
    calls = files.calls();
    if (!replaced) {
      EXPECT_EQ(replaced.error().code, ErrorCode::refused) << number;
      EXPECT_FALSE(folder_.has("vault/notes/a.md")) << number;
      EXPECT_EQ(folder_.read("vault/notes/a.md~"), "old\n") << number;
    }
  }
}

}  // namespace
}  // namespace loci
