#include "vault/archive/tail_restoration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
#include "vault/archive/tail_verdicts.h"
#include "vault/logs/logs.h"

namespace loci {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;

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
  // Where ids stand, as the index of the vault would say.
  Places find_places(const std::vector<std::string>& ids) const {
    ++lookups_;
    Places places;
    for (const auto& [file, bytes] : folder_.contents("vault"))
      for (const ParsedEntry& entry : file.ends_with(".md") ? parse(bytes).entries : std::vector<ParsedEntry>{})
        if (entry.metadata && std::ranges::find(ids, entry.id) != ids.end())
          places[entry.id].push_back(path(file).lexically_relative("vault"));
    return places;
  }
  Result<RestoredTails> try_to_restore() const { return try_to_restore(vault()); }
  Result<RestoredTails> try_to_restore(const Vault& vault) const {
    clock_.advance(std::chrono::seconds(10));  // whoever saved has done so
    return restore_archive_tails(vault, [&](const auto& ids) { return find_places(ids); });
  }
  std::vector<std::string> restore() const {
    const auto restored = try_to_restore();
    EXPECT_TRUE(restored) << restored.error().message;
    EXPECT_FALSE(restored && restored->is_open);
    return restored ? restored->files : std::vector<std::string>{};
  }
  void bury(const std::string& id, Tombstone::Reason reason) {
    clock_.advance(std::chrono::seconds(1));
    ASSERT_TRUE(append_tombstones(vault(), {{clock_.now(), id, {}, reason, "user", {}}}));
  }

  TemporaryFolder folder_;
  mutable ManualClock clock_;
  mutable int lookups_ = 0;  // in the index
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

TEST_F(TailRestorationTest, ItComesBackOnceAndTakenOutAgainItWasMeant) {
  add("one");
  const std::string old_buffer = read();
  add("two");
  save(old_buffer);
  EXPECT_THAT(restore(), ElementsAre(day));
  for (const std::string typed : {"\nTyped.\n", "\nTyped.\n\nMore.\n"}) {
    save(old_buffer + typed);
    EXPECT_THAT(restore(), IsEmpty());
    EXPECT_EQ(read(), old_buffer + typed);
  }
}

TEST_F(TailRestorationTest, WhatALongerFileWroteOverComesBackThoughMoreWasAppendedSince) {
  add("one");
  const std::string written_over =
      read() + "\n- Merged from elsewhere, and longer than what was here before: git had this text, another machine wrote it.\n";
  add("two");
  save(written_over);
  add("three");
  EXPECT_THAT(restore(), ElementsAre(day));
  EXPECT_THAT(texts(), IsSupersetOf({"one", "three", "two"}));
}

TEST_F(TailRestorationTest, WhatWasTakenOutFromBeforeAnEditWasMeant) {
  add("one");
  const std::string two = add("two");
  save(read() + "\nTyped.\n");
  add("three");
  std::string without = read();
  const size_t begin = without.find("<!--m {\"id\":\"" + two), end = without.find("Typed.");
  save(without.erase(begin, end - begin));
  EXPECT_THAT(restore(), IsEmpty());
  EXPECT_THAT(texts(), ElementsAre("one", "Typed.", "three"));
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
  EXPECT_THAT(restore(), ElementsAre(file));
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

TEST_F(TailRestorationTest, NothingIsLookedForUnlessSomebodyElseChangedAFile) {
  add("one");
  add("two");
  save("notes\n", "notes/a.md");
  EXPECT_THAT(restore(), IsEmpty());
  save(read() + "\nTyped behind it.\n");
  EXPECT_THAT(restore(), IsEmpty());
  EXPECT_EQ(lookups_, 0);
}

TEST_F(TailRestorationTest, WhatIsAppendedMeanwhileDoesNotHideThatNobodyHasLooked) {
  add("one");
  const std::string old_buffer = read();
  add("two");
  save(old_buffer);
  add("three");
  add("four");
  EXPECT_THAT(restore(), ElementsAre(day));
  EXPECT_THAT(texts(), ElementsAre("one", "three", "four", "two"));
  EXPECT_THAT(restore(), IsEmpty());
}

TEST_F(TailRestorationTest, AFileThatIsBeingSavedIsWaitedFor) {
  add("one");
  const std::string old_buffer = read();
  add("two");
  save(old_buffer);
  clock_.set("2030-01-01T00:00:00Z");
  const auto since_1970 = std::chrono::sys_time(clock_.now() + std::chrono::seconds(9));  // try_to_restore() lets ten pass
  std::filesystem::last_write_time(folder_ / "vault" / day, std::chrono::file_clock::from_sys(since_1970));
  const auto restored = try_to_restore();
  ASSERT_TRUE(restored);
  EXPECT_TRUE(restored->is_open);
  EXPECT_EQ(read(), old_buffer);
}

TEST_F(TailRestorationTest, ADayThatWasMovedOrRenamedIsNotWrittenAnew) {
  for (const std::string to : {"archive/2026/moved.md", "archive/autumn.md"}) {
    add("one");
    add("two");
    const std::string bytes = read();
    save(bytes, to);
    std::filesystem::remove(folder_ / "vault" / day);
    EXPECT_THAT(restore(), IsEmpty());
    add("three");
    EXPECT_THAT(restore(), IsEmpty());
    EXPECT_THAT(texts(), ElementsAre("three"));
    EXPECT_EQ(read(to), bytes);
    std::filesystem::remove(folder_ / "vault" / day);
    EXPECT_THAT(restore(), IsEmpty());
  }
}

TEST_F(TailRestorationTest, AnIndexThatDoesNotKnowYetIsAskedAgain) {
  add("one");
  const std::string old_buffer = read();
  add("two");
  save(old_buffer);
  const auto behind = [](const std::vector<std::string>& ids) -> Result<Places> { return Places{{ids.front(), {day}}}; };
  clock_.advance(std::chrono::seconds(10));
  EXPECT_EQ(restore_archive_tails(vault(), behind).error().code, ErrorCode::locked);
  EXPECT_THAT(restore(), ElementsAre(day));
}

TEST_F(TailRestorationTest, WhatWasMeantStaysOutWhateverHappensToTheRest) {
  add("one");
  const std::string old_buffer = read();
  add("two");
  add("three");
  const std::string all = read();
  const auto entries = parse(all).entries;
  save(all.substr(0, entries[1].begin) + all.substr(entries[1].end));
  EXPECT_THAT(restore(), IsEmpty());
  save(old_buffer);
  EXPECT_THAT(restore(), ElementsAre(day));
  EXPECT_THAT(texts(), ElementsAre("one", "three"));
}

TEST_F(TailRestorationTest, WhatAPersonPutBackIsNoLongerMeantToBeOut) {
  add("one");
  const std::string old_buffer = read();
  add("two");
  add("three");
  const std::string all = read();
  const auto entries = parse(all).entries;
  save(all.substr(0, entries[1].begin) + all.substr(entries[1].end));
  EXPECT_THAT(restore(), IsEmpty());
  save(all);  // undone in the editor
  EXPECT_THAT(restore(), IsEmpty());
  save(old_buffer);
  EXPECT_THAT(restore(), ElementsAre(day));
  EXPECT_THAT(texts(), ElementsAre("one", "two", "three"));
}

TEST_F(TailRestorationTest, WhatCameBackIsToldUntilSomebodyWasTold) {
  add("one");
  const std::string old_buffer = read(), two = add("two");
  save(old_buffer);
  EXPECT_THAT(entries_that_came_back(vault()), IsEmpty());
  restore();
  const auto told = entries_that_came_back(vault());
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].file, day);
  EXPECT_EQ(told[0].code, "came-back");
  EXPECT_THAT(told[0].message, testing::AllOf(HasSubstr(two), HasSubstr("loci forget")));
  ASSERT_TRUE(mark_as_told(vault()));
  EXPECT_THAT(entries_that_came_back(vault()), IsEmpty());
}

TEST_F(TailRestorationTest, AfterADayNobodyIsTold) {
  add("one");
  const std::string old_buffer = read();
  add("two");
  save(old_buffer);
  restore();
  clock_.advance(std::chrono::hours(25));
  EXPECT_THAT(entries_that_came_back(vault()), IsEmpty());
}

// --- what git did ---

// With the real git.
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
};

TEST_F(TailsAndGitTest, NothingIsAppendedWhileGitIsInTheMiddleOfSomething) {
  const std::string old_buffer = read();
  add("two");
  save(old_buffer);
  folder_.write("vault/.git/MERGE_HEAD", "x");
  const auto restored = try_to_restore();
  ASSERT_TRUE(restored);
  EXPECT_TRUE(restored->is_open);
  EXPECT_EQ(read(), old_buffer);
  std::filesystem::remove(folder_ / "vault/.git/MERGE_HEAD");
  EXPECT_THAT(restore(), ElementsAre(day));
}

TEST_F(TailsAndGitTest, IfGitCannotBeAskedNowItIsAskedLater) {
  const std::string old_buffer = read();
  add("two");
  save(old_buffer);
  const std::string config = folder_.read("vault/.git/config");
  folder_.write("vault/.git/config", "[core\n");
  EXPECT_EQ(try_to_restore().error().code, ErrorCode::failed);
  EXPECT_EQ(read(), old_buffer);
  folder_.write("vault/.git/config", config);
  EXPECT_THAT(restore(), ElementsAre(day));
}

TEST_F(TailsAndGitTest, WhatACheckoutTookAwayStaysAway) {
  git("branch other");
  add("two");
  commit();
  git("checkout -q other");
  EXPECT_THAT(texts(), ElementsAre("one"));
  EXPECT_THAT(restore(), IsEmpty());
  add("three");
  EXPECT_THAT(restore(), IsEmpty());
  commit();
  git("checkout -q main");
  EXPECT_THAT(restore(), IsEmpty());
  EXPECT_THAT(texts(), ElementsAre("one", "two"));
}

TEST_F(TailsAndGitTest, WhatACommitThatIsOnlyInAReflogHasStaysAway) {
  add("two");
  commit();
  git("reset -q --hard HEAD~1");
  EXPECT_THAT(restore(), IsEmpty());
  EXPECT_THAT(texts(), ElementsAre("one"));
}

TEST_F(TailsAndGitTest, WhatAnotherMachineTookOutAndCommittedStaysOut) {
  add("two");
  commit();
  const std::string all = read();
  git("checkout -q -b elsewhere");
  save(all.substr(0, parse(all).entries[1].begin));
  commit();
  git("checkout -q main");
  restore();
  git("merge -q --ff-only elsewhere");
  EXPECT_THAT(texts(), ElementsAre("one"));
  EXPECT_THAT(restore(), IsEmpty());
}

// The editor has had the day open for an hour, and somebody commits all the time.
TEST_F(TailsAndGitTest, WhatWasCommittedBeforeAnOldBufferCutItOffComesBack) {
  const std::string old_buffer = read();
  add("two");
  commit();
  add("three");
  commit();
  save(old_buffer);
  EXPECT_THAT(restore(), ElementsAre(day));
  EXPECT_THAT(texts(), ElementsAre("one", "two", "three"));
  save(old_buffer);
  EXPECT_THAT(restore(), IsEmpty()) << "taken out again it was meant: HEAD has it, so it was not git";
}

TEST_F(TailsAndGitTest, AWholeDayThatWasRemovedComesBackOnceFromARepository) {
  add("two");
  std::filesystem::remove(folder_ / "vault" / day);
  EXPECT_THAT(restore(), ElementsAre(day));
  EXPECT_THAT(texts(), ElementsAre("one", "two"));
  std::filesystem::remove(folder_ / "vault" / day);
  EXPECT_THAT(restore(), IsEmpty());
}

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
  stash_around([] {});
  add("three");  // git applies nothing to a file that has changed
  EXPECT_THAT(restore(), ElementsAre(day));
  EXPECT_THAT(texts(), ElementsAre("one", "three", "two"));
}

TEST_F(TailsAndGitTest, WhatGitWroteOverOnceMoreComesBackOnceMore) {
  for (int i = 0; i < 3; ++i) {
    stash_around([&] {
      if (i == 0) add("two");
    });
    EXPECT_THAT(restore(), ElementsAre(day));
    EXPECT_THAT(texts(), ElementsAre("one", "two"));
  }
}

TEST_F(TailsAndGitTest, WhatAMergeThatRefusesWroteOverWhenItHadJustComeBackComesBackOnceMore) {
  const std::string old_buffer = read();
  add("two");
  const std::string both = read();
  save(old_buffer);
  git("update-ref ORIG_HEAD HEAD");  // as a merge does first
  EXPECT_THAT(restore(), ElementsAre(day));
  git("read-tree --reset -u HEAD");  // as it does when it refuses
  EXPECT_THAT(texts(), ElementsAre("one"));
  EXPECT_THAT(restore(), ElementsAre(day));
  EXPECT_EQ(read(), both);
  save(old_buffer);
  EXPECT_THAT(restore(), IsEmpty());
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

// git leaves no other trace of it than a merge that refuses does, so that the second time it may still have been one.
TEST_F(TailsAndGitTest, WhatAPersonDiscardedThatWasNeverCommittedComesBackTwice) {
  for (const std::string command : {"restore .", "checkout -q -- archive"}) {
    add(command);
    for (int i = 0; i < 2; ++i) {
      git(command);
      EXPECT_THAT(texts(), Not(Contains(command)));
      EXPECT_THAT(restore(), ElementsAre(day)) << command;
      EXPECT_THAT(texts(), Contains(command));
    }
    git(command);
    EXPECT_THAT(restore(), IsEmpty()) << command;
    EXPECT_THAT(texts(), Not(Contains(command)));
  }
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
  restore();
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

TEST_F(TailsAndGitTest, WhatWasPackedIsHeldAllTheSame) {
  add("two");
  stash_around([&] { add("three"); });
  store_stash();
  git("gc -q");
  EXPECT_THAT(restore(), ElementsAre(day));
  EXPECT_THAT(texts(), ElementsAre("one", "three"));
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
  for (const int error : {ENOSPC, EIO})
    for (size_t number = 0, calls = 1; number < calls; ++number) {
      std::filesystem::remove_all(folder_ / "vault");
      std::filesystem::remove_all(vault().state_folder());
      add("one");
      const std::string old_buffer = read();
      add("two");
      add("three");
      save(old_buffer);
      FaultyFileSystem files;
      const Vault faulty = vault(files);
      files.fail_call(number, error);
      (void)try_to_restore(faulty);
      calls = files.calls().size();
      (void)try_to_restore();
      EXPECT_THAT(texts(), ElementsAre("one", "two", "three")) << files.calls().at(number);
    }
}

}  // namespace
}  // namespace loci
