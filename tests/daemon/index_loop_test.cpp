#include "daemon/index_loop.h"

#include <gmock/gmock.h>

#include <thread>

#include "base/process_lock.h"
#include "tests/support/faulty_file_system.h"
#include "tests/support/manual_clock.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_environment.h"

namespace loci {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

// The loop is driven by hand: step() is called when there is something to do, so it never waits; its time is moved.
struct IndexLoopTest : testing::Test {
  IndexLoopTest() {
    write("a.md", "The heron stands.\n");
    vault.emplace(Vault::open(folder / "vault", environment_in(folder), file_system, clock).value());
  }

  void write(const std::string& file, std::string_view bytes) const { folder.write("vault/" + file, bytes); }

  // By the clock of the vault.
  void write_a_moment_ago(const std::string& file, std::string_view bytes) const {
    write(file, bytes);
    const auto then = std::chrono::file_clock::from_sys(clock.now() - 100ms);
    std::filesystem::last_write_time(folder / ("vault/" + file),
                                     std::chrono::time_point_cast<std::chrono::file_clock::duration>(then));
  }

  void open() {
    changes.change([](ChangeSet& set) { set.want_rescan("start"); });  // as the watcher does
    loop =
        IndexLoop::open({.vault = *vault,
                         .changes = changes,
                         .root_stands = [this] { return root_stands; },
                         .restart_watcher =
                             [this](const std::string& reason) {
                               watcher_restarts.push_back(reason);
                               root_stands = true;
                             },
                         .rescan_every = [] { return std::chrono::milliseconds(15min); },
                         .index_changed = [this](const std::vector<std::string>&) { ++index_changes; },
                         .looked_at = [this](const auto& files) { looked_at.insert(looked_at.end(), files.begin(), files.end()); },
                         .settings_changed = [this] { ++settings_changes; },
                         .now = [this] { return std::chrono::steady_clock::now() + later; }},
                        0ms)
            .value();
  }

  void step() {
    loop->nudge();
    ASSERT_TRUE(loop->step());
  }
  void open_clean() {
    open();
    step();
    looked_at.clear();
  }

  // An event as the watcher reports it.
  void saved(const std::string& file) {
    changes.change([&](ChangeSet& set) { set.add_finished(file, std::chrono::steady_clock::now() + later); });
  }
  void written_to(const std::string& file) {
    changes.change([&](ChangeSet& set) { set.add_unfinished(file, std::chrono::steady_clock::now() + later); });
  }

  std::vector<std::string> texts() const {
    std::vector<std::string> found;
    auto reader = IndexReader::open(vault->state_folder());
    if (!reader) return {"no index: " + reader.error().message};
    const auto entries = reader->list(EntryFilter{}, 100);
    for (const Entry& entry : entries.value()) found.push_back(entry.text);
    return found;
  }

  TemporaryFolder folder;
  FaultyFileSystem file_system;
  ManualClock clock{"2036-11-21T20:14:43Z"};  // years after the files were written: no scan takes them for half-written
  std::optional<Vault> vault;
  Synchronized<ChangeSet> changes;
  bool root_stands = true;
  std::chrono::milliseconds later{0};
  std::vector<std::string> watcher_restarts, looked_at;
  int index_changes = 0, settings_changes = 0;
  std::shared_ptr<IndexLoop> loop;
};

TEST_F(IndexLoopTest, TheFirstStepScansEverything) {
  open();
  step();
  EXPECT_THAT(texts(), ElementsAre("The heron stands."));
  EXPECT_EQ(loop->state().rescans_by_reason.at("start"), 1u);
  EXPECT_TRUE(loop->state().clean_at);
}

TEST_F(IndexLoopTest, AScanThatWasWantedForSeveralReasonsCountsForEach) {
  open_clean();
  changes.change([](ChangeSet& set) {
    set.want_rescan("files have come to rest");
    set.want_rescan("the watcher was deaf");
    set.want_rescan("no inotify watches are left: raise a limit");
  });
  step();
  const auto state = loop->state();
  EXPECT_EQ(state.rescans, 2u);
  EXPECT_THAT(state.rescans_by_reason,
              UnorderedElementsAre(Pair("start", 1), Pair("files have come to rest", 1), Pair("the watcher was deaf", 1),
                                   Pair("no inotify watches are left", 1)));
}

TEST_F(IndexLoopTest, ASaveIsTakenInAtOnceAndNothingElseIsLookedAt) {
  open_clean();
  write("b.md", "The egret flies.\n");
  write("unseen.md", "Nobody said that this changed.\n");
  saved("b.md");
  step();
  EXPECT_THAT(texts(), UnorderedElementsAre("The heron stands.", "The egret flies."));
  EXPECT_THAT(looked_at, ElementsAre("b.md"));
  EXPECT_EQ(loop->state().rescans, 1u);
}

TEST_F(IndexLoopTest, ReadersAreToldOfWhatIsNewAndNotOfWhatTheIndexHad) {
  open_clean();
  const int before = index_changes;
  saved("a.md");
  step();
  EXPECT_EQ(index_changes, before);
  write("a.md", "The heron flies.\n");
  saved("a.md");
  step();
  EXPECT_EQ(index_changes, before + 1);
  std::filesystem::remove(folder / "vault/a.md");
  saved("a.md");
  step();
  later += 2001ms;
  step();
  EXPECT_EQ(index_changes, before + 2);
}

TEST_F(IndexLoopTest, AFileThatIsBeingWrittenWaitsUntilItIsQuiet) {
  open_clean();
  write("a.md", "The heron st");
  written_to("a.md");
  step();
  EXPECT_THAT(texts(), ElementsAre("The heron stands."));
  later += 301ms;
  step();
  EXPECT_THAT(texts(), ElementsAre("The heron st"));
}

TEST_F(IndexLoopTest, ASaveThatAScanMeetsDoesNotWait) {
  open_clean();
  write_a_moment_ago("b.md", "The egret flies.\n");
  saved("b.md");
  changes.change([](ChangeSet& set) { set.want_rescan("at the same time"); });
  step();
  EXPECT_THAT(texts(), UnorderedElementsAre("The heron stands.", "The egret flies."));
}

TEST_F(IndexLoopTest, OneSaveAfterTheOtherIsNotMetByOneScanAfterTheOther) {
  open_clean();
  for (const char* file : {"b.md", "c.md", "d.md"}) {
    write_a_moment_ago(file, "The egret flies.\n");
    saved(file);
    if (file == std::string("b.md")) changes.change([](ChangeSet& set) { set.want_rescan("at the same time"); });
    step();
    step();
  }
  EXPECT_EQ(loop->state().rescans, 2u);
  later += 1'001ms;
  step();
  step();
  EXPECT_EQ(loop->state().rescans, 3u);
  EXPECT_EQ(loop->state().last_reason, "files have come to rest");
}

TEST_F(IndexLoopTest, AFileThatIsSuddenlyEmptyKeepsItsEntriesForTwoSeconds) {
  open_clean();
  write("a.md", "");
  saved("a.md");
  step();
  EXPECT_THAT(texts(), ElementsAre("The heron stands."));
  later += 2'001ms;
  step();
  EXPECT_THAT(texts(), IsEmpty());
}

TEST_F(IndexLoopTest, AFileThatIsGoneForAMomentLosesNothing) {
  open_clean();
  std::filesystem::rename(folder / "vault/a.md", folder / "vault/a.md~");
  saved("a.md");
  step();
  EXPECT_THAT(texts(), ElementsAre("The heron stands."));
  write("a.md", "The heron sits.\n");
  saved("a.md");
  step();
  EXPECT_THAT(texts(), ElementsAre("The heron sits."));
}

TEST_F(IndexLoopTest, AScanWaitsForAFileThatIsGoneAsAnEventWould) {
  open_clean();
  std::filesystem::remove(folder / "vault/a.md");
  changes.change([](ChangeSet& set) { set.want_rescan("overflow"); });
  step();
  EXPECT_THAT(texts(), ElementsAre("The heron stands."));
  for (int i = 0; i < 2; ++i) {  // comes to rest, and is scanned once more
    later += 2'001ms;
    step();
  }
  EXPECT_THAT(texts(), IsEmpty());
}

TEST_F(IndexLoopTest, WhatACommandAsksForIsTakenInWithoutWaiting) {
  open_clean();
  write("a.md", "The heron st");
  written_to("a.md");
  auto asked = std::async(std::launch::async, [&] { return loop->take_in({"a.md"}, 30s); });
  while (asked.wait_for(0ms) != std::future_status::ready) step();
  EXPECT_TRUE(asked.get());
  EXPECT_THAT(texts(), ElementsAre("The heron st"));
}

TEST_F(IndexLoopTest, ManyWhoAskAtOnceAreAnsweredByOneTransaction) {
  open_clean();
  std::vector<std::future<Result<ReconcileReport>>> asked;
  for (int i = 0; i < 8; ++i) {
    const std::string file = "n" + std::to_string(i) + ".md";
    write(file, "Note " + std::to_string(i) + ".\n");
    std::promise<void> started;
    asked.push_back(std::async(std::launch::async, [this, file] { return loop->take_in({file}, 30s); }));
  }
  const auto before = loop->state().reconciles;
  std::ranges::for_each(asked, [](auto& each) { EXPECT_EQ(each.wait_for(20ms), std::future_status::timeout); });
  step();
  for (auto& each : asked) EXPECT_TRUE(each.get());
  EXPECT_EQ(loop->state().reconciles, before + 1);
  EXPECT_EQ(texts().size(), 9u);
}

TEST_F(IndexLoopTest, WhoeverIsTiredOfWaitingIsToldAndTheFileIsTakenInAllTheSame) {
  open_clean();
  write("b.md", "The egret flies.\n");
  const auto report = loop->take_in({"b.md"}, 0ms);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::locked);
  step();
  EXPECT_THAT(texts(), UnorderedElementsAre("The heron stands.", "The egret flies."));
}

TEST_F(IndexLoopTest, WaitingEndsWithAScanThatFoundWhatNoEventTold) {
  open_clean();
  write("silent.md", "No event told of this.\n");
  auto waiting = std::async(std::launch::async, [&] { return loop->wait_until_clean(30s); });
  while (waiting.wait_for(0ms) != std::future_status::ready) step();
  EXPECT_TRUE(waiting.get());
  EXPECT_THAT(texts(), UnorderedElementsAre("The heron stands.", "No event told of this."));
}

TEST_F(IndexLoopTest, WaitingDoesNotEndWhileAFileIsInTheMiddleOfBeingSaved) {
  open_clean();
  std::filesystem::remove(folder / "vault/a.md");
  auto waiting = std::async(std::launch::async, [&] { return loop->wait_until_clean(30s); });
  while (loop->state().last_reason != "asked for") step();
  EXPECT_EQ(waiting.wait_for(0ms), std::future_status::timeout);
  write("a.md", "The heron sits.\n");
  saved("a.md");
  while (waiting.wait_for(0ms) != std::future_status::ready) step();
  EXPECT_TRUE(waiting.get());
  EXPECT_THAT(texts(), ElementsAre("The heron sits."));
}

TEST_F(IndexLoopTest, WaitingEndsWhenTheLastFileThatAScanLeftForLaterIsIn) {
  open_clean();
  std::filesystem::remove(folder / "vault/a.md");
  auto waiting = std::async(std::launch::async, [&] { return loop->wait_until_clean(30s); });
  while (loop->state().last_reason != "asked for") step();
  later += 2'001ms;
  step();
  // No nudge: what is left to do has to come from the loop itself.
  EXPECT_TRUE(loop->step());
  EXPECT_EQ(waiting.wait_for(1s), std::future_status::ready);
  loop->stop();
  loop->step();
  EXPECT_TRUE(waiting.get());
  EXPECT_THAT(texts(), IsEmpty());
}

TEST_F(IndexLoopTest, AVaultThatIsNotAtItsPlaceLosesNoEntry) {
  open_clean();
  std::filesystem::rename(folder / "vault", folder / "elsewhere");
  root_stands = false;
  changes.change([](ChangeSet& set) { set.want_rescan("root moved"); });
  step();
  ASSERT_TRUE(loop->state().trouble);
  EXPECT_THAT(texts(), ElementsAre("The heron stands."));
  EXPECT_FALSE(loop->freshness()->fresh());
  std::filesystem::rename(folder / "elsewhere", folder / "vault");
  root_stands = true;
  later += 501ms;
  step();
  EXPECT_FALSE(loop->state().trouble);
  EXPECT_THAT(texts(), ElementsAre("The heron stands."));
}

TEST_F(IndexLoopTest, WhoAsksWhileTheVaultIsAwayIsTold) {
  open_clean();
  root_stands = false;
  std::filesystem::rename(folder / "vault", folder / "elsewhere");
  auto asked = std::async(std::launch::async, [&] { return loop->take_in({"a.md"}, 30s); });
  while (asked.wait_for(0ms) != std::future_status::ready) step();
  const auto answer = asked.get();
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().message, testing::HasSubstr("moved away"));
}

TEST_F(IndexLoopTest, AnotherFolderAtTheVaultsPlaceIsLockedAndScanned) {
  open_clean();
  std::filesystem::rename(folder / "vault", folder / "elsewhere");
  write("new.md", "From the new folder.\n");
  root_stands = false;
  step();
  EXPECT_EQ(watcher_restarts.size(), 1u);
  later += 501ms;
  step();
  later += 2'001ms;  // a.md is gone, and waited for
  step();
  EXPECT_THAT(texts(), ElementsAre("From the new folder."));
  const auto second = ProcessLock::acquire(real_file_system(), folder / "vault", 0ms);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::locked);
}

TEST_F(IndexLoopTest, AVaultThatWasMovedAwayIsNotLockedAtItsNewPlace) {
  open_clean();
  std::filesystem::rename(folder / "vault", folder / "elsewhere");
  root_stands = false;
  step();
  auto at_new_place = ProcessLock::acquire(real_file_system(), folder / "elsewhere", 0ms);
  ASSERT_TRUE(at_new_place) << "whoever works with it there must not wait for the daemon of its old place";
  std::filesystem::rename(folder / "elsewhere", folder / "vault");
  root_stands = true;
  later += 501ms;
  step();
  EXPECT_TRUE(loop->state().trouble) << "somebody else is writing";
  at_new_place = fail(ErrorCode::failed, "done");
  later += 501ms;
  step();
  EXPECT_FALSE(loop->state().trouble);
  EXPECT_FALSE(ProcessLock::acquire(real_file_system(), folder / "vault", 0ms));
}

TEST_F(IndexLoopTest, AnEmptyFolderAtTheVaultsPlaceIsNotTakenForTheVault) {
  open_clean();
  std::filesystem::rename(folder / "vault", folder / "elsewhere");  // as if its disk were not mounted any more
  std::filesystem::create_directory(folder / "vault");
  root_stands = false;
  step();
  EXPECT_THAT(watcher_restarts, IsEmpty());
  EXPECT_THAT(texts(), ElementsAre("The heron stands."));
  write("new.md", "From the new folder.\n");
  later += 501ms;
  step();
  EXPECT_EQ(watcher_restarts.size(), 1u);
}

TEST_F(IndexLoopTest, ChangedRulesOfWhatIsIgnoredMakeTheWatcherStartAnew) {
  open_clean();
  write("sub/.lociignore", "x.md\n");
  saved("sub/.lociignore");
  step();
  EXPECT_EQ(watcher_restarts.size(), 1u);
  EXPECT_EQ(settings_changes, 0);
}

TEST_F(IndexLoopTest, ChangedSettingsAreReported) {
  open_clean();
  write(".loci/config.toml", "[vault]\n");
  saved(".loci/config.toml");
  step();
  EXPECT_EQ(settings_changes, 1);
}

TEST_F(IndexLoopTest, SettingsThatAreEmptyForAMomentAreWaitedFor) {
  open_clean();
  write(".loci/config.toml", "");  // an editor that truncates first
  saved(".loci/config.toml");
  step();
  later += 1'900ms;
  step();
  EXPECT_EQ(settings_changes, 0);
  write(".loci/config.toml", "[vault]\n");
  saved(".loci/config.toml");
  step();
  EXPECT_EQ(settings_changes, 1);
}

TEST_F(IndexLoopTest, TheIndexIsScannedAgainFromTimeToTime) {
  open_clean();
  write("silent.md", "No event told of this.\n");
  later += 15min + 1ms;
  step();
  EXPECT_EQ(texts().size(), 2u);
  EXPECT_EQ(loop->state().last_reason, "periodic");
}

TEST_F(IndexLoopTest, AFileThatCannotBeReadIsTriedAgainThoughNoEventTells) {
  open_clean();
  const auto save = [&](const std::string& file) {
    write(file, "Of " + file + ".\n");
    saved(file);
    step();
  };
  file_system.fail_nothing();
  save("b.md");
  const auto opened = std::ranges::find_if(file_system.calls(), [](const std::string& call) { return call.ends_with("/b.md"); });
  ASSERT_NE(opened, file_system.calls().end());
  file_system.fail_call(static_cast<size_t>(opened - file_system.calls().begin()), EIO);
  save("c.md");
  EXPECT_EQ(texts().size(), 2u);
  file_system.fail_nothing();
  later += 5'001ms;
  step();
  EXPECT_EQ(texts().size(), 3u);
  EXPECT_EQ(loop->state().last_reason, "files could not be read");
}

TEST_F(IndexLoopTest, SomebodyElsesLockIsAnError) {
  const auto held = ProcessLock::acquire(real_file_system(), folder / "vault", 0ms);
  ASSERT_TRUE(held);
  const auto opened = IndexLoop::open({.vault = *vault,
                                       .changes = changes,
                                       .root_stands = [] { return true; },
                                       .restart_watcher = {},
                                       .rescan_every = [] { return std::chrono::milliseconds(15min); },
                                       .index_changed = {},
                                       .looked_at = {},
                                       .settings_changed = {}},
                                      0ms);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::locked);
}

TEST_F(IndexLoopTest, WhoStillWaitsWhenItStopsIsTold) {
  open_clean();
  auto asked = std::async(std::launch::async, [&] { return loop->wait_until_clean(30s); });
  while (asked.wait_for(1ms) != std::future_status::ready) {
    loop->stop();
    EXPECT_FALSE(loop->step());
  }
  const auto answer = asked.get();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::locked);
}

TEST_F(IndexLoopTest, AnIndexThatSomebodyRemovedIsBuiltAnew) {
  open_clean();
  std::filesystem::remove_all(vault->state_folder());
  write("b.md", "The egret flies.\n");
  saved("b.md");
  step();
  EXPECT_THAT(texts(), UnorderedElementsAre("The heron stands.", "The egret flies."));
}

TEST_F(IndexLoopTest, AnIndexThatCannotBeWrittenIsReportedAndTriedAgain) {
  open_clean();
  std::filesystem::remove_all(vault->state_folder());
  write("b.md", "The egret flies.\n");
  folder.write("home/.local/state/loci/" + vault->id(), "a file where the folder should be");
  auto asked = std::async(std::launch::async, [&] { return loop->reindex(true, {}); });
  while (asked.wait_for(0ms) != std::future_status::ready) step();
  EXPECT_FALSE(asked.get());
  EXPECT_TRUE(loop->state().trouble);
  std::filesystem::remove(vault->state_folder());
  later += 5'001ms;
  step();
  EXPECT_FALSE(loop->state().trouble) << loop->state().trouble->message;
  EXPECT_EQ(texts().size(), 2u);
}

}  // namespace
}  // namespace loci
