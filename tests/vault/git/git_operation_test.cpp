#include "vault/git/git_operation.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/support/temporary_folder.h"

namespace loci {
namespace {

// With the real git: what it writes is what counts.
class GitOperationTest : public testing::Test {
 protected:
  GitOperationTest() {
    std::filesystem::create_directories(folder_ / "vault");
    git("init -q -b main .");
  }

  void git(const std::string& command) const { git_in("vault", command); }
  void git_in(const std::string& where, const std::string& command) const {
    const std::string line = "cd '" + (folder_ / where).string() +
                             "' && GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 git -c user.name=a -c user.email=a@b " +
                             command;
    ASSERT_EQ(std::system(line.c_str()), 0) << line;
  }
  void commit(const std::string& bytes) const {
    folder_.write("vault/a.md", bytes);
    git("add a.md");
    git("commit -q -m x");
  }
  std::string head(const std::string& where = "vault") const { return git_head_around(folder_ / where); }

  TemporaryFolder folder_;
};

TEST_F(GitOperationTest, TheHeadIsTheCommitThatIsCheckedOut) {
  EXPECT_EQ(head(), "refs/heads/main");
  commit("one\n");
  const std::string first = head();
  EXPECT_EQ(first.size(), 40U);
  commit("two\n");
  const std::string second = head();
  EXPECT_NE(second, first);
  git("pack-refs --all");
  EXPECT_EQ(head(), second);
  git("checkout -q --detach HEAD~1");
  EXPECT_EQ(head(), first);
  git("checkout -q main");
  EXPECT_EQ(head(), second);
}

TEST_F(GitOperationTest, AWorktreeHasAHeadAndOperationsOfItsOwn) {
  commit("one\n");
  git("worktree add -q -b other ../other");
  const std::string first = head();
  EXPECT_EQ(head("other"), first);
  folder_.write("other/a.md", "two\n");
  git_in("other", "commit -q -a -m x");
  EXPECT_EQ(head(), first);
  EXPECT_NE(head("other"), first);
  git("pack-refs --all");
  EXPECT_NE(head("other"), first);
  EXPECT_EQ(head("other").size(), 40U);
  folder_.write("vault/.git/worktrees/other/index.lock", "");
  EXPECT_EQ(git_operation_around(folder_ / "other")->marker, "index.lock");
  EXPECT_FALSE(git_operation_around(folder_ / "vault"));
}

TEST_F(GitOperationTest, WithoutARepositoryThereIsNoHead) {
  std::filesystem::remove_all(folder_ / "vault/.git");
  EXPECT_EQ(head(), "");
  EXPECT_EQ(git_moves_around(folder_ / "vault"), "");
}

TEST_F(GitOperationTest, GitMovesWhenItPutsOtherFilesThereAndNotWhenItIsAskedOrTold) {
  commit("one\n");
  folder_.write("vault/a.md", "two\n");
  std::string before = git_moves_around(folder_ / "vault");
  for (const std::string command :
       {"status --porcelain >/dev/null", "add a.md", "restore --staged a.md", "restore a.md", "pack-refs --all"}) {
    git(command);
    EXPECT_EQ(git_moves_around(folder_ / "vault"), before) << command;
  }
  for (const std::string command : {"reset -q --hard", "commit -q --allow-empty -m x", "checkout -q -b topic"}) {
    git(command);
    EXPECT_NE(git_moves_around(folder_ / "vault"), before) << command;
    before = git_moves_around(folder_ / "vault");
  }
  folder_.write("vault/a.md", "two\n");
  git("stash -q");
  EXPECT_NE(git_moves_around(folder_ / "vault"), before);
}

}  // namespace
}  // namespace loci
