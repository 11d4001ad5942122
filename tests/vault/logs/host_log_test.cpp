#include "vault/logs/host_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/support/manual_clock.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_environment.h"

namespace loci {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

class HostLogTest : public testing::Test {
 protected:
  HostLogTest() { fs::create_directories(folder_ / "vault"); }

  Vault open(const std::string& host = "test") {
    auto vault = Vault::open(folder_ / "vault", environment_in(folder_, host), real_file_system(), clock_);
    EXPECT_TRUE(vault) << vault.error().message;
    return std::move(*vault);
  }

  mode_t mode(const std::string& file) {
    struct stat info{};
    EXPECT_EQ(::stat((folder_ / file).c_str(), &info), 0);
    return info.st_mode & 0777;
  }

  TemporaryFolder folder_;
  ManualClock clock_;
};

TEST_F(HostLogTest, EveryMachineReadsWhatAllHaveWritten) {
  const Vault here = open("here"), there = open("there");
  ASSERT_TRUE(HostLog(there, "removed").append("{\"n\":1}\n"));
  ASSERT_TRUE(HostLog(here, "removed").append("{\"n\":2}\n{\"n\":3}\n"));
  const auto logs = HostLog(here, "removed").read();
  ASSERT_TRUE(logs);
  ASSERT_EQ(logs->size(), 2u);
  EXPECT_EQ(logs->front().path, ".loci/removed/here.jsonl");
  EXPECT_EQ(logs->front().bytes, "{\"n\":2}\n{\"n\":3}\n");
  EXPECT_EQ(*HostLog(there, "removed").read_own(), "{\"n\":1}\n");
}

TEST_F(HostLogTest, ALogIsItsOwnersAlone) {
  ASSERT_TRUE(HostLog(open(), "recall").append("{}\n"));
  EXPECT_EQ(mode("vault/.loci/recall"), 0700u);
  EXPECT_EQ(mode("vault/.loci/recall/test.jsonl"), 0600u);
}

TEST_F(HostLogTest, AFolderThatIsALinkLeadsNoWriteAndNoReadOutOfTheVault) {
  for (const char* name : {"ledger", "tombstones", "removed", "recall"}) {
    SCOPED_TRACE(name);
    folder_.write("outside/test.jsonl", "{\"theirs\":1}\n");
    fs::create_directories(folder_ / "vault/.loci");
    fs::create_symlink(folder_ / "outside", folder_ / "vault/.loci" / name);
    const Vault vault = open();
    const HostLog log(vault, name);
    EXPECT_EQ(log.append("{}\n").error().code, ErrorCode::refused);
    EXPECT_EQ(log.read().error().code, ErrorCode::refused);
    EXPECT_EQ(log.read_own().error().code, ErrorCode::refused);
    EXPECT_EQ(read_host_log(vault, log.own_path()).error().code, ErrorCode::refused);
    EXPECT_EQ(folder_.read("outside/test.jsonl"), "{\"theirs\":1}\n");
  }
}

TEST_F(HostLogTest, AFolderAboveThatIsALinkDoesNotEither) {
  folder_.write("outside/recall/test.jsonl", "{\"theirs\":1}\n");
  fs::create_symlink(folder_ / "outside", folder_ / "vault/.loci");
  const Vault vault = open();
  const HostLog log(vault, "recall");
  EXPECT_EQ(log.append("{}\n").error().code, ErrorCode::refused);
  EXPECT_EQ(log.read().error().code, ErrorCode::refused);
  EXPECT_EQ(folder_.read("outside/recall/test.jsonl"), "{\"theirs\":1}\n");
  EXPECT_FALSE(folder_.has("outside/hosts"));
}

TEST_F(HostLogTest, ALogThatIsALinkIsNeitherWrittenNorRead) {
  folder_.write("outside/test.jsonl", "{\"theirs\":1}\n");
  const Vault vault = open();
  const HostLog log(vault, "removed");
  fs::create_directories(folder_ / "vault/.loci/removed");
  fs::create_symlink(folder_ / "outside/test.jsonl", folder_ / "vault/.loci/removed/test.jsonl");
  EXPECT_FALSE(log.append("{}\n"));
  EXPECT_EQ(log.read_own().error().code, ErrorCode::refused);
  EXPECT_THAT(*log.read(), IsEmpty()) << "nothing in it counts";
  EXPECT_EQ(folder_.read("outside/test.jsonl"), "{\"theirs\":1}\n");
}

TEST_F(HostLogTest, ATornLastLineDoesNotCountAndIsToldOf) {
  folder_.write("vault/.loci/removed/test.jsonl", "{\"n\":1}\nnonsense\n{\"n\":2}");
  const Vault vault = open();
  std::vector<int> numbers;
  const auto visit = [&](int number, const Json&) {
    numbers.push_back(number);
    return true;
  };
  const auto before = HostLog(vault, "removed").read();
  const auto problems = visit_log_lines(before->front(), {}, visit);
  EXPECT_THAT(numbers, ElementsAre(1));
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_EQ(problems[0].code, "broken-line");
  EXPECT_EQ(problems[0].line, 2);
  EXPECT_EQ(problems[1].code, "torn-line");
  EXPECT_EQ(problems[1].line, 3);
  ASSERT_TRUE(HostLog(vault, "removed").append("{\"n\":4}\n"));
  numbers.clear();
  visit_log_lines(HostLog(vault, "removed").read()->front(), {}, visit);
  EXPECT_THAT(numbers, ElementsAre(1, 3, 4)) << "the next write ended it";
}

TEST_F(HostLogTest, AnotherSignatureMeansAnotherLog) {
  const Vault vault = open();
  const HostLog log(vault, "ledger");
  const auto none = log.signature();
  ASSERT_TRUE(log.append("{}\n"));
  const auto one = log.signature();
  EXPECT_NE(none, one);
  EXPECT_EQ(log.signature(), one);
  ASSERT_TRUE(log.append("{}\n"));
  EXPECT_NE(log.signature(), one);
}

}  // namespace
}  // namespace loci
