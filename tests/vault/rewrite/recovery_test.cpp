#include "vault/rewrite/recovery.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "base/process_lock.h"
#include "tests/support/interrupting_file_system.h"
#include "tests/support/manual_clock.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_environment.h"
#include "tests/vault/racing_person.h"
#include "vault/rewrite/displaced.h"
#include "vault/rewrite/replace.h"
#include "vault/rewrite/write_names.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int killed = 9;
constexpr size_t never = static_cast<size_t>(-1);
constexpr SaveStyle all_styles[] = {SaveStyle::rename, SaveStyle::in_place, SaveStyle::vim};

// Every combination at LOCI_TEST_SCALE=10, otherwise every n-th, always the same ones.
class Sample {
 public:
  explicit Sample(size_t every) : every_(is_full() ? 1 : every) {}
  bool takes() { return number_++ % every_ == 0; }

 private:
  static bool is_full() {
    const char* scale = std::getenv("LOCI_TEST_SCALE");
    return scale && std::atoi(scale) >= 10;
  }

  size_t every_;
  size_t number_ = 0;
};

// A folder in memory where the machine has one: thousands of kills, and none of them loses power.
class FolderInMemory {
 public:
  const TemporaryFolder& operator*() const { return *folder_; }

 private:
  static std::unique_ptr<TemporaryFolder> make() {
    const char* before = std::getenv("TMPDIR");
    const std::string kept = before ? before : "";
    if (::access("/dev/shm", W_OK) == 0) ::setenv("TMPDIR", "/dev/shm", 1);
    auto folder = std::make_unique<TemporaryFolder>();
    before ? ::setenv("TMPDIR", kept.c_str(), 1) : ::unsetenv("TMPDIR");
    return folder;
  }

  std::unique_ptr<TemporaryFolder> folder_ = make();
};

class RecoveryTest : public testing::Test {
 protected:
  RecoveryTest() { start(); }

  // A fresh vault with one file.
  void start() {
    std::filesystem::remove_all(folder_ / "vault");
    folder_.write("vault/notes/a.md", "base\n");
    folder_.write("vault/.loci/hosts/test.toml", "name = \"test\"\njoined = \"2026-01-01\"\nfirst = true\n");
    std::filesystem::create_directory(folder_ / "vault/.loci/tmp");
    saves_.clear();
  }

  Vault vault(FileSystem& files = real_file_system()) const {
    return *Vault::open(folder_ / "vault", environment_in(folder_), files, clock_);
  }
  path target() const { return folder_ / "vault/notes/a.md"; }
  std::string read() const { return folder_.read("vault/notes/a.md"); }

  // The person's next save. Each has a time of its own, as saves by hand do.
  void save(SaveStyle style) {
    saves_.push_back("save " + std::to_string(saves_.size() + 1) + "\n");
    save_as(style, target(), saves_.back());
    note_time();
  }
  void note_time() const {
    std::filesystem::last_write_time(
        target(), std::filesystem::file_time_type::clock::now() - std::chrono::hours(1) + std::chrono::seconds(saves_.size()));
  }

  // Runs `operation` in a process that is killed just before its call `kill_at`; before its call `save_at` the person saves. False:
  // it made fewer calls.
  template <typename Operation>
  bool run_and_kill(Operation operation, size_t kill_at, size_t save_at = never, SaveStyle style = SaveStyle::rename) {
    const pid_t child = ::fork();
    if (child == 0) {
      InterruptingFileSystem files([&](size_t call, const std::string&) {
        if (call == save_at) {
          save(style);
          folder_.write("saved", "");  // for the parent
        }
        if (call == kill_at) ::_exit(killed);
      });
      operation(vault(files));
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (std::filesystem::remove(folder_ / "saved")) saves_.push_back("save " + std::to_string(saves_.size() + 1) + "\n");
    return WIFEXITED(status) && WEXITSTATUS(status) == killed;
  }
  // More calls than a replace or a recovery makes: the last kills come too late.
  static constexpr size_t most_calls = 45;

  bool replace_and_kill(size_t kill_at, size_t save_at = never, SaveStyle style = SaveStyle::rename) {
    return run_and_kill([](const Vault& vault) { (void)replace_file(vault, "notes/a.md", "base\n", "new\n", no_pause); }, kill_at,
                        save_at, style);
  }
  bool recover_and_kill(size_t kill_at) {
    return run_and_kill([](const Vault& vault) { (void)recover_writes(vault, no_pause); }, kill_at);
  }
  Recovery recover() const {
    const auto recovery = recover_writes(vault(), no_pause);
    EXPECT_TRUE(recovery) << recovery.error().message;
    return recovery.value_or(Recovery{});
  }

  // A copy does not count: it goes after a few seconds.
  static bool is_kept(std::string_view name) {
    return name.find(".kept-") != std::string_view::npos && name.find("-copy-") == std::string_view::npos;
  }
  bool stands_somewhere(const std::string& save) const {
    for (const auto& [name, bytes] : folder_.contents("vault"))
      if (bytes == save && (!name.starts_with("vault/.loci/tmp/") || is_kept(name))) return true;
    return false;
  }

  // Not also aside: what the person does next to the file overwrites it, as it would without loci.
  bool stands_only_in_file(const std::string& save) const {
    const auto contents = folder_.contents("vault");
    const auto holds_it = [&](const auto& file) { return file.second == save && file.first.find("-copy-") == std::string::npos; };
    return std::ranges::count_if(contents, holds_it) == 1 && read() == save;
  }

  // After recovery: no save is lost, the newest is in the file, and nothing is left to do.
  void check(const std::string& context) const {
    for (const std::string& save : saves_) EXPECT_TRUE(stands_somewhere(save)) << save << context;
    if (saves_.empty())
      EXPECT_THAT(read(), testing::AnyOf("base\n", "new\n")) << context;
    else
      EXPECT_EQ(read(), saves_.back()) << context;
    for (const auto& [name, bytes] : folder_.contents("vault/.loci/tmp")) {
      const std::string file_name = path(name).filename();
      EXPECT_TRUE(is_displaced_name(file_name)) << name << context;
    }
    const auto before = folder_.contents("vault");
    const Recovery again = recover();
    EXPECT_THAT(again.put_back, IsEmpty()) << context;
    EXPECT_THAT(again.conflict_files, IsEmpty()) << context;
    EXPECT_EQ(again.leftovers, 0U) << context;
    EXPECT_EQ(folder_.contents("vault"), before) << context;
  }

  // A temporary as a killed replace leaves it.
  void leave(const std::string& bytes, const std::string& file = "notes/a.md") {
    const WriteName name{.start = path(file).filename(),
                         .before = content_hash("base\n"),
                         .after = content_hash("new\n"),
                         .id = "01jd8x2k9c4qw0r" + std::to_string(left_++)};
    folder_.write("vault/.loci/tmp/" + format(name), bytes);
    folder_.write("vault/.loci/tmp/" + target_file_name(name.id), file + "\n");
  }

  FolderInMemory in_memory_;
  const TemporaryFolder& folder_ = *in_memory_;
  ManualClock clock_;
  std::vector<std::string> saves_;
  int left_ = 0;
};

// --- the table ---

TEST_F(RecoveryTest, WhatWasNotExchangedIsRemoved) {
  leave("new\n");
  EXPECT_EQ(recover().leftovers, 1U);
  EXPECT_EQ(read(), "base\n");
  EXPECT_THAT(folder_.contents("vault/.loci/tmp"), IsEmpty());
}

TEST_F(RecoveryTest, WhatWasExchangedIsKeptForADay) {
  folder_.write("vault/notes/a.md", "new\n");
  leave("base\n");
  EXPECT_EQ(recover().leftovers, 0U);
  EXPECT_EQ(read(), "new\n");
  EXPECT_TRUE(stands_somewhere("base\n"));
  clock_.advance(displaced_keeps);
  EXPECT_EQ(check_displaced(vault())->next, std::nullopt);
  EXPECT_THAT(folder_.contents("vault/.loci/tmp"), IsEmpty());
}

TEST_F(RecoveryTest, ADisplacedSaveGoesBack) {
  folder_.write("vault/notes/a.md", "new\n");
  leave("a person's\n");
  EXPECT_THAT(recover().put_back, ElementsAre("notes/a.md"));
  saves_ = {"a person's\n"};
  check("");
}

TEST_F(RecoveryTest, ADisplacedSaveWhoseFileIsMissingBecomesTheFile) {
  std::filesystem::remove(target());
  leave("a person's\n");
  EXPECT_THAT(recover().put_back, ElementsAre("notes/a.md"));
  EXPECT_EQ(read(), "a person's\n");
}

TEST_F(RecoveryTest, OfTwoSavesTheNewerIsInTheFileAndTheOlderIsVisible) {
  for (const bool aside_is_newer : {false, true}) {
    start();
    folder_.write("vault/notes/a.md", "in the file\n");
    leave("aside\n");
    note_time();
    for (const auto& item : std::filesystem::directory_iterator(folder_ / "vault/.loci/tmp"))
      std::filesystem::last_write_time(item,
                                       std::filesystem::last_write_time(target()) + std::chrono::seconds(aside_is_newer ? 1 : -1));
    const Recovery recovery = recover();
    EXPECT_THAT(recovery.conflict_files, ElementsAre("notes/a.loci-conflict-20261121T201443Z.md"));
    EXPECT_EQ(read(), aside_is_newer ? "aside\n" : "in the file\n");
    EXPECT_EQ(folder_.read("vault/" + recovery.conflict_files[0]), aside_is_newer ? "in the file\n" : "aside\n");
    clock_.advance(displaced_first_look);
    EXPECT_THAT(check_displaced(vault())->conflict_files, IsEmpty());
    clock_.set("2026-11-21T20:14:43.120Z");
    EXPECT_THAT(folder_.contents("vault/.loci/tmp"), IsEmpty());
  }
}

TEST_F(RecoveryTest, ASaveWhosePlaceIsUnknownIsShownAtTheRoot) {
  leave("a person's\n");
  std::filesystem::remove(folder_ / "vault/.loci/tmp/01jd8x2k9c4qw0r0.target");
  const Recovery recovery = recover();
  EXPECT_EQ(folder_.read("vault/a.md"), "a person's\n");
  EXPECT_THAT(recovery.put_back, ElementsAre("a.md"));
}

TEST_F(RecoveryTest, APathOfTheLongestNamesIsFoundAgain) {
  const std::string name(252, 'n'), file = std::string(250, 'f') + "/" + std::string(250, 'g') + "/" + name + ".md";
  for (size_t kill_at = 0; !folder_.has("vault/" + file) || folder_.read("vault/" + file) != "new\n"; ++kill_at) {
    start();
    folder_.write("vault/" + file, "base\n");
    const auto replace = [&](const Vault& vault) { (void)replace_file(vault, file, "base\n", "new\n", no_pause); };
    ASSERT_TRUE(run_and_kill(replace, kill_at));
  }
  for (const auto& item : std::filesystem::directory_iterator(folder_ / "vault/.loci/tmp"))
    if (parse_write_name(item.path().filename().string()))
      folder_.write(item.path().lexically_relative(folder_.path()).string(), "a person's\n");
  EXPECT_THAT(recover().put_back, ElementsAre(file));
  EXPECT_EQ(folder_.read("vault/" + file), "a person's\n");
}

TEST_F(RecoveryTest, NothingIsDoneDuringAGitOperation) {
  folder_.write("vault/notes/a.md", "new\n");
  folder_.write("vault/.git/MERGE_HEAD", "x");
  leave("a person's\n");
  const auto before = folder_.contents("vault");
  const auto recovery = recover_writes(vault(), no_pause);
  ASSERT_FALSE(recovery);
  EXPECT_EQ(recovery.error().code, ErrorCode::refused);
  EXPECT_THAT(recovery.error().message, HasSubstr("MERGE_HEAD"));
  EXPECT_EQ(folder_.contents("vault"), before);
}

TEST_F(RecoveryTest, AVaultThatNothingWasWrittenToStaysUntouched) {
  std::filesystem::remove_all(folder_ / "vault/.loci");
  EXPECT_EQ(recover().leftovers, 0U);
  EXPECT_FALSE(folder_.has("vault/.loci"));
}

TEST_F(RecoveryTest, AFileOfSomebodyElseInTheFolderIsLeftAlone) {
  folder_.write("vault/.loci/tmp/canary", "x");
  folder_.write("vault/.loci/tmp/a.md.write-1-2-3", "x");
  const auto before = folder_.contents("vault");
  (void)recover();
  EXPECT_EQ(folder_.contents("vault"), before);
}

// The lock on .loci/tmp/ tells a living process from a dead one's files.
TEST_F(RecoveryTest, ALivingProcessIsNotDisturbed) {
  bool tried = false;
  size_t exchanges = 0;
  InterruptingFileSystem files([&](size_t, const std::string& call) {
    if (!call.starts_with("exchange")) return;
    ++exchanges;
    EXPECT_FALSE(ProcessLock::acquire(real_file_system(), folder_ / "vault/.loci/tmp", std::chrono::milliseconds(0)));
    tried = true;
  });
  EXPECT_TRUE(replace_file(vault(files), "notes/a.md", "base\n", "new\n", no_pause));
  EXPECT_TRUE(tried);
  EXPECT_TRUE(ProcessLock::acquire(real_file_system(), folder_ / "vault/.loci/tmp", std::chrono::milliseconds(0)));
}

// --- kills ---

TEST_F(RecoveryTest, TheKillsReachEveryCall) {
  ASSERT_FALSE(replace_and_kill(most_calls, 7));
  start();
  leave("a person's\n");
  ASSERT_FALSE(recover_and_kill(most_calls));
}

TEST_F(RecoveryTest, AKillAnywhereWithASaveBeforeLosesNothing) {
  Sample sample(17);
  for (const SaveStyle style : all_styles)
    for (size_t kill_at = 0; kill_at <= most_calls; ++kill_at)
      for (size_t save_at = 0; save_at <= kill_at + 1; ++save_at) {
        if (!sample.takes()) continue;
        start();
        replace_and_kill(kill_at, save_at == kill_at + 1 ? never : save_at, style);
        (void)recover();
        check("kill at " + std::to_string(kill_at) + ", save at " + std::to_string(save_at));
      }
}

TEST_F(RecoveryTest, AKillAnywhereWithASaveBeforeAndOneAfterLosesNothing) {
  Sample sample(17);
  for (const SaveStyle style : all_styles)
    for (size_t kill_at = 0; kill_at <= most_calls; ++kill_at)
      for (size_t save_at = 0; save_at <= kill_at; ++save_at) {
        if (!sample.takes()) continue;
        start();
        replace_and_kill(kill_at, save_at, style);
        const bool overwrites = !saves_.empty() && stands_only_in_file(saves_.back());
        if (overwrites) saves_.back() = "save 0\n";
        save(style);
        std::erase(saves_, "save 0\n");
        (void)recover();
        check("kill at " + std::to_string(kill_at) + ", save at " + std::to_string(save_at));
      }
}

TEST_F(RecoveryTest, AKillOfTheRecoveryItselfLosesNothing) {
  Sample sample(67);
  for (size_t kill_at = 0; kill_at <= most_calls; ++kill_at)
    for (size_t save_at = 0; save_at <= kill_at; ++save_at)
      for (size_t second = 0; second <= most_calls; second += 4) {
        if (!sample.takes()) continue;
        start();
        replace_and_kill(kill_at, save_at);
        recover_and_kill(second + save_at % 4);
        (void)recover();
        check("kills at " + std::to_string(kill_at) + " and " + std::to_string(second) + ", save at " + std::to_string(save_at));
      }
}

TEST_F(RecoveryTest, TwoKilledReplacesOfOneFileLoseNothing) {
  Sample sample(17);
  for (size_t first = 0; first <= most_calls; ++first)
    for (size_t second = 0; second <= most_calls; ++second) {
      if (!sample.takes()) continue;
      start();
      replace_and_kill(first, first / 2);
      const std::string before = read();
      run_and_kill([&](const Vault& vault) { (void)replace_file(vault, "notes/a.md", before, "newer\n", no_pause); }, second);
      (void)recover();
      if (saves_.empty() || read() != "newer\n") check("kills at " + std::to_string(first) + " and " + std::to_string(second));
    }
}

TEST_F(RecoveryTest, ASaveThroughADescriptorThatWasOpenBeforeIsFound) {
  for (size_t kill_at = 0; kill_at <= most_calls; ++kill_at) {
    start();
    const Fd held(::open(target().c_str(), O_WRONLY | O_CLOEXEC));
    replace_and_kill(kill_at);
    ASSERT_EQ(::write(held.get(), "save 1\n", 7), 7);
    saves_ = {"save 1\n"};
    (void)recover();
    clock_.advance(displaced_first_look);
    EXPECT_TRUE(check_displaced(vault()));
    clock_.advance(displaced_keeps);
    EXPECT_TRUE(check_displaced(vault()));
    EXPECT_TRUE(stands_somewhere("save 1\n")) << kill_at;
    EXPECT_THAT(folder_.contents("vault/.loci/tmp"), IsEmpty()) << kill_at;
  }
}

TEST_F(RecoveryTest, TheNextReplaceFinishesWhatAKilledOneLeft) {
  folder_.write("vault/notes/a.md", "new\n");
  leave("a person's\n");
  folder_.write("vault/notes/b.md", "old\n");
  ASSERT_TRUE(replace_file(vault(), "notes/b.md", "old\n", "other\n", no_pause));
  EXPECT_EQ(read(), "a person's\n");
}

}  // namespace
}  // namespace loci
