// A probe that has come through proves that everything before it has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "tests/watcher/watched_folder.h"

namespace loci {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::IsEmpty;

constexpr auto inotify = WatchOptions::Mode::inotify;

TEST(Probes, AFileThatWasWrittenBeforeIsInTheSetWhenTheProbeHasPassed) {
  WatchedFolder folder;
  folder.forget_the_start();
  std::atomic<bool> done = false;
  std::thread watching([&] {
    while (!done) ASSERT_TRUE(folder.watcher().step(std::nullopt));
  });
  const int times = times_scale(100);
  for (int i = 0; i < times; ++i) {
    // Every other one in folders that nobody has seen yet.
    const std::string name = (i % 2 == 0 ? "" : "f" + std::to_string(i) + "/deep/er/") + std::to_string(i) + ".md";
    folder.write(name, "- a\n");
    const auto probe = folder.watcher().probe();
    ASSERT_TRUE(probe);
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    folder.changes().wait(
        give_up, [&](const ChangeSet&) { return folder.watcher().passed() >= *probe; },
        [&](ChangeSet& changes) {
          EXPECT_GE(folder.watcher().passed(), *probe);
          EXPECT_THAT(changes.take_all(), Contains(name));
          EXPECT_FALSE(changes.wants_rescan());
        });
  }
  done = true;
  folder.watcher().wake();
  watching.join();
}

TEST(Probes, CookiesAreRemovedAndNotReported) {
  WatchedFolder folder;
  folder.forget_the_start();
  ASSERT_TRUE(folder.watcher().probe());
  EXPECT_THAT(folder.changed(), IsEmpty());
  EXPECT_TRUE(fs::is_empty(folder / ".loci/tmp"));
}

TEST(Probes, AProbeHasNotPassedBeforeItsEventIsRead) {
  WatchedFolder folder;
  folder.forget_the_start();
  const auto first = folder.watcher().probe(), second = folder.watcher().probe();
  EXPECT_LT(folder.watcher().passed(), *first);
  folder.step();
  EXPECT_EQ(folder.watcher().passed(), *second);
}

TEST(Probes, AProbeHasNotPassedBeforeNewFoldersAreRead) {
  WatchedFolder folder;
  Synchronized<ChangeSet> changes;
  auto options = folder.options(inotify);
  Watcher* asked = nullptr;
  std::uint64_t passed_while_reading = 99;
  options.enters = [&](std::string_view name) {
    if (name == "new/below") passed_while_reading = asked->passed();
    return !name.starts_with('.');
  };
  const auto watcher = Watcher::open(options, changes).value();
  asked = watcher.get();
  ASSERT_TRUE(watcher->step(std::chrono::steady_clock::now()));
  fs::create_directories(folder / "new/below");
  ASSERT_EQ(watcher->probe(), 1);
  ASSERT_TRUE(watcher->step(std::chrono::steady_clock::now()));
  EXPECT_EQ(passed_while_reading, 0);
  EXPECT_EQ(watcher->passed(), 1);
}

TEST(Probes, CookiesOfOthersAreIgnored) {
  WatchedFolder folder;
  folder.forget_the_start();
  const std::string own = "cookie-" + std::to_string(::getpid());
  for (const std::string& name : {std::string("cookie-1-99"), own + "-99", own + "-1x", own + "--1", own, std::string("4913.md")})
    folder.write(".loci/tmp/" + name, "");
  EXPECT_THAT(folder.changed(), IsEmpty());
  EXPECT_EQ(folder.watcher().passed(), 0);
}

TEST(Probes, WhatADeadProcessLeftIsRemoved) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  const std::string dead = ".loci/tmp/cookie-" + std::to_string(child) + "-7", alive = ".loci/tmp/cookie-1-7",
                    other = ".loci/tmp/draft";
  WatchedFolder folder(inotify, [&](const TemporaryFolder& outside) {
    for (const std::string& file : {dead, alive, other}) outside.write("vault/" + file, "");
  });
  EXPECT_FALSE(fs::exists(folder / dead));
  EXPECT_TRUE(fs::exists(folder / alive));
  EXPECT_TRUE(fs::exists(folder / other));
}

TEST(Probes, WithoutTheirFolderThereAreNone) {
  WatchedFolder folder;
  Synchronized<ChangeSet> changes;
  auto options = folder.options(inotify);
  options.probe.clear();
  EXPECT_EQ(Watcher::open(options, changes).value()->probe(), std::nullopt);
  options.probe = folder / "missing";
  EXPECT_EQ(Watcher::open(options, changes).value()->probe(), std::nullopt);
}

TEST(Probes, TheyEndWithTheirFolderAndComeBackWithIt) {
  WatchedFolder folder;
  folder.forget_the_start();
  fs::remove_all(folder / ".loci");
  folder.step();
  EXPECT_EQ(folder.watcher().probe(), std::nullopt);
  fs::create_directories(folder / ".loci/tmp");
  ASSERT_TRUE(folder.watcher().restart("no probes"));
  const auto probe = folder.watcher().probe();
  ASSERT_TRUE(probe);
  folder.step();
  EXPECT_EQ(folder.watcher().passed(), *probe);
}

TEST(Probes, ARestartLetsThemPassByItsRescan) {
  WatchedFolder folder;
  folder.forget_the_start();
  const auto probe = folder.watcher().probe();
  ASSERT_TRUE(folder.watcher().restart("deaf"));
  EXPECT_EQ(folder.watcher().passed(), *probe);
  EXPECT_EQ(folder.rescan(), "deaf");
}

TEST(Probes, TheProbeFolderIsNeverReadAsPartOfTheTree) {
  WatchedFolder folder;
  Synchronized<ChangeSet> changes;
  auto options = folder.options(inotify);
  options.enters = [](std::string_view) { return true; };
  options.counts = [](std::string_view) { return true; };
  const auto watcher = Watcher::open(options, changes).value();
  const auto step = [&] { ASSERT_TRUE(watcher->step(std::chrono::steady_clock::now())); };
  step();
  EXPECT_EQ(watcher->state().watches, 3) << "root, .loci, .loci/tmp";
  folder.write(".loci/tmp/draft.md", "");
  ASSERT_TRUE(watcher->probe());
  step();
  EXPECT_THAT(changes.with([](ChangeSet& set) { return set.take_all(); }), IsEmpty());
  fs::remove_all(folder / ".loci/tmp");
  fs::create_directory(folder / ".loci/tmp");
  step();
  const auto probe = watcher->probe();
  ASSERT_TRUE(probe) << "its parent is watched, so it is found again";
  step();
  EXPECT_EQ(watcher->passed(), *probe);

  changes.with([](ChangeSet& set) { return set.take_rescan(); });
  fs::rename(folder / ".loci/tmp", folder / ".loci/old");
  step();
  EXPECT_EQ(watcher->probe(), std::nullopt);
  fs::create_directory(folder / ".loci/tmp");
  folder.write(".loci/old/a.md", "");
  step();
  const auto last = watcher->probe();
  ASSERT_TRUE(last);
  step();
  EXPECT_EQ(watcher->passed(), *last);
  EXPECT_EQ(changes.with([](ChangeSet& set) { return set.take_rescan(); }), std::nullopt);
}

}  // namespace
}  // namespace loci
