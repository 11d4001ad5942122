#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "tests/support/faulty_file_system.h"
#include "tests/support/forwarding_file_system.h"
#include "tests/support/manual_clock.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_environment.h"
#include "vault/layout/host.h"
#include "vault/logs/logs.h"

namespace loci {
namespace {

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Reason = Tombstone::Reason;

class LogFilesTest : public testing::Test {
 protected:
  LogFilesTest() { fs::create_directories(folder_ / "vault"); }

  Vault open(const std::string& host = "test", FileSystem& files = real_file_system()) {
    auto vault = Vault::open(folder_ / "vault", environment_in(folder_, host), files, clock_);
    EXPECT_TRUE(vault) << vault.error().message;
    return std::move(*vault);
  }

  static Tombstone tombstone(const std::string& id, Reason reason = Reason::deleted, const std::string& at = "2026-11-21",
                             char hash = 'a') {
    return {
        .at = *parse_time(at), .id = id, .text_hash = std::string(32, hash), .reason = reason, .by = "user", .superseded_by = ""};
  }

  std::vector<std::string> ids(const std::string& host = "test") {
    std::vector<std::string> found;
    if (!folder_.has(file(host))) return found;
    for (const Tombstone& line : parse_tombstones(folder_.read(file(host)), file(host)).lines) found.push_back(line.id);
    return found;
  }
  static std::string file(const std::string& host = "test") { return "vault/.loci/tombstones/" + host + ".jsonl"; }

  std::optional<Instant> latest(char hash = 'a') {
    const auto found = latest_tombstone_of(open(), std::string(32, hash));
    EXPECT_TRUE(found) << found.error().message;
    return found ? *found : std::nullopt;
  }

  TemporaryFolder folder_;
  ManualClock clock_;
};

TEST_F(LogFilesTest, TheFirstAppendJoinsTheVaultAndMakesTheFile) {
  ASSERT_TRUE(append_tombstones(open(), {tombstone("x"), tombstone("y")}));
  ASSERT_TRUE(append_tombstones(open(), {tombstone("z")}));
  EXPECT_THAT(ids(), ElementsAre("x", "y", "z"));
  EXPECT_TRUE(is_first_host(open()));
  LedgerEntry entry;
  entry.fact = "f";
  entry.fact_hash = std::string(32, 'a');
  ASSERT_TRUE(append_ledger(open(), {entry}));
  EXPECT_EQ(parse_ledger(folder_.read("vault/.loci/ledger/test.jsonl"), "").lines.size(), 1u);
}

TEST_F(LogFilesTest, NothingToAppendWritesNothing) {
  ASSERT_TRUE(append_tombstones(open(), {}));
  EXPECT_FALSE(folder_.has("vault/.loci"));
}

TEST_F(LogFilesTest, EachMachineWritesItsOwnFile) {
  ASSERT_TRUE(append_tombstones(open("aaaa"), {tombstone("x")}));
  ASSERT_TRUE(append_tombstones(open("bbbb"), {tombstone("y")}));
  EXPECT_THAT(ids("aaaa"), ElementsAre("x"));
  EXPECT_THAT(ids("bbbb"), ElementsAre("y"));
}

TEST_F(LogFilesTest, ATornLastLineGetsItsEndFirst) {
  folder_.write(file(), format(tombstone("x")) + R"({"at":"2026-)");
  ASSERT_TRUE(append_tombstones(open(), {tombstone("y")}));
  EXPECT_THAT(ids(), ElementsAre("x", "y"));
  EXPECT_THAT(folder_.read(file()), HasSubstr("{\"at\":\"2026-\n{\"at\""));
}

TEST_F(LogFilesTest, ALinkOutOfTheVaultIsNotWrittenThrough) {
  folder_.write("outside/test.jsonl", "mine\n");
  fs::create_directories(folder_ / "vault/.loci/tombstones");
  fs::create_symlink(folder_ / "outside/test.jsonl", folder_ / file());
  EXPECT_FALSE(append_tombstones(open(), {tombstone("x")}));
  fs::remove_all(folder_ / "vault/.loci/tombstones");
  fs::create_symlink(folder_ / "outside", folder_ / "vault/.loci/tombstones");
  EXPECT_EQ(append_tombstones(open(), {tombstone("x")}).error().code, ErrorCode::refused);
  EXPECT_EQ(folder_.read("outside/test.jsonl"), "mine\n");
}

TEST_F(LogFilesTest, ManyProcessesLoseNothing) {
  constexpr int processes = 8, lines = 20;
  std::vector<pid_t> children;
  const Vault vault = open();
  for (int i = 0; i < processes; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      bool good = true;
      for (int line = 0; line < lines; ++line)
        good &= append_tombstones(vault, {tombstone(std::to_string(i * lines + line))}).has_value();
      ::_exit(good ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  auto found = ids();
  std::ranges::sort(found);
  EXPECT_EQ(std::ranges::unique(found).size(), 0u);
  EXPECT_EQ(found.size(), static_cast<size_t>(processes * lines));
}

// A sync tool puts another file under the name while the first one is written to.
class ReplacingFileSystem final : public ForwardingFileSystem {
 public:
  explicit ReplacingFileSystem(path file) : file_(std::move(file)) {}
  int times = 0;

  Status write_once(const Fd& fd, std::string_view bytes, const path& name) override {
    if (name == file_ && times-- > 0) {
      fs::copy_file(file_, file_.string() + ".new", fs::copy_options::overwrite_existing);
      fs::rename(file_.string() + ".new", file_);
    }
    return ForwardingFileSystem::write_once(fd, bytes, name);
  }

 private:
  path file_;
};

TEST_F(LogFilesTest, ALineThatWentIntoAFileThatWasReplacedIsWrittenAgain) {
  folder_.write(file(), format(tombstone("old")));
  ReplacingFileSystem files(folder_ / file());
  const Vault vault = open("test", files);
  files.times = 1;
  ASSERT_TRUE(append_tombstones(vault, {tombstone("x")}));
  EXPECT_THAT(ids(), ElementsAre("old", "x"));
  files.times = 100;
  EXPECT_FALSE(append_tombstones(vault, {tombstone("y")})) << "never said to be done when it is not";
}

TEST_F(LogFilesTest, AFaultAtAnyCallLeavesTheOldLinesOrTheNewOnes) {
  FaultyFileSystem files;
  const Vault vault = open("test", files);
  const std::vector<Tombstone> batch = {tombstone("x"), tombstone("y"), tombstone("z")};
  for (const bool exists : {false, true}) {
    const auto lay = [&] {
      fs::remove_all(folder_ / "vault/.loci");
      if (exists) folder_.write(file(), format(tombstone("old")));
    };
    lay();
    files.fail_nothing();
    ASSERT_TRUE(append_tombstones(vault, batch));
    const auto calls = files.calls();
    for (size_t call = 0; call < calls.size(); ++call)
      for (const int error_number : {ENOSPC, EIO}) {
        SCOPED_TRACE(calls[call]);
        lay();
        files.fail_call(call, error_number);
        const auto appended = append_tombstones(vault, batch);
        const auto old_lines = exists ? std::vector<std::string>{"old"} : std::vector<std::string>{};
        auto new_lines = old_lines;
        for (const Tombstone& line : batch) new_lines.push_back(line.id);
        EXPECT_THAT(ids(), AnyOf(old_lines, new_lines));
        if (appended) {
          EXPECT_EQ(ids(), new_lines);
        } else {
          EXPECT_THAT(appended.error().message, HasSubstr(error_number == EIO ? "Input/output error" : "No space left"));
        }
        files.fail_nothing();
        ASSERT_TRUE(append_tombstones(vault, {tombstone("after")}));
        EXPECT_EQ(ids().back(), "after");
      }
  }
}

TEST_F(LogFilesTest, OnATearThatStaysEveryLineIsWholeOrDoesNotCount) {
  FaultyFileSystem files;
  const Vault vault = open("test", files);
  ASSERT_TRUE(append_tombstones(vault, {tombstone("old")}));
  files.fail_nothing();
  ASSERT_TRUE(append_tombstones(vault, {tombstone("x")}));
  const auto calls = files.calls();
  const auto write = std::ranges::find_if(calls, [](const std::string& call) { return call.starts_with("write_once"); });
  ASSERT_NE(write, calls.end());
  files.fail_from(static_cast<size_t>(write - calls.begin()), EIO);  // taking the torn line back fails as well
  EXPECT_FALSE(append_tombstones(vault, {tombstone("torn")}));
  EXPECT_THAT(ids(), ElementsAre("old", "x"));
  files.fail_nothing();
  ASSERT_TRUE(append_tombstones(vault, {tombstone("y")}));
  EXPECT_THAT(ids(), ElementsAre("old", "x", "y"));
}

TEST_F(LogFilesTest, TheLatestTombstoneOfATextIsFoundAmongAllMachines) {
  EXPECT_EQ(latest(), std::nullopt);
  ASSERT_TRUE(append_tombstones(
      open("aaaa"), {tombstone("x", Reason::deleted, "2026-11-03"), tombstone("o", Reason::deleted, "2026-12-01", 'b')}));
  ASSERT_TRUE(append_tombstones(open("bbbb"), {tombstone("y", Reason::corrected, "2026-11-02")}));
  EXPECT_EQ(latest(), parse_time("2026-11-03"));
  EXPECT_EQ(latest('b'), parse_time("2026-12-01"));
  EXPECT_EQ(latest('c'), std::nullopt);
}

TEST_F(LogFilesTest, OnlyWhatStillDecidesCounts) {
  struct Case {
    std::string what;
    std::vector<Tombstone> aaaa, bbbb;
    std::optional<Instant> latest;
  };
  const auto day = [](const char* text) { return parse_time(text); };
  for (const auto& [what, aaaa, bbbb, wanted] :
       {Case{"restored later", {tombstone("x"), tombstone("x", Reason::restored, "2026-11-22")}, {}, std::nullopt},
        {"restored on another machine", {tombstone("x", Reason::restored, "2026-11-22")}, {tombstone("x")}, std::nullopt},
        {"restored, then deleted again",
         {tombstone("x"), tombstone("x", Reason::restored, "2026-11-22"), tombstone("x", Reason::deleted, "2026-11-23")},
         {},
         day("2026-11-23")},
        {"demoted decides nothing", {tombstone("x", Reason::demoted, "2026-11-22")}, {}, std::nullopt},
        {"demoted later", {tombstone("x"), tombstone("x", Reason::demoted, "2026-11-22")}, {}, day("2026-11-21")},
        {"superseded by another text", {tombstone("x"), tombstone("x", Reason::corrected, "2026-11-22", 'b')}, {}, std::nullopt},
        {"at one time, the later line", {tombstone("x"), tombstone("x", Reason::restored)}, {}, std::nullopt},
        {"at one time, the later machine", {tombstone("x")}, {tombstone("x", Reason::restored)}, std::nullopt},
        {"another id still deleted",
         {tombstone("x"), tombstone("y"), tombstone("x", Reason::restored, "2026-11-22")},
         {},
         day("2026-11-21")}}) {
    fs::remove_all(folder_ / "vault/.loci");
    ASSERT_TRUE(append_tombstones(open("aaaa"), aaaa));
    ASSERT_TRUE(append_tombstones(open("bbbb"), bbbb));
    EXPECT_EQ(latest(), wanted) << what;
  }
}

TEST_F(LogFilesTest, AskingForATextWritesNothing) {
  EXPECT_EQ(latest(), std::nullopt);
  EXPECT_FALSE(folder_.has("vault/.loci"));
}

}  // namespace
}  // namespace loci
