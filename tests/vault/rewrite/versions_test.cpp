#include "vault/rewrite/versions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/forwarding_file_system.h"
#include "tests/support/manual_clock.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_environment.h"
#include "tests/vault/racing_person.h"
#include "vault/rewrite/replace.h"
#include "vault/rewrite/write_names.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::SizeIs;
using Kind = Version::Kind;

class VersionsTest : public testing::Test {
 protected:
  static constexpr const char* file = "consolidated/memory.md";

  VersionsTest() { folder_.write("vault/consolidated/memory.md", "one\n"); }

  Vault vault() { return *Vault::open(folder_ / "vault", environment_in(folder_), real_file_system(), clock_); }
  std::vector<Version> known(const std::string& name = file) { return versions_of(vault(), name).value(); }
  std::vector<Kind> kinds() {
    std::vector<Kind> all;
    for (const Version& version : known()) all.push_back(version.kind);
    return all;
  }

  TemporaryFolder folder_;
  ManualClock clock_;
};

TEST_F(VersionsTest, AReplaceNotesWhatItWroteOverAndWhatItWrote) {
  ASSERT_TRUE(replace_file(vault(), file, "one\n", "two\n"));
  EXPECT_THAT(kinds(), ElementsAre(Kind::found, Kind::wrote));
  EXPECT_EQ(bytes_of(vault(), file, known()[0]).value(), "one\n");
  EXPECT_EQ(bytes_of(vault(), file, known()[1]).value(), "two\n");
}

// Else a save of the next moment would pass for a file that a sync tool brought, older than what it stands over.
TEST_F(VersionsTest, WhoeverSavesOverWhatWasWrittenSavesLater) {
  class SlowExchange final : public ForwardingFileSystem {
   public:
    explicit SlowExchange(ManualClock& clock) : clock_(clock) {}
    Status exchange(const path& a, const path& b) override {
      auto done = below_.exchange(a, b);
      exchanged_at = clock_.now();
      clock_.advance(std::chrono::milliseconds(7));
      return done;
    }
    Instant exchanged_at{};

   private:
    ManualClock& clock_;
  };
  SlowExchange files(clock_);
  const auto slow = Vault::open(folder_ / "vault", environment_in(folder_), files, clock_);
  ASSERT_TRUE(replace_file(*slow, file, "one\n", "two\n"));
  ASSERT_EQ(known().back().kind, Kind::wrote);
  EXPECT_LE(known().back().at, files.exchanged_at);
}

TEST_F(VersionsTest, WhatIsKnownAlreadyIsNoFind) {
  ASSERT_TRUE(note_version(vault(), file, Kind::understood, "one\n"));
  ASSERT_TRUE(replace_file(vault(), file, "one\n", "two\n"));
  ASSERT_TRUE(replace_file(vault(), file, "two\n", "three\n"));
  EXPECT_THAT(kinds(), ElementsAre(Kind::understood, Kind::wrote, Kind::wrote));
}

TEST_F(VersionsTest, WhatWasMadeOnAnotherBranchCountsOnlyThere) {
  const auto check_out = [&](const std::string& head) { folder_.write("vault/.git/HEAD", head + "\n"); };
  check_out("ref: refs/heads/main");
  ASSERT_TRUE(note_home_branch(vault(), "refs/heads/main"));
  ASSERT_TRUE(replace_file(vault(), file, "one\n", "two\n"));
  const auto at_home = known();
  for (const char* head : {"ref: refs/heads/other", "0123456789012345678901234567890123456789"}) {
    check_out(head);
    folder_.write("vault/consolidated/memory.md", "before\n");
    ASSERT_TRUE(replace_file(vault(), file, "before\n", "there\n"));
    EXPECT_THAT(known(), SizeIs(testing::Gt(at_home.size())));
    EXPECT_EQ(bytes_of(vault(), file, known().back()).value(), "there\n");
    check_out("ref: refs/heads/main");
    EXPECT_EQ(known(), at_home);
  }
  ASSERT_TRUE(note_home_branch(vault(), ""));
  check_out("ref: refs/heads/other");
  ASSERT_TRUE(note_version(vault(), file, Kind::understood, "here\n"));
  EXPECT_FALSE(known().back().away);
}

TEST_F(VersionsTest, TheFilesThatHaveThemAreKnownByName) {
  ASSERT_TRUE(replace_file(vault(), file, "one\n", "two\n"));
  ASSERT_TRUE(note_version(vault(), "MEMORY.md", Kind::understood, "core\n"));
  EXPECT_THAT(files_with_versions(vault(), {}).value(), ElementsAre("MEMORY.md", file));
  EXPECT_THAT(files_with_versions(vault(), {file, "consolidated/other.md"}).value(), ElementsAre("MEMORY.md"));
}

TEST_F(VersionsTest, AReplaceThatWasRefusedWroteNothing) {
  EXPECT_FALSE(replace_file(vault(), file, "other\n", "two\n", no_pause));
  for (const Version& version : known()) EXPECT_NE(version.kind, Kind::wrote);
}

TEST_F(VersionsTest, WhatAReplaceThatCameTooLateHadReadIsNoFind) {
  ASSERT_TRUE(replace_file(vault(), file, "one\n", "two\n"));
  ASSERT_FALSE(replace_file(vault(), file, "one\n", "three\n"));
  EXPECT_THAT(kinds(), ElementsAre(Kind::found, Kind::wrote));
}

// Editors that save in place empty the file first.
TEST_F(VersionsTest, AFileThatIsEmptyOnlyWhileItIsSavedIsNoFind) {
  ASSERT_TRUE(replace_file(vault(), file, "one\n", "two\n"));
  const auto before = kinds();
  folder_.write("vault/consolidated/memory.md", "");
  int waits = 0;
  const auto replaced = replace_file(vault(), file, "", "of nothing\n", [&](std::chrono::milliseconds) {
    if (++waits == 3) folder_.write("vault/consolidated/memory.md", "a person's\n");
  });
  EXPECT_EQ(replaced.error().code, ErrorCode::refused);
  EXPECT_EQ(folder_.read("vault/consolidated/memory.md"), "a person's\n");
  EXPECT_EQ(kinds(), before);
}

TEST_F(VersionsTest, AFileThatStaysEmptyIsOne) {
  ASSERT_TRUE(replace_file(vault(), file, "one\n", "two\n"));
  folder_.write("vault/consolidated/memory.md", "");
  ASSERT_TRUE(replace_file(vault(), file, "", "three\n", no_pause));
  EXPECT_THAT(kinds(), ElementsAre(Kind::found, Kind::wrote, Kind::found, Kind::wrote));
}

TEST_F(VersionsTest, OnlyFilesThatLociRewritesHaveVersions) {
  folder_.write("vault/notes/a.md", "old\n");
  ASSERT_TRUE(replace_file(vault(), "notes/a.md", "old\n", "new\n"));
  EXPECT_THAT(known("notes/a.md"), SizeIs(0));
  EXPECT_TRUE(has_versions("MEMORY.md"));
  EXPECT_TRUE(has_versions("user.md"));
}

TEST_F(VersionsTest, WhatIsOlderThanAMonthGoesButForTheNewest) {
  ASSERT_TRUE(note_version(vault(), file, Kind::understood, "one\n"));
  ASSERT_TRUE(note_version(vault(), file, Kind::understood, "two\n"));
  clock_.advance(versions_keep + std::chrono::hours(1));
  ASSERT_TRUE(prune_versions(vault()));
  ASSERT_THAT(known(), SizeIs(1));
  EXPECT_EQ(known()[0].hash, content_hash("two\n"));
}

TEST_F(VersionsTest, WhatMayStillBeAskedAboutStays) {
  for (const char* each : {file, "user.md"})
    for (const char* bytes : {"one\n", "two\n"}) ASSERT_TRUE(note_version(vault(), each, Kind::understood, bytes));
  clock_.advance(versions_keep + std::chrono::hours(1));
  ASSERT_TRUE(prune_versions(vault(), {file}, 1));
  EXPECT_THAT(known(), SizeIs(2));
  EXPECT_THAT(known("user.md"), SizeIs(1));
}

TEST_F(VersionsTest, TheOldestGoWhenThereIsTooMuchOfThem) {
  for (const char* bytes : {"one\n", "two\n", "six\n"}) {
    ASSERT_TRUE(note_version(vault(), file, Kind::understood, bytes));
    clock_.advance(std::chrono::seconds(1));
  }
  const Version first = known()[0];
  ASSERT_TRUE(prune_versions(vault(), {}, 8));
  EXPECT_THAT(known(), SizeIs(2));
  EXPECT_EQ(bytes_of(vault(), file, first).value(), std::nullopt);
  EXPECT_EQ(bytes_of(vault(), file, known()[1]).value(), "six\n");
}

TEST_F(VersionsTest, TheyAreReadableForTheirOwnerOnly) {
  ASSERT_TRUE(replace_file(vault(), file, "one\n", "two\n"));
  int files = 0;
  for (const auto& item : std::filesystem::recursive_directory_iterator(vault().state_folder() / "versions")) {
    if (!item.is_regular_file()) continue;
    ++files;
    EXPECT_EQ(item.status().permissions(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_write) << item.path();
  }
  EXPECT_EQ(files, 4);
}

}  // namespace
}  // namespace loci
