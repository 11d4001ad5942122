// What comes out of a tree where files and folders change in quiet ways: one thing at a time.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "tests/watcher/watched_folder.h"

namespace loci {
namespace {

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr auto inotify = WatchOptions::Mode::inotify;

class Inotify : public testing::Test {
 protected:
  void SetUp() override { folder_.forget_the_start(); }

  // Taken at once, before anything is due: those whose writer is done.
  std::set<std::string> finished() {
    folder_.step();
    const auto paths = folder_.changes().with([](ChangeSet& changes) {
      return changes.take_due(std::chrono::steady_clock::now(), [](const std::string&) { return Glance{true, true}; });
    });
    return {paths.begin(), paths.end()};
  }

  WatchedFolder folder_;
};

TEST_F(Inotify, AWrittenFileIsFinishedWhenItIsClosed) {
  Fd file(::open((folder_ / "a.md").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  ASSERT_EQ(::write(file.get(), "- a\n", 4), 4);
  EXPECT_THAT(finished(), IsEmpty());
  EXPECT_EQ(folder_.changes().with([](ChangeSet& changes) { return changes.size(); }), 1);
  file.reset();
  EXPECT_THAT(finished(), ElementsAre("a.md"));
}

TEST_F(Inotify, ARenameIsTheEndOfOneNameAndABeginningOfTheOther) {
  folder_.write("a.md", "- a\n");
  EXPECT_THAT(finished(), ElementsAre("a.md"));
  fs::rename(folder_ / "a.md", folder_ / "b.md");
  EXPECT_THAT(finished(), UnorderedElementsAre("a.md", "b.md"));
}

TEST_F(Inotify, ARenamePairIsNotNeeded) {
  folder_.outside().write("in.md", "- in\n");
  folder_.write("out.md", "- out\n");
  finished();
  fs::rename(folder_.outside() / "in.md", folder_ / "in.md");
  fs::rename(folder_ / "out.md", folder_.outside() / "out.md");
  EXPECT_THAT(finished(), UnorderedElementsAre("in.md", "out.md"));
  fs::rename(folder_ / "in.md", folder_ / "in.txt");
  EXPECT_THAT(finished(), ElementsAre("in.md"));
}

TEST_F(Inotify, ARemovedFileIsToldAtOnce) {
  folder_.write("a.md", "- a\n");
  finished();
  fs::remove(folder_ / "a.md");
  EXPECT_THAT(finished(), ElementsAre("a.md"));
}

TEST_F(Inotify, LinksThatAppearAreToldAndComeToRest) {
  folder_.outside().write("target.md", "- a\n");
  fs::create_hard_link(folder_.outside() / "target.md", folder_ / "hard.md");
  fs::create_symlink(folder_.outside() / "target.md", folder_ / "soft.md");
  EXPECT_THAT(finished(), IsEmpty());
  EXPECT_THAT(folder_.changed(), UnorderedElementsAre("hard.md", "soft.md"));
}

TEST_F(Inotify, AFileThatBecomesReadableIsTold) {
  folder_.write("a.md", "- a\n");
  ::chmod((folder_ / "a.md").c_str(), 0);
  finished();
  ::chmod((folder_ / "a.md").c_str(), 0600);
  EXPECT_THAT(finished(), ElementsAre("a.md"));
}

TEST_F(Inotify, AFileOfRulesIsToldAsAnyOther) {
  folder_.write(".lociignore", "drafts/\n");
  folder_.write("below/.lociignore", "drafts/\n");
  EXPECT_THAT(finished(), UnorderedElementsAre(".lociignore", "below/.lociignore"));
}

TEST_F(Inotify, FilesThatDoNotCountAreNotTold) {
  folder_.write("a.txt", "a");
  folder_.write("b.md~", "b");
  EXPECT_THAT(folder_.changed(), IsEmpty());
  EXPECT_EQ(folder_.rescan(), "");
}

TEST_F(Inotify, HiddenAndIgnoredFoldersAreNotEntered) {
  folder_.write(".git/a.md", "- a\n");
  folder_.write("ignored/below/a.md", "- a\n");
  folder_.write("seen/a.md", "- a\n");
  EXPECT_THAT(folder_.changed(), ElementsAre("seen/a.md"));
  fs::remove_all(folder_ / ".git");
  fs::remove_all(folder_ / "ignored");
  EXPECT_THAT(folder_.changed(), IsEmpty());
  EXPECT_EQ(folder_.rescan(), "");
}

TEST_F(Inotify, ALinkToAFolderIsNotFollowed) {
  folder_.outside().write("elsewhere/a.md", "- a\n");
  fs::create_directory_symlink(folder_.outside() / "elsewhere", folder_ / "link");
  const size_t watches = folder_.watcher().state().watches;
  EXPECT_THAT(folder_.changed(), IsEmpty());
  folder_.outside().write("elsewhere/b.md", "- b\n");
  EXPECT_THAT(folder_.changed(), IsEmpty());
  EXPECT_EQ(folder_.watcher().state().watches, watches);
}

TEST_F(Inotify, NamesAreToldAsTheyAre) {
  const std::set<std::string> names = {"two\nlines.md", "\xff\xfe.md", " .md", "\xe2\x80\xae.md", std::string(252, 'n') + ".md"};
  for (const std::string& name : names) folder_.write(name, "- a\n");
  EXPECT_EQ(folder_.changed(), names);
  folder_.write("fol\nder\xff/a.md", "- a\n");
  EXPECT_THAT(folder_.changed(), ElementsAre("fol\nder\xff/a.md"));
  folder_.write("fol\nder\xff/b.md", "- b\n");
  EXPECT_THAT(folder_.changed(), ElementsAre("fol\nder\xff/b.md"));
}

TEST_F(Inotify, AFolderWithContentsThatMovesInIsRead) {
  folder_.outside().write("box/a.md", "- a\n");
  folder_.outside().write("box/deep/er/b.md", "- b\n");
  fs::rename(folder_.outside() / "box", folder_ / "box");
  EXPECT_THAT(finished(), UnorderedElementsAre("box/a.md", "box/deep/er/b.md"));
  EXPECT_EQ(folder_.rescan(), "");
  folder_.write("box/deep/er/c.md", "- c\n");
  EXPECT_THAT(finished(), ElementsAre("box/deep/er/c.md"));
}

TEST_F(Inotify, AFolderThatMovedOutKeepsSilent) {
  folder_.write("box/deep/a.md", "- a\n");
  folder_.changed();
  const size_t watches = folder_.watcher().state().watches;
  fs::rename(folder_ / "box", folder_.outside() / "box");
  EXPECT_EQ(folder_.rescan(), "a folder was moved");
  EXPECT_EQ(folder_.watcher().state().watches, watches - 2);
  folder_.outside().write("box/deep/a.md", "- b\n");
  folder_.outside().write("box/b.md", "- b\n");
  EXPECT_THAT(folder_.changed(), IsEmpty());
  EXPECT_EQ(folder_.rescan(), "");
}

TEST_F(Inotify, EventsOfAMovedFolderThatWereUnreadAreNotToldUnderItsOldName) {
  folder_.write("box/deep/a.md", "- a\n");
  folder_.changed();
  fs::rename(folder_ / "box", folder_.outside() / "box");
  folder_.outside().write("box/deep/b.md", "- b\n");
  EXPECT_THAT(folder_.changed(), IsEmpty());
  EXPECT_EQ(folder_.rescan(), "a folder was moved");
}

TEST_F(Inotify, AFolderThatMovesWithinTheTreeIsWatchedUnderItsNewName) {
  folder_.write("old/deep/a.md", "- a\n");
  folder_.changed();
  fs::rename(folder_ / "old", folder_ / "new");
  EXPECT_EQ(folder_.rescan(), "a folder was moved");
  folder_.changed();
  folder_.write("new/deep/a.md", "- b\n");
  EXPECT_THAT(folder_.changed(), ElementsAre("new/deep/a.md"));
}

TEST_F(Inotify, FoldersThatChangePlacesAreBothWatchedAfterwards) {
  folder_.write("a/a.md", "- a\n");
  folder_.write("b/b.md", "- b\n");
  folder_.changed();
  ASSERT_EQ(::renameat2(AT_FDCWD, (folder_ / "a").c_str(), AT_FDCWD, (folder_ / "b").c_str(), RENAME_EXCHANGE), 0);
  EXPECT_EQ(folder_.rescan(), "a folder was moved");
  folder_.changed();
  folder_.write("a/b.md", "- 2\n");
  folder_.write("b/a.md", "- 2\n");
  EXPECT_THAT(folder_.changed(), UnorderedElementsAre("a/b.md", "b/a.md"));
}

TEST_F(Inotify, FoldersThatChangePlacesAreBothWatchedWhereverTheirEventsAreCut) {
  // A buffer of 64 KiB holds 2,048 events with a name of one letter. These four are read in two halves in one of the rounds.
  for (const char* name : {"a/f.md", "b/f.md", "1", "2"}) folder_.write(name, "- a\n");
  const fs::path ones[] = {folder_ / "1", folder_ / "2"};
  for (int events = 2'043; events < 2'050; ++events) {
    folder_.rescan();
    folder_.changed();
    for (int i = 0; i < events; ++i) ASSERT_EQ(::chmod(ones[i % 2].c_str(), 0600), 0);
    ASSERT_EQ(::renameat2(AT_FDCWD, (folder_ / "a").c_str(), AT_FDCWD, (folder_ / "b").c_str(), RENAME_EXCHANGE), 0);
    folder_.rescan();
    folder_.changed();
    folder_.write("a/f.md", "- 2\n");
    folder_.write("b/f.md", "- 2\n");
    EXPECT_THAT(folder_.changed(), UnorderedElementsAre("a/f.md", "b/f.md")) << events;
  }
}

TEST_F(Inotify, AFolderThatTakesThePlaceOfAnEmptyOneIsWatched) {
  fs::create_directory(folder_ / "place");
  folder_.write("full/a.md", "- a\n");
  folder_.changed();
  fs::rename(folder_ / "full", folder_ / "place");
  EXPECT_EQ(folder_.rescan(), "a folder was moved");
  folder_.changed();
  folder_.write("place/a.md", "- 2\n");
  EXPECT_THAT(folder_.changed(), ElementsAre("place/a.md"));
  EXPECT_EQ(folder_.watcher().state().watches, 3) << "root, probes, place";
}

TEST_F(Inotify, ARemovedTreeTellsItsFilesAndNeedsNoRescan) {
  for (int i = 0; i < 100; ++i) folder_.write("tree/" + std::to_string(i) + "/deep/a.md", "- a\n");
  EXPECT_EQ(folder_.changed().size(), 100);
  fs::remove_all(folder_ / "tree");
  EXPECT_EQ(folder_.changed().size(), 100);
  EXPECT_EQ(folder_.rescan(), "");
  EXPECT_EQ(folder_.watcher().state().watches, 2) << "root, probes";
}

TEST_F(Inotify, AFolderThatWasRemovedUnseenAsksForARescan) {
  folder_.write("brief/a.md", "- a\n");
  fs::remove_all(folder_ / "brief");
  EXPECT_EQ(folder_.rescan(), "a folder was removed before it was watched");
}

TEST_F(Inotify, AFolderWhosePermissionsChangeIsLookedAt) {
  folder_.write("box/deep/a.md", "- a\n");
  folder_.changed();
  ::chmod((folder_ / "box").c_str(), 0700);
  EXPECT_EQ(folder_.rescan(), "the permissions of a folder changed");
  ::chmod((folder_ / "").c_str(), 0750);
  EXPECT_EQ(folder_.rescan(), "the permissions of a folder changed");
}

TEST_F(Inotify, FoldersBelowTheDeepestOneAreLeftAlone) {
  std::string deep = "d";
  for (int depth = 1; depth < 200; ++depth) deep += "/d";
  fs::create_directories(folder_ / deep);
  EXPECT_THAT(folder_.changed(), IsEmpty());
  EXPECT_EQ(folder_.watcher().state().watches, 2 + 128);
  const std::string seen = deep.substr(0, 2 * 128 - 1) + "/a.md", unseen = deep.substr(0, 2 * 129 - 1) + "/a.md";
  folder_.write(seen, "- a\n");
  folder_.write(unseen, "- a\n");
  EXPECT_THAT(folder_.changed(), ElementsAre(seen));
}

TEST_F(Inotify, PathsLongerThanTheSystemTakesAreWatched) {
  const std::string name(250, 'n');
  std::string path;
  Fd open(::open((folder_ / "").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  for (int depth = 0; depth < 30; ++depth) {
    ASSERT_EQ(::mkdirat(open.get(), name.c_str(), 0700), 0);
    open = Fd(::openat(open.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    path += name + '/';
  }
  folder_.changed();
  const Fd file(::openat(open.get(), "a.md", O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  EXPECT_THAT(folder_.changed(), ElementsAre(path + "a.md"));
}

TEST_F(Inotify, ARootThatMovedAwayIsNotedAndNotTakenForAnEmptyOne) {
  folder_.write("a.md", "- a\n");
  folder_.changed();
  EXPECT_TRUE(folder_.watcher().root_stands());
  fs::rename(folder_ / "", folder_.outside() / "moved");
  EXPECT_FALSE(folder_.watcher().root_stands());
  EXPECT_THAT(folder_.changed(), IsEmpty());
  EXPECT_EQ(folder_.rescan(), "the root folder was moved or removed; the root folder is not the one that is watched");
  EXPECT_EQ(folder_.rescan(), "") << "said once";
  EXPECT_FALSE(folder_.watcher().restart("try")) << "there is nothing to watch";

  fs::create_directories(folder_ / ".loci/tmp");
  EXPECT_FALSE(folder_.watcher().root_stands()) << "another folder of that name";
  ASSERT_TRUE(folder_.watcher().restart("the root is back"));
  EXPECT_TRUE(folder_.watcher().root_stands());
  EXPECT_EQ(folder_.rescan(), "the root is back");
  folder_.write("new/b.md", "- b\n");
  EXPECT_THAT(folder_.changed(), ElementsAre("new/b.md"));
  folder_.outside().write("moved/a.md", "- 2\n");
  EXPECT_THAT(folder_.changed(), IsEmpty());
}

TEST_F(Inotify, ARootWhoseParentMovedIsNotedAtTheNextStep) {
  // inotify is silent about that.
  WatchedFolder parent;
  Synchronized<ChangeSet> changes;
  auto options = parent.options(inotify);
  fs::create_directories(parent / "inner/vault");
  options.root = parent / "inner/vault";
  options.probe.clear();
  const auto watcher = Watcher::open(options, changes).value();
  ASSERT_TRUE(watcher->step(std::chrono::steady_clock::now()));
  changes.with([](ChangeSet& set) { return set.take_rescan(); });
  ::chmod(options.root.c_str(), 0700);
  ASSERT_TRUE(watcher->step(std::chrono::steady_clock::now()));
  EXPECT_TRUE(changes.with([](ChangeSet& set) { return set.take_rescan(); })) << "its permissions changed";
  fs::rename(parent / "inner", parent / "renamed");
  ASSERT_TRUE(watcher->step(std::chrono::steady_clock::now()));
  EXPECT_FALSE(watcher->root_stands());
  EXPECT_TRUE(changes.with([](ChangeSet& set) { return set.wants_rescan(); }));
}

TEST_F(Inotify, ARestartSeesWhatRulesNewlyAllow) {
  WatchedFolder folder;
  std::atomic<bool> all = false;
  auto options = folder.options(inotify);
  options.enters = [&](std::string_view name) { return all || name != "hidden"; };
  Synchronized<ChangeSet> changes;
  const auto watcher = Watcher::open(options, changes).value();
  fs::create_directory(folder / "hidden");
  ASSERT_TRUE(watcher->step(std::chrono::steady_clock::now()));
  const size_t watches = watcher->state().watches;
  all = true;
  ASSERT_TRUE(watcher->restart("other rules"));
  EXPECT_THAT(changes.with([](ChangeSet& set) { return set.take_rescan().value_or(""); }), HasSubstr("other rules"));
  EXPECT_GT(watcher->state().watches, watches);
}

TEST_F(Inotify, AMissingRootCannotBeWatched) {
  auto options = folder_.options(inotify);
  options.root = folder_ / "missing";
  Synchronized<ChangeSet> changes;
  EXPECT_FALSE(Watcher::open(options, changes));
}

TEST_F(Inotify, AWakeFromAnotherThreadEndsAStepThatWaitsForEver) {
  std::thread waker([&] { folder_.watcher().wake(); });
  EXPECT_TRUE(folder_.watcher().step(std::nullopt));
  waker.join();
}

TEST_F(Inotify, AnEventEndsAStepThatWaitsForEver) {
  std::thread writer([&] { folder_.write("a.md", "- a\n"); });
  EXPECT_TRUE(folder_.watcher().step(std::nullopt));
  writer.join();
  EXPECT_THAT(folder_.changed(), ElementsAre("a.md"));
}

TEST(Start, TheTreeThatStandsIsWatchedByTheFirstStep) {
  WatchedFolder folder(inotify, [](const TemporaryFolder& outside) {
    outside.write("vault/a.md", "- a\n");
    outside.write("vault/deep/er/b.md", "- b\n");
  });
  EXPECT_EQ(folder.rescan(), "start");
  EXPECT_THAT(folder.changed(), IsEmpty()) << "the rescan sees them";
  folder.write("deep/er/b.md", "- 2\n");
  EXPECT_THAT(folder.changed(), ElementsAre("deep/er/b.md"));
}

TEST(Start, WhatChangesBeforeTheFirstStepIsSeenByTheRescanThatItAsksFor) {
  WatchedFolder folder;
  folder.write("new/a.md", "- a\n");
  EXPECT_THAT(folder.rescan(), HasSubstr("start"));
  folder.changed();
  folder.write("new/b.md", "- b\n");
  EXPECT_THAT(folder.changed(), ElementsAre("new/b.md"));
}

TEST(Polling, SaysSoAndSleepsUntilItIsWoken) {
  WatchedFolder folder(WatchOptions::Mode::polling);
  folder.forget_the_start();
  folder.write("a.md", "- a\n");
  EXPECT_THAT(folder.changed(), IsEmpty());
  EXPECT_TRUE(folder.watcher().state().polling);
  EXPECT_EQ(folder.watcher().state().polling_reason, "polling was asked for");
  EXPECT_EQ(folder.watcher().probe(), std::nullopt);
  folder.watcher().wake();
  EXPECT_TRUE(folder.watcher().step(std::nullopt));
}

TEST(Polling, KnowsARootThatMovedAway) {
  WatchedFolder folder(WatchOptions::Mode::polling);
  folder.forget_the_start();
  fs::rename(folder / "", folder.outside() / "moved");
  EXPECT_FALSE(folder.watcher().root_stands());
  EXPECT_FALSE(folder.watcher().restart("try"));
  fs::rename(folder.outside() / "moved", folder / "");
  EXPECT_TRUE(folder.watcher().root_stands());
  EXPECT_TRUE(folder.watcher().restart("back"));
  EXPECT_EQ(folder.rescan(), "back");
}

TEST(Automatic, WatchesWhereEventsCome) {
  WatchedFolder folder(WatchOptions::Mode::automatic);
  folder.forget_the_start();
  EXPECT_FALSE(folder.watcher().state().polling);
  EXPECT_EQ(folder.watcher().state().polling_reason, "");
}

}  // namespace
}  // namespace loci
