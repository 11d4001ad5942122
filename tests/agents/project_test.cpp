#include "agents/project.h"

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace loci {
namespace {

TEST(Project, ItIsTheFolderOfTheWorkTreeAround) {
  TemporaryFolder folder;
  folder.write("home/code/loom/.git/HEAD", "ref: refs/heads/main\n");
  folder.write("home/code/loom/src/deep/a.c", "");
  EXPECT_EQ(project_around(folder / "home/code/loom/src/deep", folder / "home"), "loom");
  EXPECT_EQ(project_around(folder / "home/code/loom", folder / "home"), "loom");
  EXPECT_EQ(project_around(folder / "home/code", folder / "home"), "");
  EXPECT_EQ(project_around(folder / "nowhere", folder / "home"), "");
}

TEST(Project, ALinkedWorkTreeIsOfTheMainOnesProject) {
  TemporaryFolder folder;
  folder.write("code/loom/.git/worktrees/fix/HEAD", "");
  folder.write("trees/fix/.git", "gitdir: " + (folder / "code/loom/.git/worktrees/fix").string() + "\n");
  folder.write("trees/sub/.git", "gitdir: ../../code/loom/.git/modules/sub\n");
  EXPECT_EQ(project_around(folder / "trees/fix", folder / "home"), "loom");
  EXPECT_EQ(project_around(folder / "trees/sub", folder / "home"), "sub");
}

TEST(Project, AHomeFolderUnderVersionControlIsNoProject) {
  TemporaryFolder folder;
  folder.write("home/.git/HEAD", "");
  folder.write("home/notes/a.md", "");
  EXPECT_EQ(project_around(folder / "home/notes", folder / "home"), "");
  EXPECT_EQ(project_around(folder / "home", folder / "home"), "");
}

}  // namespace
}  // namespace loci
