#include "vault/archive/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/manual_clock.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_environment.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class JournalTest : public testing::Test {
 protected:
  JournalTest() { std::filesystem::create_directories(folder_ / "vault"); }

  JournalRecord record(std::string id, std::string bytes = "bytes\n") const {
    return {.id = std::move(id),
            .at = clock_.now(),
            .file = "archive/2026-11-21.md",
            .offset = 17,
            .bytes = std::move(bytes),
            .behind = "before",
            .head = "abc"};
  }
  std::vector<std::string> ids() const {
    std::vector<std::string> ids;
    const auto records = read_journal(vault_);
    EXPECT_TRUE(records);
    for (const JournalRecord& one : *records) ids.push_back(one.id);
    return ids;
  }
  path folder() const { return vault_.state_folder() / "journal"; }

  TemporaryFolder folder_;
  ManualClock clock_;
  Vault vault_ = *Vault::open((std::filesystem::create_directories(folder_ / "vault"), folder_ / "vault"), environment_in(folder_),
                              real_file_system(), clock_);
};

TEST_F(JournalTest, GivesBackWhatWasWritten) {
  EXPECT_THAT(ids(), IsEmpty());
  const JournalRecord one = record("one", "\n<!--m {}-->\nä \"quoted\" \\ \x01 <b>\n");
  ASSERT_TRUE(write_journal(vault_, one));
  EXPECT_THAT(*read_journal(vault_), ElementsAre(one));
  const path file = folder() / "2026-11-21.jsonl";
  EXPECT_EQ(std::filesystem::status(file).permissions(), std::filesystem::perms(0600));
  EXPECT_EQ(std::filesystem::status(folder()).permissions(), std::filesystem::perms(0700));
}

TEST_F(JournalTest, KeepsADay) {
  ASSERT_TRUE(write_journal(vault_, record("one")));
  clock_.advance(std::chrono::hours(20));
  ASSERT_TRUE(write_journal(vault_, record("two")));
  EXPECT_THAT(ids(), ElementsAre("one", "two"));
  clock_.advance(std::chrono::hours(5));
  EXPECT_THAT(ids(), ElementsAre("two"));
  clock_.advance(std::chrono::hours(24));
  ASSERT_TRUE(write_journal(vault_, record("three")));
  EXPECT_THAT(ids(), ElementsAre("three"));
  EXPECT_FALSE(std::filesystem::exists(folder() / "2026-11-21.jsonl"));
  EXPECT_TRUE(std::filesystem::exists(folder() / "2026-11-22.jsonl"));
}

TEST_F(JournalTest, AWithdrawnWriteIsGone) {
  ASSERT_TRUE(write_journal(vault_, record("one")));
  ASSERT_TRUE(write_journal(vault_, record("two")));
  ASSERT_TRUE(withdraw_from_journal(vault_, record("one")));
  EXPECT_THAT(ids(), ElementsAre("two"));
}

TEST_F(JournalTest, ATornOrBrokenLineCostsNoOther) {
  ASSERT_TRUE(write_journal(vault_, record("one")));
  const std::string file = (folder() / "2026-11-21.jsonl").lexically_relative(folder_.path());
  folder_.append(file, "{\"id\":\"torn\",\"at\":\"2026-");
  ASSERT_TRUE(write_journal(vault_, record("two")));
  folder_.append(file, "[1]\nnonsense\n{\"id\":1}\n");
  ASSERT_TRUE(write_journal(vault_, record("three")));
  EXPECT_THAT(ids(), ElementsAre("one", "two", "three"));
}

}  // namespace
}  // namespace loci
