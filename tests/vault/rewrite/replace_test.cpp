#include "vault/rewrite/replace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <thread>

#include "tests/support/faulty_file_system.h"
#include "tests/support/interrupting_file_system.h"
#include "tests/support/manual_clock.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_environment.h"
#include "tests/vault/no_exchange_file_system.h"
#include "tests/vault/racing_person.h"
#include "vault/rewrite/displaced.h"
#include "vault/rewrite/versions.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ReplaceTest : public testing::Test {
 protected:
  ReplaceTest() { folder_.write("vault/notes/a.md", "old\n"); }

  Vault vault(FileSystem& files = real_file_system()) {
    return *Vault::open(folder_ / "vault", environment_in(folder_), files, clock_);
  }
  std::string read() const { return folder_.read("vault/notes/a.md"); }
  Status replace(const Vault& vault, const std::string& before, const std::string& after) const {
    return replace_file(vault, file, before, after, no_pause);
  }
  // What stands in .loci/tmp/, but for the notes of where it came from and the copies of what was put back.
  std::vector<std::string> kept() const {
    std::vector<std::string> bytes;
    for (const auto& [name, content] : folder_.contents("vault/.loci/tmp"))
      if (!name.ends_with(".target") && name.find("-copy-") == std::string::npos) bytes.push_back(content);
    return bytes;
  }
  std::vector<std::string> conflicts() const {
    std::vector<std::string> bytes;
    for (const auto& [name, content] : folder_.contents("vault/notes"))
      if (name.find(".loci-conflict-") != std::string::npos) bytes.push_back(content);
    return bytes;
  }

  static constexpr const char* file = "notes/a.md";
  TemporaryFolder folder_;
  ManualClock clock_;
};

TEST_F(ReplaceTest, PutsNewBytesInPlaceAndKeepsTheMode) {
  std::filesystem::permissions(folder_ / "vault/notes/a.md", std::filesystem::perms(0640));
  ASSERT_TRUE(replace_file(vault(), file, "old\n", "new\n"));
  EXPECT_EQ(read(), "new\n");
  EXPECT_EQ(std::filesystem::status(folder_ / "vault/notes/a.md").permissions(), std::filesystem::perms(0640));
}

TEST_F(ReplaceTest, RefusesAFileThatIsNotWhatWasRead) {
  const auto replaced = replace_file(vault(), file, "older\n", "new\n");
  ASSERT_FALSE(replaced);
  EXPECT_EQ(replaced.error().code, ErrorCode::refused);
  EXPECT_THAT(replaced.error().message, HasSubstr("notes/a.md was changed meanwhile"));
  EXPECT_EQ(read(), "old\n");
  EXPECT_THAT(kept(), IsEmpty());
}

TEST_F(ReplaceTest, RefusesAFileThatIsNotThere) {
  EXPECT_EQ(replace_file(vault(), "notes/b.md", "old\n", "new\n", no_pause).error().code, ErrorCode::refused);
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

TEST_F(ReplaceTest, APersonsAnswerToAMergeIsWrittenUnlessGitItselfIsWriting) {
  folder_.write(".git/HEAD", "x");
  folder_.write(".git/MERGE_HEAD", "x");
  EXPECT_TRUE(replace_file(vault(), file, "old\n", "new\n", sleep_pause, DuringGit::go_ahead));
  folder_.write(".git/index.lock", "");
  const auto replaced = replace_file(vault(), file, "new\n", "newer\n", sleep_pause, DuringGit::go_ahead);
  ASSERT_FALSE(replaced);
  EXPECT_EQ(replaced.error().code, ErrorCode::refused);
  EXPECT_EQ(read(), "new\n");
}

TEST_F(ReplaceTest, APersonsAnswerIsNoVersionOfLocis) {
  const std::string entries = "consolidated/a.md";
  ASSERT_TRUE(create_file(vault(), entries, "one\n"));
  ASSERT_TRUE(replace_file(vault(), entries, "one\n", "two\n", sleep_pause, DuringGit::go_ahead));
  const auto versions = versions_of(vault(), entries).value();
  ASSERT_EQ(versions.size(), 1u);
  EXPECT_EQ(versions.front().hash, content_hash("one\n"));
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
  EXPECT_THAT(kept(), IsEmpty());
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

// Before each call of a replace, somebody does something.
TEST_F(ReplaceTest, APersonsSaveAtAnyMomentWins) {
  for (const SaveStyle style : {SaveStyle::rename, SaveStyle::in_place, SaveStyle::vim})
    for (size_t number = 0, calls = 1; number < calls; ++number) {
      folder_.write("vault/notes/a.md", "old\n");
      InterruptingFileSystem files([&](size_t call, const std::string&) {
        if (call == number) save_as(style, folder_ / "vault/notes/a.md", "a person's\n");
      });
      const auto replaced = replace(vault(files), "old\n", "new\n");
      calls = files.calls();
      const bool in_file = read() == "a person's\n";
      const auto aside = kept();
      // Written into the displaced file while that was already aside: it is found there by the next look.
      const bool in_kept = style == SaveStyle::in_place && replaced && std::ranges::find(aside, "a person's\n") != aside.end();
      EXPECT_TRUE(in_file || in_kept) << number;
      EXPECT_THAT(conflicts(), IsEmpty()) << number;
      std::filesystem::remove_all(folder_ / "vault/.loci/tmp");
    }
}

TEST_F(ReplaceTest, OfThreeSavesTheNewestIsInTheFileAndNoneIsLost) {
  for (size_t first = 0, calls = 1; first < calls; ++first)
    for (size_t gap : {1, 2, 3}) {
      folder_.write("vault/notes/a.md", "old\n");
      size_t saves = 0;
      InterruptingFileSystem files([&](size_t call, const std::string&) {
        if (saves < 3 && call >= first && (call - first) % gap == 0)
          save_as(SaveStyle::rename, folder_ / "vault/notes/a.md", "save " + std::to_string(++saves) + "\n");
      });
      (void)replace(vault(files), "old\n", "new\n");
      calls = files.calls();
      EXPECT_EQ(read(), "save " + std::to_string(saves) + "\n") << first << " " << gap;
      for (const std::string& aside : kept()) EXPECT_THAT(aside, testing::AnyOf("old\n", "new\n")) << first << " " << gap;
      std::filesystem::remove_all(folder_ / "vault/.loci/tmp");
      for (const auto& [name, content] : folder_.contents("vault/notes"))
        if (name != "vault/notes/a.md") std::filesystem::remove(folder_ / name);
    }
}

TEST_F(ReplaceTest, AnOlderSaveThatANewerOneOvertookIsVisible) {
  int saves = 0;
  InterruptingFileSystem files([&](size_t, const std::string& call) {
    if (call.starts_with("exchange") && ++saves <= 2)
      save_as(SaveStyle::rename, folder_ / "vault/notes/a.md", "save " + std::to_string(saves) + "\n");
  });
  const auto replaced = replace(vault(files), "old\n", "new\n");
  ASSERT_FALSE(replaced);
  EXPECT_THAT(replaced.error().hint, HasSubstr("notes/a.loci-conflict-20261121T201443Z.md"));
  EXPECT_EQ(read(), "save 2\n");
  EXPECT_THAT(conflicts(), ElementsAre("save 1\n"));
  EXPECT_THAT(kept(), IsEmpty());
  clock_.advance(displaced_first_look);
  EXPECT_THAT(check_displaced(vault())->conflict_files, IsEmpty());
  EXPECT_THAT(folder_.contents("vault/.loci/tmp"), IsEmpty());
}

// vim takes the file away, makes it again empty, and writes it: the replace waits for that.
TEST_F(ReplaceTest, AnEditorInTheMiddleOfASaveIsWaitedFor) {
  for (size_t number = 0, calls = 1; number < calls; ++number) {
    folder_.write("vault/notes/a.md", "old\n");
    VimSave vim(folder_ / "vault/notes/a.md", "a person's\n");
    InterruptingFileSystem files([&](size_t call, const std::string&) {
      if (call == number) vim.take_away();
    });
    int pauses = 0;
    const auto replaced = replace_file(vault(files), file, "old\n", "new\n", [&](std::chrono::milliseconds) {
      if (++pauses == 3) vim.make_empty();
      if (pauses == 6) vim.write();
    });
    calls = files.calls();
    vim.finish();
    EXPECT_EQ(read(), "a person's\n") << number;
    EXPECT_TRUE(pauses == 0 || !replaced) << number;
    for (const std::string& aside : kept()) EXPECT_THAT(aside, testing::AnyOf("old\n", "new\n")) << number;
    std::filesystem::remove_all(folder_ / "vault/.loci/tmp");
  }
}

TEST_F(ReplaceTest, AnEditorIsWaitedForTwoSecondsAtMost) {
  VimSave vim(folder_ / "vault/notes/a.md", "");
  vim.take_away();
  std::chrono::milliseconds waited{0};
  const auto replaced = replace_file(vault(), file, "old\n", "new\n", [&](std::chrono::milliseconds length) { waited += length; });
  EXPECT_EQ(replaced.error().code, ErrorCode::refused);
  EXPECT_EQ(waited, std::chrono::seconds(2));
}

TEST_F(ReplaceTest, ASaveThatFindsNoPlaceToGoBackToBecomesTheFile) {
  int exchanges = 0;
  InterruptingFileSystem files([&](size_t, const std::string& call) {
    if (!call.starts_with("exchange")) return;
    if (++exchanges == 1) save_as(SaveStyle::rename, folder_ / "vault/notes/a.md", "a person's\n");
    if (exchanges == 2) std::filesystem::remove(folder_ / "vault/notes/a.md");
  });
  EXPECT_FALSE(replace(vault(files), "old\n", "new\n"));
  EXPECT_EQ(read(), "a person's\n");
  EXPECT_THAT(kept(), IsEmpty());
}

// A program read the file while loci's version was in it, and saves over the version that was put back meanwhile.
TEST_F(ReplaceTest, ASaveThatWasPutBackAndThenOverwrittenUnseenBecomesVisible) {
  for (const bool is_seen : {false, true}) {
    folder_.write("vault/notes/a.md", "old\n");
    std::string seen;
    int exchanges = 0;
    InterruptingFileSystem files([&](size_t, const std::string& call) {
      if (!call.starts_with("exchange")) return;
      if (++exchanges == 1) save_as(SaveStyle::rename, folder_ / "vault/notes/a.md", "old\na person's\n");
      if (exchanges == 2) seen = read();
    });
    EXPECT_FALSE(replace(vault(files), "old\n", "new\n"));
    EXPECT_EQ(seen, "new\n");
    save_as(SaveStyle::in_place, folder_ / "vault/notes/a.md", (is_seen ? read() : seen) + "added\n");
    clock_.advance(displaced_first_look);
    const auto report = check_displaced(vault());
    ASSERT_TRUE(report);
    EXPECT_EQ(report->conflict_files.size(), is_seen ? 0U : 1U);
    for (const std::string& conflict : report->conflict_files) EXPECT_EQ(folder_.read("vault/" + conflict), "old\na person's\n");
  }
}

// The same, and the save before it was still being written when it was displaced: the copy is of all that was written.
TEST_F(ReplaceTest, ASaveThatWasFinishedWhileItWasDisplacedBecomesVisibleIfItIsOverwrittenUnseen) {
  const std::string save = "old\na person's first\na person's last\n", begun = save.substr(0, 21);
  // At the exchange that puts it back, or just before: what else has been called until then is not counted here.
  for (const std::string_view moment : {"exchange ", "rename "}) {
    folder_.write("vault/notes/a.md", "old\n");
    std::string seen;
    Fd editor;
    int times = 0;
    InterruptingFileSystem files([&](size_t, const std::string& call) {
      if (call.starts_with("exchange ") && !editor) {
        editor = Fd(::open((folder_ / "vault/notes/a.md").c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
        ASSERT_EQ(::write(editor.get(), begun.data(), begun.size()), static_cast<ssize_t>(begun.size()));
      } else if (editor && call.starts_with(moment) && ++times == 1) {
        const std::string rest = save.substr(begun.size());
        ASSERT_EQ(::write(editor.get(), rest.data(), rest.size()), static_cast<ssize_t>(rest.size()));
        seen = read();
      }
    });
    EXPECT_FALSE(replace(vault(files), "old\n", "new\n"));
    EXPECT_EQ(seen, "new\n");
    EXPECT_EQ(read(), save);
    save_as(SaveStyle::in_place, folder_ / "vault/notes/a.md", seen + "added\n");
    clock_.advance(displaced_first_look);
    ASSERT_TRUE(check_displaced(vault()));
    EXPECT_THAT(conflicts(), testing::Contains(save)) << moment;
    std::filesystem::remove_all(folder_ / "vault/notes");
  }
}

TEST_F(ReplaceTest, AGitOperationThatStartsMeanwhileIsLeftAlone) {
  for (size_t number = 0, calls = 1; number < calls; ++number) {
    folder_.write("vault/notes/a.md", "old\n");
    std::filesystem::remove_all(folder_ / "vault/.git");
    bool exchanged_during_git = false;
    InterruptingFileSystem files([&](size_t call, const std::string& name) {
      // Between the last check and the exchange there is no call of ours.
      if (call == number && !name.starts_with("exchange")) folder_.write("vault/.git/index.lock", "");
      if (name.starts_with("exchange")) exchanged_during_git = folder_.has("vault/.git/index.lock");
    });
    (void)replace(vault(files), "old\n", "new\n");
    calls = files.calls();
    EXPECT_FALSE(exchanged_during_git) << number;
    std::filesystem::remove_all(folder_ / "vault/.loci/tmp");
  }
}

// The caller plans again, and takes out what a copy still holds.
TEST_F(ReplaceTest, WhatLociTakesOutItselfAfterASaveWasPutBackIsNotShown) {
  InterruptingFileSystem files([&](size_t, const std::string& call) {
    if (call.starts_with("exchange") && read() == "secret\n")
      save_as(SaveStyle::rename, folder_ / "vault/notes/a.md", "secret\nmine\n");
  });
  folder_.write("vault/notes/a.md", "secret\n");
  EXPECT_FALSE(replace(vault(files), "secret\n", ""));
  save_as(SaveStyle::rename, folder_ / "vault/notes/a.md", "secret\nmine\nmore\n");
  ASSERT_TRUE(replace(vault(), "secret\nmine\nmore\n", "mine\nmore\n"));
  clock_.advance(displaced_first_look);
  EXPECT_THAT(check_displaced(vault())->conflict_files, IsEmpty());
}

// --- what cannot be made again ---

TEST_F(ReplaceTest, WhatLosesAndCannotBeMadeAgainIsLeftBesideTheFile) {
  folder_.write("vault/notes/a.md", "a person's\n");
  const auto first = replace_or_set_aside(vault(), file, "old\n", "new 1\n", no_pause);
  const auto second = replace_or_set_aside(vault(), file, "old\n", "new 2\n", no_pause);
  EXPECT_EQ(first.value_or(""), "notes/a.loci-conflict-20261121T201443Z.md");
  EXPECT_EQ(second.value_or(""), "notes/a.loci-conflict-20261121T201443Z-2.md");
  EXPECT_EQ(folder_.read("vault/" + *first), "new 1\n");
  EXPECT_EQ(folder_.read("vault/" + *second), "new 2\n");
  EXPECT_EQ(read(), "a person's\n");
  EXPECT_EQ(replace_or_set_aside(vault(), file, "a person's\n", "new\n", no_pause).value_or("?"), "");
  EXPECT_EQ(read(), "new\n");
}

TEST_F(ReplaceTest, AnExchangeThatLosesLeavesWhatCannotBeMadeAgainBesideTheFile) {
  bool saved = false;
  InterruptingFileSystem files([&](size_t, const std::string& call) {
    if (!saved && call.starts_with("exchange"))
      save_as(SaveStyle::rename, folder_ / "vault/notes/a.md", (saved = true, "a person's\n"));
  });
  const auto aside = replace_or_set_aside(vault(files), file, "old\n", "new\n", no_pause);
  ASSERT_TRUE(aside);
  EXPECT_EQ(folder_.read("vault/" + *aside), "new\n");
  EXPECT_EQ(read(), "a person's\n");
}

TEST_F(ReplaceTest, NothingIsLeftBesideAFileThatGitWorksOn) {
  folder_.write("vault/.git/index.lock", "");
  EXPECT_EQ(replace_or_set_aside(vault(), file, "old\n", "new\n", no_pause).error().code, ErrorCode::refused);
  EXPECT_THAT(conflicts(), IsEmpty());
}

// --- file systems ---

TEST_F(ReplaceTest, AFileSystemWithoutExchangeReplacesNothingAndSaysSo) {
  NoExchangeFileSystem files;
  EXPECT_TRUE(can_exchange(vault(files)));  // nothing was written yet, so nothing is tried
  EXPECT_FALSE(folder_.has("vault/.loci"));
  const auto replaced = replace(vault(files), "old\n", "new\n");
  ASSERT_FALSE(replaced);
  EXPECT_EQ(replaced.error().code, ErrorCode::refused);
  EXPECT_THAT(replaced.error().hint, HasSubstr("cannot exchange"));
  EXPECT_EQ(read(), "old\n");
  EXPECT_FALSE(can_exchange(vault(files)));
  EXPECT_TRUE(can_exchange(vault()));
  EXPECT_THAT(folder_.contents("vault/.loci/tmp"), IsEmpty());
}

TEST_F(ReplaceTest, OneReplaceAfterAnotherAmongManyThreads) {
  folder_.write("vault/notes/a.md", "");
  const Vault shared = vault();
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number)
    threads.emplace_back([&, number] {
      for (int line = 0; line < 10;) {
        const std::string before = read();
        const std::string added = before + std::to_string(number) + ":" + std::to_string(line) + "\n";
        if (replace_file(shared, file, before, added, no_pause)) ++line;
      }
    });
  for (std::thread& thread : threads) thread.join();
  const std::string text = read();
  EXPECT_EQ(std::ranges::count(text, '\n'), 40);
}

}  // namespace
}  // namespace loci
