#include "vault/archive/tail_restoration.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <functional>
#include <set>

#include "parser/parser.h"
#include "tests/support/faulty_file_system.h"
#include "tests/support/manual_clock.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_environment.h"
#include "vault/archive/append.h"
#include "vault/logs/logs.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* day = "archive/2026-11-21.md";

class TailRestorationTest : public testing::Test {
 protected:
  Vault vault(FileSystem& files = real_file_system()) const {
    std::filesystem::create_directories(folder_ / "vault");
    return *Vault::open(folder_ / "vault", environment_in(folder_), files, clock_);
  }
  std::string add(const std::string& text) {
    clock_.advance(std::chrono::seconds(1));
    const auto appended = append_entries(vault(), {{.metadata = {}, .text = text}});
    EXPECT_TRUE(appended);
    return appended->front().id;
  }
  std::string read(const std::string& file = day) const { return folder_.read("vault/" + file); }
  void save(const std::string& bytes, const std::string& file = day) const { folder_.write("vault/" + file, bytes); }
  std::vector<std::string> texts(const std::string& file = day) const {
    std::vector<std::string> texts;
    for (const ParsedEntry& entry : parse(read(file)).entries) texts.push_back(entry.text);
    return texts;
  }
  std::vector<std::string> restore(const std::vector<std::string>& files = {day}) const {
    const auto restored = restore_archive_tails(vault(), files);
    EXPECT_TRUE(restored) << restored.error().message;
    return restored.value_or(std::vector<std::string>{});
  }
  void bury(const std::string& id, Tombstone::Reason reason) {
    clock_.advance(std::chrono::seconds(1));
    ASSERT_TRUE(append_tombstones(vault(), {{clock_.now(), id, {}, reason, "user", {}}}));
  }

  TemporaryFolder folder_;
  ManualClock clock_;
};

TEST_F(TailRestorationTest, WhatAnOldBufferCutOffComesBackInOrderAndOnce) {
  add("one");
  const std::string old_buffer = read();
  add("two");
  add("three");
  const std::string before = read();
  save(old_buffer);
  EXPECT_THAT(restore(), ElementsAre(day));
  EXPECT_EQ(read(), before);
  EXPECT_THAT(restore(), IsEmpty());
  EXPECT_EQ(read(), before);
}

TEST_F(TailRestorationTest, AsOftenAsItIsSaved) {
  add("one");
  const std::string old_buffer = read();
  add("two");
  for (const std::string typed : {"", "\nTyped.\n", "\nTyped.\n\nMore.\n"}) {
    save(old_buffer + typed);
    EXPECT_THAT(restore(), ElementsAre(day));
    EXPECT_EQ(texts().back(), "two");
    EXPECT_TRUE(read().starts_with(old_buffer + typed));
  }
}

TEST_F(TailRestorationTest, EverythingOfAFileThatWasEmptiedComesBack) {
  add("one");
  add("two");
  save("");
  EXPECT_THAT(restore(), ElementsAre(day));
  EXPECT_THAT(texts(), ElementsAre("one", "two"));
}

TEST_F(TailRestorationTest, AnOldBufferWithoutAFinalLineEndIsEndedFirst) {
  add("one");
  const std::string old_buffer = read();
  add("two");
  save(old_buffer + "\nTyped");
  EXPECT_THAT(restore(), ElementsAre(day));
  EXPECT_THAT(texts(), ElementsAre("one", "Typed", "two"));
}

TEST_F(TailRestorationTest, WhatCannotStandBehindAnOpenFenceGoesToTheNextFile) {
  add("one");
  const std::string old_buffer = read();
  add("two");
  save(old_buffer + "\n```\nopen\n");
  EXPECT_THAT(restore(), ElementsAre("archive/2026-11-21.2.md"));
  EXPECT_THAT(texts("archive/2026-11-21.2.md"), ElementsAre("two"));
  EXPECT_THAT(restore(), IsEmpty());
  EXPECT_THAT(restore({day, "archive/2026-11-21.2.md"}), IsEmpty());
}

TEST_F(TailRestorationTest, WhatWasAddedAfterTheCutDoesNotHideIt) {
  add("one");
  const std::string old_buffer = read();
  add("two");
  save(old_buffer);
  add("three");
  EXPECT_THAT(restore(), ElementsAre(day));
  EXPECT_THAT(texts(), ElementsAre("one", "three", "two"));
}

TEST_F(TailRestorationTest, NorDoesMoreOfIt) {
  add("one");
  const std::string old_buffer = read();
  add("two");
  save(old_buffer);
  add("three");
  add("four");
  add("five");
  EXPECT_THAT(restore(), ElementsAre(day));
  EXPECT_THAT(texts(), ElementsAre("one", "three", "four", "five", "two"));
}

TEST_F(TailRestorationTest, ConversationsAreRestoredToo) {
  const auto say = [&](const std::string& text) {
    clock_.advance(std::chrono::seconds(1));
    NewEntry turn{.metadata = {}, .text = text};
    turn.metadata.kind = EntryKind::turn;
    turn.metadata.session = "abc";
    ASSERT_TRUE(append_entries(vault(), {turn}));
  };
  const std::string file = "archive/sessions/2026-11-21-abc.md";
  say("one");
  const std::string old_buffer = read(file);
  say("two");
  save(old_buffer, file);
  EXPECT_THAT(restore({file}), ElementsAre(file));
  EXPECT_THAT(texts(file), ElementsAre("one", "two"));
}

TEST_F(TailRestorationTest, EntriesOfOneWriteAreTakenOneByOne) {
  ASSERT_TRUE(append_entries(vault(), {{{}, "one"}, {{}, "two"}, {{}, "three"}}));
  const std::string all = read();
  save(all.substr(0, all.find("<!--m", all.find("two") - 120)));
  EXPECT_THAT(restore(), ElementsAre(day));
  EXPECT_THAT(texts(), ElementsAre("one", "two", "three"));
}

// --- what a person meant ---

TEST_F(TailRestorationTest, AnEntryTakenOutOfTheMiddleStaysOut) {
  add("one");
  add("two");
  add("three");
  const std::string all = read();
  const auto entries = parse(all).entries;
  save(all.substr(0, entries[1].begin) + all.substr(entries[1].end));
  EXPECT_THAT(restore(), IsEmpty());
  EXPECT_THAT(texts(), ElementsAre("one", "three"));
}

TEST_F(TailRestorationTest, AnEntryThatWasChangedInPlaceIsNotLost) {
  add("one");
  std::string bytes = read();
  save(bytes.replace(bytes.find("one\n"), 3, "another text"));
  EXPECT_THAT(restore(), IsEmpty());
}

TEST_F(TailRestorationTest, AnEntryWithoutItsMetadataIsNotLost) {
  add("one");
  add("two");
  const std::string bytes = read();
  const auto entries = parse(bytes).entries;
  save(bytes.substr(0, entries[1].begin) + "two\n");
  EXPECT_THAT(restore(), IsEmpty());
}

TEST_F(TailRestorationTest, WhatWasForgottenOrCorrectedStaysGone) {
  add("one");
  const std::string old_buffer = read();
  const std::string two = add("two"), three = add("three"), four = add("four");
  bury(two, Tombstone::Reason::deleted);
  bury(three, Tombstone::Reason::corrected);
  bury(four, Tombstone::Reason::deleted);
  bury(four, Tombstone::Reason::restored);
  save(old_buffer);
  EXPECT_THAT(restore(), ElementsAre(day));
  EXPECT_THAT(texts(), ElementsAre("one", "four"));
}

TEST_F(TailRestorationTest, AFileThatWasRemovedStaysRemoved) {
  add("one");
  std::filesystem::remove(folder_ / "vault" / day);
  EXPECT_THAT(restore(), IsEmpty());
  EXPECT_FALSE(folder_.has(std::string("vault/") + day));
}

TEST_F(TailRestorationTest, OnlyTheLastDayIsRemembered) {
  add("one");
  const std::string old_buffer = read();
  add("two");
  save(old_buffer);
  clock_.advance(std::chrono::hours(25));
  EXPECT_THAT(restore(), IsEmpty());
}

TEST_F(TailRestorationTest, OtherFilesAreNotTouched) {
  add("one");
  save("notes\n", "notes/a.md");
  EXPECT_THAT(restore({"notes/a.md", "MEMORY.md", "archive/strange.md", "archive/2026-11-20.md"}), IsEmpty());
}

// --- what git did ---

TEST_F(TailRestorationTest, NothingIsAppendedDuringAGitOperation) {
  add("one");
  const std::string old_buffer = read();
  add("two");
  save(old_buffer);
  folder_.write("vault/.git/MERGE_HEAD", "x");
  EXPECT_THAT(restore(), IsEmpty());
}

TEST_F(TailRestorationTest, WhatACheckoutTookAwayStaysAway) {
  folder_.write("vault/.git/HEAD", "1111111111111111111111111111111111111111\n");
  add("one");
  const std::string old_buffer = read();
  add("two");
  save(old_buffer);
  folder_.write("vault/.git/HEAD", "2222222222222222222222222222222222222222\n");
  EXPECT_THAT(restore(), IsEmpty());
  folder_.write("vault/.git/HEAD", "1111111111111111111111111111111111111111\n");
  EXPECT_THAT(restore(), ElementsAre(day));
}

// With the real git. Its objects get the time of the test's clock.
class TailsAndGitTest : public TailRestorationTest {
 protected:
  TailsAndGitTest() {
    add("one");
    git("init -q -b main .");
    commit();
  }

  void git(const std::string& command) {
    const std::string line = "cd '" + (folder_ / "vault").string() +
                             "' && GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 git -c user.name=a -c user.email=a@b " +
                             command;
    ASSERT_EQ(std::system(line.c_str()), 0) << line;
    for (const auto& file : std::filesystem::recursive_directory_iterator(objects_))
      if (file.is_regular_file() && dated_.insert(file.path()).second) date(file.path());
  }
  void commit() {
    git("add -A");
    git("commit -q --allow-empty -m x");
  }
  // As `git stash` goes, with something in between what it saves and the older files that it puts there.
  void stash_around(const std::function<void()>& meanwhile) {
    git("stash create >.git/saved");
    meanwhile();
    git("reset -q --hard");
  }
  void store_stash() { git("stash store -m 'WIP on main' $(cat .git/saved)"); }

  path objects_ = folder_ / "vault/.git/objects";

 private:
  void date(const path& file) const {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(clock_.now().time_since_epoch()).count();
    const std::array<timespec, 2> times{timespec{seconds, 0}, timespec{seconds, 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, file.c_str(), times.data(), 0), 0);
  }

  std::set<path> dated_;
};

TEST_F(TailsAndGitTest, WhatGitStashTookAwayStaysAway) {
  add("two");
  git("stash -q");
  EXPECT_THAT(texts(), ElementsAre("one"));
  EXPECT_THAT(restore(), IsEmpty());
  git("stash pop -q");
  EXPECT_THAT(texts(), ElementsAre("one", "two"));
  EXPECT_THAT(restore(), IsEmpty());
}

TEST_F(TailsAndGitTest, WhatWasAppendedBehindTheBackOfAStashComesBackAndTheRestDoesNot) {
  add("two");
  stash_around([&] { add("three"); });
  store_stash();
  EXPECT_THAT(texts(), ElementsAre("one"));
  EXPECT_THAT(restore(), ElementsAre(day));
  EXPECT_THAT(texts(), ElementsAre("one", "three"));
  EXPECT_THAT(restore(), IsEmpty());
}

TEST_F(TailsAndGitTest, AlsoWhenMoreWasAppendedAndCommittedSince) {
  add("two");
  stash_around([&] {
    add("three");
    add("four");
  });
  store_stash();
  add("five");
  add("six");
  const std::string before_commit = read();
  EXPECT_THAT(restore(), ElementsAre(day));
  EXPECT_THAT(texts(), ElementsAre("one", "five", "six", "three", "four"));
  save(before_commit);
  commit();
  EXPECT_THAT(restore(), ElementsAre(day));
  EXPECT_THAT(texts(), ElementsAre("one", "five", "six", "three", "four"));
}

TEST_F(TailsAndGitTest, WhatAMergeThatRefusesWroteOverComesBack) {
  add("two");
  stash_around([&] { add("three"); });
  git("stash apply -q $(cat .git/saved)");
  EXPECT_THAT(restore(), ElementsAre(day));
  EXPECT_THAT(texts(), ElementsAre("one", "two", "three"));
}

TEST_F(TailsAndGitTest, WhatAMergeThatRefusesSavedAndCouldNotPutBackComesBack) {
  add("two");
  clock_.advance(std::chrono::hours(2));
  stash_around([] {});
  add("three");  // git applies nothing to a file that has changed
  EXPECT_THAT(restore(), ElementsAre(day));
  EXPECT_THAT(texts(), ElementsAre("one", "three", "two"));
}

TEST_F(TailsAndGitTest, AFileThatAStashRemovedAltogetherIsMadeAgainForWhatItDidNotSee) {
  git("rm -q -r --cached archive");
  git("commit -q -m x");
  git("add archive");
  stash_around([&] { add("two"); });
  store_stash();
  EXPECT_FALSE(folder_.has(std::string("vault/") + day));
  EXPECT_THAT(restore(), ElementsAre(day));
  EXPECT_THAT(texts(), ElementsAre("two"));
}

TEST_F(TailsAndGitTest, WhatAPersonRestoredFromGitStaysSo) {
  for (const std::string command : {"restore .", "checkout -q -- archive", "reset -q --hard"}) {
    add("two");
    git(command);
    EXPECT_THAT(texts(), ElementsAre("one")) << command;
    EXPECT_THAT(restore(), IsEmpty()) << command;
    add("three");
    EXPECT_THAT(restore(), IsEmpty()) << command;
    git(command);
  }
  add("two");
  commit();
  git("checkout -q HEAD~1 -- archive");
  EXPECT_THAT(restore(), IsEmpty());
}

TEST_F(TailsAndGitTest, WhatIsOnAnotherBranchStaysThereEvenIfGitSavedFilesJustThen) {
  git("branch other");
  folder_.write("vault/note.md", "x\n");
  git("add note.md");
  stash_around([&] { add("two"); });
  store_stash();
  EXPECT_THAT(restore(), ElementsAre(day));
  commit();
  git("checkout -q other");
  EXPECT_THAT(texts(), ElementsAre("one"));
  EXPECT_THAT(restore(), IsEmpty());
  git("checkout -q main");
  EXPECT_THAT(texts(), ElementsAre("one", "two"));
}

TEST_F(TailsAndGitTest, AWorktreeIsLikeAnyOther) {
  git("worktree add -q -b other ../tree");
  std::filesystem::rename(folder_ / "vault", folder_ / "main");
  std::filesystem::rename(folder_ / "tree", folder_ / "vault");
  folder_.write("vault/.git", "gitdir: " + (folder_ / "main/.git/worktrees/tree").string() + "\n");
  objects_ = folder_ / "main/.git/objects";
  const std::string saved = "\"$(cat ../saved)\"";
  add("two");
  git("stash create >../saved");
  add("three");
  git("reset -q --hard");
  git("stash store -m x " + saved);
  EXPECT_THAT(restore(), ElementsAre(day));
  EXPECT_THAT(texts(), ElementsAre("one", "three"));
}

TEST_F(TailsAndGitTest, ARepositoryOfSha256IsLikeAnyOther) {
  std::filesystem::remove_all(folder_ / "vault/.git");
  git("init -q -b main --object-format=sha256 .");
  commit();
  add("two");
  stash_around([&] { add("three"); });
  store_stash();
  EXPECT_THAT(restore(), ElementsAre(day));
  EXPECT_THAT(texts(), ElementsAre("one", "three"));
}

TEST_F(TailsAndGitTest, WhatWasPackedSinceIsTakenToBeGits) {
  add("two");
  stash_around([&] { add("three"); });
  store_stash();
  git("gc -q");
  EXPECT_THAT(restore(), IsEmpty());
}

TEST_F(TailsAndGitTest, AnOldBufferIsStillAnOldBuffer) {
  const std::string old_buffer = read();
  git("status --porcelain >/dev/null");
  add("two");
  save(old_buffer);
  std::filesystem::last_write_time(folder_ / "vault" / day,
                                   std::filesystem::last_write_time(folder_ / "vault/.git/index") + std::chrono::seconds(1));
  EXPECT_THAT(restore(), ElementsAre(day));
  EXPECT_THAT(texts(), ElementsAre("one", "two"));
}

// --- faults ---

TEST_F(TailRestorationTest, AFailureLosesNothingAndIsTriedAgain) {
  add("one");
  const std::string old_buffer = read();
  add("two");
  add("three");
  for (const int error : {ENOSPC, EIO})
    for (size_t number = 0, calls = 1; number < calls; ++number) {
      save(old_buffer);
      FaultyFileSystem files;
      const Vault faulty = vault(files);
      files.fail_call(number, error);
      (void)restore_archive_tails(faulty, {day});
      calls = files.calls().size();
      (void)restore();
      EXPECT_THAT(texts(), ElementsAre("one", "two", "three")) << files.calls().at(number);
    }
}

}  // namespace
}  // namespace loci
