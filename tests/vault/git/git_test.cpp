#include "vault/git/git.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>

#include "tests/support/temporary_folder.h"
#include "vault/git/git_operation.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using Texts = std::set<std::string>;

// With the real git. The vault lies below the root of its repository.
class GitTest : public testing::Test {
 protected:
  GitTest() {
    std::filesystem::create_directories(folder_ / "repository/notes");
    git("init -q -b main .");
  }

  void git_in(const std::string& where, const std::string& command) const {
    const std::string line = "cd '" + (folder_ / where).string() +
                             "' && GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 git -c user.name=a -c user.email=a@b " +
                             command;
    ASSERT_EQ(std::system(line.c_str()), 0) << line;
  }
  void git(const std::string& command) const { git_in("repository", command); }
  void write(const std::string& file, const std::string& bytes) const { folder_.write("repository/notes/" + file, bytes); }
  std::string commit(const std::string& file, const std::string& bytes) const {
    write(file, bytes);
    git("add -A");
    git("commit -q -m x");
    return head();
  }
  std::string head() const { return git_head_around(root_); }
  GitPosition position() { return git_.position().value().value(); }
  Texts held(const Texts& texts, const std::string& since = {}) {
    return git_.held(texts, since).value_or(Texts{"cannot be asked"});
  }
  void hostile_program(const std::string& name) const {
    folder_.write(name, "#!/bin/sh\ntouch '" + (folder_ / "was-run").string() + "'\ncat\n");
    ASSERT_EQ(::chmod((folder_ / name).c_str(), 0700), 0);
  }

  TemporaryFolder folder_;
  path root_ = folder_ / "repository/notes";
  Git git_{root_};
};

TEST_F(GitTest, WhereItStandsIsTheBranchTheCommitAndTheStash) {
  EXPECT_EQ(position(), (GitPosition{"refs/heads/main", "", ""}));
  const std::string first = commit("a.md", "one\n");
  EXPECT_EQ(first.size(), 40U);
  EXPECT_EQ(position(), (GitPosition{"refs/heads/main", first, ""}));
  git("checkout -q -b topic");
  const std::string second = commit("a.md", "two\n");
  EXPECT_EQ(position(), (GitPosition{"refs/heads/topic", second, ""}));
  git("checkout -q --detach main");
  EXPECT_EQ(position(), (GitPosition{"", first, ""}));
  write("a.md", "three\n");
  git("stash -q");
  EXPECT_EQ(position().stash.size(), 40U);
  git("stash drop -q");
  git("checkout -q topic");
  git("pack-refs --all");
  EXPECT_EQ(position(), (GitPosition{"refs/heads/topic", second, ""}));
}

TEST_F(GitTest, WithoutARepositoryNothingIsHeldAndThereIsNoPosition) {
  std::filesystem::remove_all(folder_ / "repository/.git");
  EXPECT_FALSE(git_.position().value());
  EXPECT_THAT(held({"one"}), IsEmpty());
  EXPECT_FALSE(git_.has_file("a.md").value());
  EXPECT_EQ(git_.file_at("HEAD", "a.md").error().code, ErrorCode::not_found);
  EXPECT_EQ(git_fingerprint_around(root_), "");
}

TEST_F(GitTest, TheFingerprintChangesWithWhatGitDoesAndNotWithWhatAPersonDoes) {
  std::set<std::string> seen;
  const auto is_new = [&] { return seen.insert(git_fingerprint_around(root_)).second; };
  commit("a.md", "one\n");
  EXPECT_TRUE(is_new());
  write("a.md", "two\n");
  EXPECT_FALSE(is_new());
  git("stash -q");
  EXPECT_TRUE(is_new());
  git("stash pop -q");
  EXPECT_TRUE(is_new());
  git("add -A");
  EXPECT_TRUE(is_new());
  git("commit -q -m x");
  EXPECT_TRUE(is_new());
  git("checkout -q -b other");
  EXPECT_TRUE(is_new());
  git("pack-refs --all");
  EXPECT_TRUE(is_new());
  (void)position();
  (void)held({"one"});
  EXPECT_FALSE(is_new());
}

TEST_F(GitTest, AncestorsAndMergeBases) {
  const std::string first = commit("a.md", "one\n");
  const std::string second = commit("a.md", "two\n");
  git("checkout -q -b topic " + first);
  const std::string third = commit("a.md", "three\n");
  EXPECT_EQ(git_.merge_base(second, third).value(), first);
  EXPECT_TRUE(git_.is_ancestor(first, third).value());
  EXPECT_FALSE(git_.is_ancestor(second, third).value());
  EXPECT_TRUE(git_.is_ancestor("refs/heads/topic", third).value());
  EXPECT_FALSE(git_.is_ancestor("refs/heads/topic", second).value());
  git("checkout -q --orphan alone");
  git("commit -q -m x");
  EXPECT_EQ(git_.merge_base(second, head()).value(), std::nullopt);
}

TEST_F(GitTest, ACommitThatIsNotThereIsNotToldAsANo) {
  const std::string first = commit("a.md", "one\n"), none(40, '1');
  EXPECT_EQ(git_.merge_base(first, none).error().code, ErrorCode::not_found);
  EXPECT_EQ(git_.is_ancestor(none, first).error().code, ErrorCode::not_found);
  EXPECT_EQ(git_.file_at(none, "a.md").error().code, ErrorCode::not_found);
  EXPECT_EQ(git_.files_between(first, none).error().code, ErrorCode::not_found);
  EXPECT_EQ(git_.file_at("--help", "a.md").error().code, ErrorCode::usage);
}

TEST_F(GitTest, AFileAtACommitIsNamedAsInTheVault) {
  write(":odd *.md", "odd\n");
  ASSERT_EQ(::symlink("a.md", (root_ / "link.md").c_str()), 0);
  const std::string first = commit("a.md", "one\n");
  const std::string second = commit("a.md", "two\n");
  EXPECT_EQ(git_.file_at(first, "a.md").value(), "one\n");
  EXPECT_EQ(git_.file_at(second, "a.md").value(), "two\n");
  EXPECT_EQ(git_.file_at("HEAD", "a.md").value(), "two\n");
  EXPECT_EQ(git_.file_at(first, ":odd *.md").value(), "odd\n");
  for (const char* none : {"b.md", "notes/a.md", "link.md", "*.md"})
    EXPECT_EQ(git_.file_at(first, none).value(), std::nullopt) << none;
}

TEST_F(GitTest, TheFilesBetweenTwoCommitsAreThoseOfTheVault) {
  const std::string first = commit("a.md", "one\n");
  write("b \"quoted\".md", "b\n");
  folder_.write("repository/outside.md", "outside\n");
  std::filesystem::rename(root_ / "a.md", root_ / "c.md");
  const std::string second = commit("d.md", "d\n");
  EXPECT_THAT(git_.files_between(first, second).value(), UnorderedElementsAre("a.md", "b \"quoted\".md", "c.md", "d.md"));
  EXPECT_THAT(git_.files_between(second, second).value(), IsEmpty());
}

TEST_F(GitTest, WhatGitHoldsIsFoundWhereverItIs) {
  const std::string start = commit("a.md", "start\n");
  commit("a.md", "start\ncommitted\n");
  commit("a.md", "start\ncommitted\nreset\n");
  git("reset -q --hard HEAD~1");
  git("checkout -q -b topic");
  commit("day.md", "branched\n");
  git("checkout -q main");
  write("a.md", "start\ncommitted\nstashed\n");
  git("stash -q");
  write("a.md", "start\ncommitted\nstashed later\n");
  git("stash -q");
  write("a.md", "start\ncommitted\nstaged\n");
  git("add -A");
  write("a.md", "start\ncommitted\ntyped\n");
  const Texts all = {"committed", "reset", "branched", "stashed", "stashed later", "staged", "typed"};
  const Texts kept = {"committed", "reset", "branched", "stashed", "stashed later", "staged"};
  EXPECT_EQ(held(all), kept);
  EXPECT_EQ(held(all, start), kept);
  EXPECT_EQ(held(all, std::string(40, '1')), kept) << "a commit that is gone leaves nothing out";
  EXPECT_THAT(held({"committed", "reset"}, head()), ElementsAre("reset")) << "what stood there before need not be looked through";
  git("stash clear");
  git("reset -q");
  EXPECT_THAT(held({"stashed", "staged"}), IsEmpty());
}

TEST_F(GitTest, WhatOnlyTheResultOfAMergeHasIsHeld) {
  const std::string start = commit("a.md", "start\n");
  git("checkout -q -b topic");
  commit("b.md", "b\n");
  git("checkout -q main");
  commit("c.md", "c\n");
  git("merge -q --no-commit topic");
  commit("a.md", "start\nadded while it merged\n");
  EXPECT_THAT(held({"added while it merged"}, start), ElementsAre("added while it merged"));
}

TEST_F(GitTest, AnIndexBeforeTheFirstCommitIsAskedToo) {
  write("a.md", "staged\n");
  EXPECT_THAT(held({"staged"}), IsEmpty());
  git("add -A");
  EXPECT_THAT(held({"staged"}), ElementsAre("staged"));
}

TEST_F(GitTest, TextsAreTakenLiterallyAndFilesThatAreNoneOfOursAreLeftOut) {
  const std::string hard = R"({"id":"a.b-c_1","x":[1]} (a|b)* ^$ \ ?+)";
  write("data.txt", "only here\n");
  folder_.write("repository/outside.md", "only outside\n");
  commit("deep/er/a.md", "begin " + hard + " end\n");
  EXPECT_THAT(held({hard, R"({"id":"a_b-c_1")", "only here", "only outside"}), ElementsAre(hard));
}

TEST_F(GitTest, ManyTextsAreAskedForInParts) {
  Texts many;
  std::string bytes;
  for (int i = 0; i < 1'200; ++i) {
    const std::string text = "number " + std::to_string(i) + ";";
    many.insert(text);
    if (i % 3 == 0) (bytes += text) += '\n';
  }
  commit("a.md", bytes);
  EXPECT_EQ(held(many).size(), 400U);
}

TEST_F(GitTest, OursIsWhatWasMadeHereWhateverGitCallsIt) {
  const std::string first = commit("a.md", "base\n");
  git("checkout -q -b elsewhere");
  const std::string theirs = commit("a.md", "theirs\n");
  git("checkout -q main");
  commit("a.md", "ours\n");
  const auto said_of = [&](const char* what) {
    const auto stages = git_.unmerged().value().at("a.md");
    EXPECT_EQ(git_.bytes_of(*stages.ours).value(), "ours\n") << what;
    EXPECT_EQ(git_.bytes_of(*stages.theirs).value(), "theirs\n") << what;
    EXPECT_EQ(git_.bytes_of(*stages.base).value(), "base\n") << what;
  };
  const auto left_open = [&](const std::string& command) { git(command + " >/dev/null 2>&1 || true"); };
  left_open("merge elsewhere");
  said_of("merge");
  git("merge --abort");
  left_open("cherry-pick elsewhere");
  said_of("cherry-pick");
  git("cherry-pick --abort");
  left_open("rebase elsewhere");
  said_of("rebase");
  git("rebase --abort");
  left_open("merge --squash elsewhere");
  said_of("squash");
  git("reset -q --hard " + first);
  write("a.md", "ours\n");
  git("stash -q");
  git("reset -q --hard " + theirs);
  left_open("stash pop");
  said_of("stash pop");
}

TEST_F(GitTest, AFileThatGitEverHadIsKnown) {
  commit("gone.md", "one\n");
  git("rm -q notes/gone.md");
  commit("a.md", "a\n");
  write("staged.md", "staged\n");
  git("add -A");
  write("new.md", "new\n");
  EXPECT_TRUE(git_.has_file("gone.md").value());
  EXPECT_TRUE(git_.has_file("a.md").value());
  EXPECT_TRUE(git_.has_file("staged.md").value());
  EXPECT_FALSE(git_.has_file("new.md").value());
}

TEST_F(GitTest, AWorktreeIsAPlaceOfItsOwnAndHoldsWhatAllHave) {
  const std::string first = commit("a.md", "one\n");
  git("worktree add -q -b other ../other");
  Git other(folder_ / "other/notes");
  EXPECT_EQ(other.position().value(), (GitPosition{"refs/heads/other", first, ""}));
  commit("a.md", "one\nmain only\n");
  EXPECT_EQ(other.position().value()->commit, first);
  EXPECT_THAT(other.held({"main only"}, first).value(), ElementsAre("main only"));
  folder_.write("repository/.git/worktrees/other/index.lock", "");
  EXPECT_EQ(other.held({"main only"}, first).error().code, ErrorCode::locked);
  EXPECT_TRUE(git_.held({"main only"}, first));
}

TEST_F(GitTest, ARepositoryOfSha256IsLikeAnyOther) {
  std::filesystem::remove_all(folder_ / "repository/.git");
  git("init -q -b main --object-format=sha256 .");
  const std::string first = commit("a.md", "one\n");
  EXPECT_EQ(first.size(), 64U);
  EXPECT_EQ(position().commit, first);
  EXPECT_EQ(git_.file_at(first, "a.md").value(), "one\n");
  EXPECT_THAT(held({"one"}), ElementsAre("one"));
}

TEST_F(GitTest, WhileGitIsInTheMiddleOfSomethingItCannotBeAskedWhatItHolds) {
  commit("a.md", "one\n");
  folder_.write("repository/.git/MERGE_HEAD", "");
  EXPECT_EQ(git_.held({"one"}, {}).error().code, ErrorCode::locked);
  EXPECT_EQ(git_.has_file("a.md").error().code, ErrorCode::locked);
}

TEST_F(GitTest, ARepositoryThatGitCannotReadIsAnErrorAndNotANo) {
  commit("a.md", "one\n");
  folder_.write("repository/.git/config", "[core\n");
  for (const auto& code : {git_.held({"one"}, {}).error().code, git_.has_file("a.md").error().code, git_.position().error().code,
                           git_.file_at("HEAD", "a.md").error().code})
    EXPECT_EQ(code, ErrorCode::failed);
}

TEST_F(GitTest, OneThatDoesNotAnswerInTimeIsAnError) {
  commit("a.md", "one\n");
  Git hurried(root_, std::chrono::milliseconds(0));
  EXPECT_EQ(hurried.held({"one"}, {}).error().code, ErrorCode::failed);
}

// What a stranger's repository can hold: nothing of it may run, though it is asked about all of its files.
TEST_F(GitTest, NothingThatARepositoryIsConfiguredToRunIsRun) {
  hostile_program("run.sh");
  const std::string run = (folder_ / "run.sh").string();
  const std::string first = commit("a.md", "one\n");
  write("a.md", "one\nstaged\n");
  write(".gitattributes", "*.md diff=evil filter=evil merge=evil\n*.md -diff\n");
  git("add -A");
  for (const char* key : {"core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "diff.external", "diff.evil.textconv",
                          "diff.evil.command", "filter.evil.clean", "filter.evil.smudge", "pager.log", "gpg.program",
                          "core.alternateRefsCommand", "credential.helper", "sequence.editor"})
    git("config " + std::string(key) + " '" + run + "'");
  git("config log.showSignature true");
  git("config color.ui always");
  git("config diff.noprefix true");
  git("config diff.renames copies");
  for (const char* hook : {"post-index-change", "reference-transaction", "post-checkout", "fsmonitor-watchman"}) {
    hostile_program("repository/.git/hooks/" + std::string(hook));
  }
  folder_.write(".gitattributes", "");
  const std::string fingerprint = git_fingerprint_around(root_);
  EXPECT_THAT(held({"one", "staged"}), ElementsAre("one", "staged"));
  EXPECT_EQ(git_.position().value()->commit, first);
  EXPECT_EQ(git_.file_at(first, "a.md").value(), "one\n");
  EXPECT_TRUE(git_.has_file("a.md").value());
  EXPECT_TRUE(git_.files_between(first, first));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "was-run"));
  EXPECT_EQ(git_fingerprint_around(root_), fingerprint) << "and nothing of it is written";
}

// As in a hook of git's, which runs with variables that name its own repository.
TEST_F(GitTest, VariablesThatNameAnotherRepositoryDoNotCount) {
  const std::string first = commit("a.md", "one\n");
  ::setenv("GIT_DIR", "/nowhere", 1);
  ::setenv("GIT_INDEX_FILE", "/nowhere/index", 1);
  EXPECT_EQ(git_.position().value()->commit, first);
  ::unsetenv("GIT_DIR");
  ::unsetenv("GIT_INDEX_FILE");
}

TEST_F(GitTest, AFolderThatOnlyLooksLikeARepositoryIsNone) {
  std::filesystem::remove_all(folder_ / "repository/.git");
  git("init -q --bare notes");
  EXPECT_FALSE(git_.position().value());
  EXPECT_FALSE(git_.has_file("a.md").value());
}

}  // namespace
}  // namespace loci
