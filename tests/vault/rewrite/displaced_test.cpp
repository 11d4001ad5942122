#include "vault/rewrite/displaced.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "tests/support/faulty_file_system.h"
#include "tests/support/manual_clock.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_environment.h"
#include "tests/vault/racing_person.h"
#include "vault/rewrite/replace.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class DisplacedTest : public testing::Test {
 protected:
  DisplacedTest() { folder_.write("vault/notes/a.md", "old\n"); }

  Vault vault(FileSystem& files = real_file_system()) {
    return *Vault::open(folder_ / "vault", environment_in(folder_), files, clock_);
  }
  // An editor opens the file, loci replaces it.
  Fd open_and_replace() {
    Fd held(::open((folder_ / "vault/notes/a.md").c_str(), O_WRONLY | O_CLOEXEC));
    EXPECT_TRUE(replace_file(vault(), "notes/a.md", "old\n", "new\n", no_pause));
    return held;
  }
  DisplacedReport check() {
    const auto report = check_displaced(vault());
    EXPECT_TRUE(report) << report.error().message;
    return report.value_or(DisplacedReport{});
  }
  std::map<std::string, std::string> kept() const { return folder_.contents("vault/.loci/tmp"); }

  TemporaryFolder folder_;
  ManualClock clock_{"2026-11-21T20:14:43Z"};
};

TEST_F(DisplacedTest, NothingIsDoneInAVaultWithoutReplaces) {
  EXPECT_EQ(check().next, std::nullopt);
  EXPECT_FALSE(folder_.has("vault/.loci"));
}

TEST_F(DisplacedTest, IsLookedAtAfterFiveSecondsAndRemovedAfterADay) {
  (void)open_and_replace();
  EXPECT_EQ(check().next, clock_.now() + displaced_first_look);
  clock_.advance(displaced_first_look);
  EXPECT_EQ(check().next, clock_.now() - displaced_first_look + displaced_keeps);
  clock_.advance(displaced_keeps - displaced_first_look - std::chrono::milliseconds(1));
  EXPECT_EQ(check().next, clock_.now() + std::chrono::milliseconds(1));
  EXPECT_THAT(kept(), SizeIs(2));
  clock_.advance(std::chrono::milliseconds(1));
  const DisplacedReport last = check();
  EXPECT_EQ(last.next, std::nullopt);
  EXPECT_THAT(last.conflict_files, IsEmpty());
  EXPECT_THAT(kept(), IsEmpty());
  EXPECT_EQ(folder_.read("vault/notes/a.md"), "new\n");
}

TEST_F(DisplacedTest, ASaveThatWentThereBecomesAConflictFile) {
  for (const std::chrono::milliseconds later :
       {std::chrono::milliseconds(displaced_first_look), std::chrono::milliseconds(displaced_keeps)}) {
    folder_.write("vault/notes/a.md", "old\n");
    const Fd held = open_and_replace();
    ASSERT_EQ(::write(held.get(), "mine", 4), 4);
    clock_.advance(later);
    const DisplacedReport report = check();
    ASSERT_THAT(report.conflict_files, SizeIs(1));
    EXPECT_EQ(folder_.read("vault/" + report.conflict_files[0]), "mine");
    EXPECT_EQ(folder_.read("vault/notes/a.md"), "new\n");
    EXPECT_THAT(kept(), IsEmpty());
    // The editor writes on: into the file that is visible by now.
    ASSERT_EQ(::write(held.get(), " too\n", 5), 5);
    EXPECT_EQ(folder_.read("vault/" + report.conflict_files[0]), "mine too\n");
  }
}

TEST_F(DisplacedTest, ASaveBetweenTheLooksIsFoundByAnyLook) {
  const Fd held = open_and_replace();
  clock_.advance(displaced_first_look);
  EXPECT_THAT(check().conflict_files, IsEmpty());
  ASSERT_EQ(::write(held.get(), "mine", 4), 4);
  EXPECT_THAT(check().conflict_files, SizeIs(1));
}

TEST_F(DisplacedTest, AnEmptiedFileIsWaitedFor) {
  const Fd held = open_and_replace();
  ASSERT_EQ(::ftruncate(held.get(), 0), 0);
  clock_.advance(displaced_first_look);
  const DisplacedReport empty = check();
  EXPECT_THAT(empty.conflict_files, IsEmpty());
  EXPECT_EQ(empty.next, clock_.now() + displaced_first_look);
  ASSERT_EQ(::write(held.get(), "mine", 4), 4);
  EXPECT_THAT(check().conflict_files, SizeIs(1));
}

TEST_F(DisplacedTest, WhatAPurgeHasRewrittenIsNobodysSave) {
  (void)open_and_replace();
  for (const auto& [name, bytes] : kept()) {
    const bool is_kept = name.find(".kept-") != std::string::npos;
    ASSERT_TRUE(!is_kept || write_file(real_file_system(), folder_ / name, "(purged)\n"));
  }
  clock_.advance(displaced_first_look);
  EXPECT_THAT(check().conflict_files, IsEmpty());
  clock_.advance(displaced_keeps);
  EXPECT_EQ(check().next, std::nullopt);
  EXPECT_THAT(kept(), IsEmpty());
}

TEST_F(DisplacedTest, AClockThatWasAheadKeepsNothingForEver) {
  clock_.advance(std::chrono::hours(24 * 365));
  (void)open_and_replace();
  clock_.set("2026-11-21T20:14:43Z");
  EXPECT_EQ(check().next, clock_.now() + displaced_first_look);
  clock_.advance(displaced_keeps);
  EXPECT_EQ(check().next, std::nullopt);
  EXPECT_THAT(kept(), IsEmpty());
}

TEST_F(DisplacedTest, AnOriginalWithoutFolderGetsItAgain) {
  const Fd held = open_and_replace();
  std::filesystem::remove_all(folder_ / "vault/notes");
  ASSERT_EQ(::write(held.get(), "mine", 4), 4);
  clock_.advance(displaced_first_look);
  EXPECT_THAT(check().conflict_files, ElementsAre("notes/a.loci-conflict-20261121T201448Z.md"));
}

TEST_F(DisplacedTest, LocisOwnFilesAreNotKept) {
  folder_.write("vault/.loci/config.toml", "a");
  ASSERT_TRUE(replace_file(vault(), ".loci/config.toml", "a", "b", no_pause));
  EXPECT_THAT(kept(), IsEmpty());
}

TEST_F(DisplacedTest, NamesAreToldFromThoseOfUnfinishedWrites) {
  (void)open_and_replace();
  for (const auto& [name, bytes] : kept()) EXPECT_TRUE(is_displaced_name(path(name).filename().string())) << name;
  EXPECT_FALSE(is_displaced_name("a.md.write-0123456789abcdef-0123456789abcdef-01jd8x2k9c4qw0r3"));
  EXPECT_FALSE(is_displaced_name("canary"));
}

TEST_F(DisplacedTest, AFailureLosesNothingAndIsTriedAgain) {
  for (size_t number = 0, calls = 1; number < calls; ++number) {
    folder_.write("vault/notes/a.md", "old\n");
    const Fd held = open_and_replace();
    ASSERT_EQ(::write(held.get(), "mine", 4), 4);
    clock_.advance(displaced_first_look);
    FaultyFileSystem files;
    const Vault faulty = vault(files);
    files.fail_call(number, EIO);
    (void)check_displaced(faulty);
    calls = files.calls().size();
    (void)check();
    bool found = false;
    for (const auto& [name, bytes] : folder_.contents("vault/notes")) found |= bytes == "mine";
    EXPECT_TRUE(found) << files.calls().at(number);
    std::filesystem::remove_all(folder_ / "vault/notes");
  }
}

}  // namespace
}  // namespace loci
