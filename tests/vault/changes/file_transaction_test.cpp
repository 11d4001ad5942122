#include "vault/changes/file_transaction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>

#include "parser/core_file.h"
#include "parser/entry_edit.h"
#include "tests/support/faulty_file_system.h"
#include "tests/support/interrupting_file_system.h"
#include "tests/support/manual_clock.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_environment.h"
#include "tests/vault/racing_person.h"
#include "vault/rewrite/versions.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct Killed {};

constexpr const char* one = "consolidated/memory.md";
constexpr const char* two = "consolidated/other.md";

std::string entry(const std::string& id, const std::string& text) {
  Metadata metadata;
  metadata.id = id;
  return insert_entry("", metadata, text).value();
}

class FileTransactionTest : public testing::Test {
 protected:
  FileTransactionTest() { start(); }

  void start() {
    for (const char* part : {"vault", "home"}) std::filesystem::remove_all(folder_ / part);
    folder_.write("vault/" + std::string(one), before_one);
    folder_.write("vault/" + std::string(two), before_two);
  }
  Vault vault(FileSystem& files = real_file_system()) {
    return *Vault::open(folder_ / "vault", environment_in(folder_), files, clock_);
  }
  std::string read(const std::string& file) const { return folder_.read("vault/" + file); }
  void save(const std::string& file, const std::string& bytes) { save_as(SaveStyle::rename, folder_ / ("vault/" + file), bytes); }

  // The second entry is merged into the first one, which stands in another file.
  FileTransaction merge(FileTransaction::Order order = FileTransaction::Order::files_first) const {
    FileTransaction transaction{.id = "t1", .order = order};
    transaction.files = {{one, before_one, after_one}, {two, before_two, after_two}};
    transaction.tombstones = {{clock_.now(), "a", std::string(32, 'a'), Tombstone::Reason::corrected, "user", "b"}};
    LedgerEntry line;
    line.generation = 1;
    line.run = "r";
    line.at = clock_.now();
    line.fact = "f";
    line.fact_hash = std::string(32, 'f');
    line.outcome = LedgerEntry::Outcome::merged;
    line.entry = "two";
    line.into = "one";
    transaction.ledger = {line};
    return transaction;
  }

  FileTransaction correction(FileTransaction::Order order) {
    FileTransaction transaction = merge(order);
    transaction.files.pop_back();
    transaction.ledger.clear();
    transaction.entries = ready_to_append(vault(), {NewEntry{{}, "```\nthe new text\n<!--m {}-->\n"}}).value();
    return transaction;
  }
  void append_to_archive(const std::string& text) { ASSERT_TRUE(append_entries(vault(), {NewEntry{{}, text}})); }
  size_t archived(const std::string& words) const {
    size_t count = 0;
    for (const auto& [file, bytes] : folder_.contents("vault/archive"))
      for (size_t at = bytes.find(words); at != std::string::npos; at = bytes.find(words, at + 1)) ++count;
    return count;
  }

  // A merge waits for a person.
  void start_merge() { folder_.write("vault/.git/MERGE_HEAD", ""); }
  void end_merge() { std::filesystem::remove(folder_ / "vault/.git/MERGE_HEAD"); }
  void tell_later(const std::string& id, Tombstone::Reason reason) {
    clock_.advance(std::chrono::seconds(1));
    const FileTransaction later{.id = "t2-" + id, .tombstones = {{clock_.now(), id, std::string(32, 'a'), reason, "user", {}}}};
    ASSERT_TRUE(commit(vault(), later));
  }
  void git_takes_back_the_logs() { std::filesystem::remove_all(folder_ / "vault/.loci"); }

  std::vector<std::string> tombstones() const { return log("tombstones"); }
  std::vector<std::string> ledger() const { return log("ledger"); }
  std::vector<std::string> log(const std::string& name) const {
    std::vector<std::string> lines;
    for (const auto& [file, bytes] : folder_.contents("vault/.loci/" + name))
      for (size_t at = 0; at < bytes.size(); at = bytes.find('\n', at) + 1)
        lines.push_back(bytes.substr(at, bytes.find('\n', at) - at));
    return lines;
  }
  size_t notes() {
    std::error_code none;
    size_t count = 0;
    for (const auto& item : std::filesystem::directory_iterator(transactions_folder(vault()), none)) count += item.exists() ? 1 : 0;
    return count;
  }

  // Both orders make the same calls, one after the other: of the second some will do.
  static size_t every(FileTransaction::Order order) { return order == FileTransaction::Order::files_first ? 1 : 3; }

  bool is_done() const {
    return read(one) == after_one && read(two) == after_two && tombstones().size() == 1 && ledger().size() == 1;
  }
  bool is_untouched() const {
    return read(one) == before_one && read(two) == before_two && tombstones().empty() && ledger().empty();
  }

  const std::string before_one = entry("one", "Likes tea."), after_one = entry("one", "Likes tea and cake.");
  const std::string before_two = "# Other\n\n" + entry("two", "Likes cake."), after_two = "# Other\n";
  TemporaryFolder folder_;
  ManualClock clock_;
};

TEST_F(FileTransactionTest, WritesTheFilesAndTheLogs) {
  ASSERT_TRUE(commit(vault(), merge()));
  EXPECT_TRUE(is_done());
  EXPECT_EQ(notes(), 0u);
}

TEST_F(FileTransactionTest, NothingHappensIfOneFileIsNotWhatItWas) {
  save(two, before_two + "\nMine.\n");
  const auto done = commit(vault(), merge());
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::refused);
  EXPECT_EQ(read(one), before_one);
  EXPECT_EQ(read(two), before_two + "\nMine.\n");
  EXPECT_THAT(ledger(), IsEmpty());
  EXPECT_EQ(notes(), 0u);
}

TEST_F(FileTransactionTest, WhatSomebodyElseWroteWordForWordIsNotTakenBack) {
  save(one, after_one);
  EXPECT_EQ(commit(vault(), merge()).error().code, ErrorCode::refused);
  EXPECT_EQ(read(one), after_one);
}

// The old text gives way to a new one.
TEST_F(FileTransactionTest, KilledBeforeAnyWriteTheNewEntryStandsOnceAndTheOldOneIsEndedOrNeitherIsSo) {
  for (const auto order : {FileTransaction::Order::files_first, FileTransaction::Order::logs_first}) {
    size_t finished = 0, taken_back = 0;
    bool was_killed = true;
    for (size_t at = 0; was_killed; ++at) {
      start();
      size_t writes = 0;
      InterruptingFileSystem files([&](size_t, const std::string& call) {
        const bool is_read = call.starts_with("open ") || call.starts_with("read_all ") || call.starts_with("status ");
        if (!is_read && writes++ == at) throw Killed{};
      });
      was_killed = false;
      try {
        ASSERT_TRUE(commit(vault(files), correction(order)));
      } catch (const Killed&) {
        was_killed = true;
      }
      EXPECT_LE(tombstones().size(), archived("the new text"))
          << "ended before anything took its place, killed before write " << at;
      append_to_archive("Said behind it, by somebody else.");
      const auto left = finish_transactions(vault());
      ASSERT_TRUE(left) << left.error().message;
      EXPECT_THAT(left->still_to_do, IsEmpty());
      EXPECT_EQ(notes(), 0u) << "killed before write " << at;
      ASSERT_EQ(archived("the new text"), tombstones().size()) << "killed before write " << at;
      ASSERT_EQ(read(one) == after_one, archived("the new text") == 1) << "killed before write " << at;
      EXPECT_EQ(archived("behind it"), 1u);
      ++(archived("the new text") == 1 ? finished : taken_back);
    }
    EXPECT_GT(finished, 5u);
    EXPECT_GT(taken_back, 2u);
  }
}

TEST_F(FileTransactionTest, AnEntryThatCannotBeStoredLeavesAllAsItWas) {
  FaultyFileSystem files;
  const auto is_write = [](const std::string& call) { return call.starts_with("write_once") && call.contains("/archive/"); };
  ASSERT_TRUE(append_entries(vault(), {NewEntry{{}, "Said before."}}));
  const FileTransaction transaction = correction(FileTransaction::Order::logs_first);
  {
    const Vault vault_before = vault(files);
    files.fail_nothing();
    ASSERT_TRUE(commit(vault_before, transaction));
  }
  const auto write = std::ranges::find_if(files.calls(), is_write) - files.calls().begin();
  start();
  ASSERT_TRUE(append_entries(vault(), {NewEntry{{}, "Said before."}}));
  const Vault full = vault(files);
  files.fail_call(static_cast<size_t>(write), ENOSPC);
  ASSERT_FALSE(commit(full, transaction));
  EXPECT_TRUE(is_untouched());
  EXPECT_EQ(notes(), 0u);
  EXPECT_EQ(archived("the new text"), 0u);
}

TEST_F(FileTransactionTest, AnEntryThatWasTakenOutAfterItsLogToldOfItIsNotAppendedAgain) {
  folder_.write("vault/.git/MERGE_HEAD", "");  // so the file has to wait
  ASSERT_TRUE(commit(vault(), correction(FileTransaction::Order::logs_first)));
  ASSERT_EQ(archived("the new text"), 1u);
  std::filesystem::remove_all(folder_ / "vault/archive");
  std::filesystem::remove(folder_ / "vault/.git/MERGE_HEAD");
  ASSERT_TRUE(finish_transactions(vault()));
  EXPECT_EQ(read(one), after_one);
  EXPECT_EQ(archived("the new text"), 0u);
}

// Two processes may plan the same in the same millisecond.
TEST_F(FileTransactionTest, WhatAnotherProcessHasDoneAndToldIsNotDoneAgainOverWhatAPersonSavesThen) {
  ASSERT_TRUE(commit(vault(), merge()));
  FileTransaction second = merge();
  second.id = "t2";
  ASSERT_FALSE(commit(vault(), second));
  EXPECT_EQ(notes(), 0u);
  save(one, entry("one", "Likes neither."));
  ASSERT_TRUE(finish_transactions(vault()));
  EXPECT_EQ(read(one), entry("one", "Likes neither."));
}

TEST_F(FileTransactionTest, KilledBeforeAnyCallItIsFinishedOrWasNeverBegun) {
  for (const auto order : {FileTransaction::Order::files_first, FileTransaction::Order::logs_first}) {
    size_t finished = 0, taken_back = 0;
    bool was_killed = true;
    for (size_t at = 0; was_killed; at += every(order)) {
      start();
      InterruptingFileSystem files([&](size_t call, const std::string&) {
        if (call == at) throw Killed{};
      });
      was_killed = false;
      try {
        ASSERT_TRUE(commit(vault(files), merge(order)));
      } catch (const Killed&) {
        was_killed = true;
      }
      const auto left = finish_transactions(vault());
      ASSERT_TRUE(left) << left.error().message;
      EXPECT_THAT(left->still_to_do, IsEmpty());
      EXPECT_EQ(notes(), 0u) << "killed before call " << at;
      ASSERT_TRUE(is_done() || is_untouched()) << "killed before call " << at << ": " << read(one) << read(two);
      ++(is_done() ? finished : taken_back);
    }
    EXPECT_GT(finished, 10u);
    EXPECT_GT(taken_back, 5u);
  }
}

// Nobody who looks at it knows otherwise what a person has taken out of it since.
TEST_F(FileTransactionTest, KilledBeforeAnyCallAFileThatItHadWrittenIsKnownOnceItIsFinished) {
  size_t written = 0;
  bool was_killed = true;
  for (size_t at = 0; was_killed; at += every(FileTransaction::Order::files_first)) {
    start();
    ASSERT_TRUE(note_version(vault(), one, Version::Kind::understood, before_one));
    InterruptingFileSystem files([&](size_t call, const std::string&) {
      if (call == at) throw Killed{};
    });
    was_killed = false;
    try {
      ASSERT_TRUE(commit(vault(files), merge()));
    } catch (const Killed&) {
      was_killed = true;
    }
    const bool is_written = read(one) == after_one;
    if (is_written) save(one, after_one + "\ntyped\n");
    ASSERT_TRUE(finish_transactions(vault()));
    if (!is_written) continue;
    ++written;
    const auto versions = versions_of(vault(), one).value();
    EXPECT_TRUE(std::ranges::any_of(versions,
                                    [&](const Version& version) {
                                      return version.kind == Version::Kind::wrote &&
                                             bytes_of(vault(), one, version).value() == after_one;
                                    }))
        << "killed before call " << at;
  }
  EXPECT_GT(written, 5u);
}

TEST_F(FileTransactionTest, KilledWhileItFinishesItIsFinishedByTheNext) {
  bool was_killed = true;
  for (size_t at = 0; was_killed; ++at) {
    start();
    bool is_armed = false, is_begun = false;
    size_t calls = 0;
    InterruptingFileSystem files([&](size_t, const std::string& call) {
      if (is_armed && calls++ == at) throw Killed{};
      is_begun |= call.starts_with("exchange");
      if (!is_armed && is_begun && call.starts_with("create")) throw Killed{};
    });
    EXPECT_THROW((void)commit(vault(files), merge()), Killed);
    is_armed = true;
    was_killed = false;
    try {
      ASSERT_TRUE(finish_transactions(vault(files)));
    } catch (const Killed&) {
      was_killed = true;
    }
    ASSERT_TRUE(finish_transactions(vault()));
    ASSERT_TRUE(is_done()) << "killed before call " << at;
  }
}

TEST_F(FileTransactionTest, ADiskThatIsFullLeavesAllOrNothingOnceThereIsRoom) {
  for (const auto order : {FileTransaction::Order::files_first, FileTransaction::Order::logs_first}) {
    bool failed = true;
    for (size_t at = 0; failed; at += every(order)) {
      start();
      FaultyFileSystem files;
      const Vault full = vault(files);
      files.fail_from(at, ENOSPC);
      const auto done = commit(full, merge(order));
      files.fail_nothing();
      failed = !done || !done->still_to_do.empty();
      const bool will_be_finished =
          done ? !done->still_to_do.empty() : done.error().hint.find("next command that writes") != std::string::npos;
      EXPECT_TRUE(done || will_be_finished || is_untouched()) << "full from call " << at << " on";
      ASSERT_TRUE(finish_transactions(vault()));
      ASSERT_TRUE(is_done() || is_untouched()) << "full from call " << at << " on";
      EXPECT_EQ(notes(), 0u);
      ASSERT_LT(at, 500u) << "it never comes to an end";
    }
  }
}

TEST_F(FileTransactionTest, WhatAPersonDecidedHoldsAtOnceAndTheFilesFollowWhenGitIsDone) {
  folder_.write("vault/.git/MERGE_HEAD", "");
  const auto done = commit(vault(), merge(FileTransaction::Order::logs_first));
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_THAT(done->still_to_do, SizeIs(2));
  EXPECT_THAT(tombstones(), SizeIs(1));
  EXPECT_EQ(read(one), before_one);
  auto later = finish_transactions(vault());
  ASSERT_TRUE(later);
  EXPECT_THAT(later->still_to_do, SizeIs(1));
  std::filesystem::remove(folder_ / "vault/.git/MERGE_HEAD");
  later = finish_transactions(vault());
  ASSERT_TRUE(later);
  EXPECT_THAT(later->ids, ElementsAre("t1"));
  EXPECT_TRUE(is_done());
}

TEST_F(FileTransactionTest, WhatAPersonSavedSinceStandsAndTheRestIsFinished) {
  folder_.write("vault/.git/MERGE_HEAD", "");
  ASSERT_TRUE(commit(vault(), merge(FileTransaction::Order::logs_first)));
  std::filesystem::remove(folder_ / "vault/.git/MERGE_HEAD");
  save(one, "# Mine\n\n" + before_one);
  std::string reworded = before_two;
  reworded.replace(reworded.find("cake."), 5, "pie.");
  save(two, reworded);
  ASSERT_TRUE(finish_transactions(vault()));
  EXPECT_EQ(read(one), "# Mine\n\n" + after_one);
  EXPECT_EQ(read(two), reworded);
  EXPECT_EQ(notes(), 0u);
}

TEST_F(FileTransactionTest, WhatHasEndedSinceIsNotBroughtAndWhatStandsAgainIsNotTakenOut) {
  const std::string shown =
      std::string(core_begin_marker) + "\n<!--m {\"ref\":\"two\"}-->\n- Likes cake.\n" + std::string(core_end_marker) + "\n";
  save("MEMORY.md", shown);
  FileTransaction correction{.id = "t1", .order = FileTransaction::Order::logs_first};
  correction.files = {{two, before_two, entry("new", "Likes pie.")},
                      {"MEMORY.md", shown, remove_core_lines(shown, {"two"}).value()}};
  correction.tombstones = {{clock_.now(), "two", std::string(32, 'a'), Tombstone::Reason::corrected, "user", "new"}};
  start_merge();
  ASSERT_TRUE(commit(vault(), correction));
  tell_later("two", Tombstone::Reason::restored);
  tell_later("new", Tombstone::Reason::deleted);
  end_merge();
  ASSERT_TRUE(finish_transactions(vault()));
  EXPECT_EQ(read(two), before_two);
  EXPECT_EQ(read("MEMORY.md"), shown);
  EXPECT_EQ(notes(), 0u);
}

TEST_F(FileTransactionTest, AnEntryStillRestsOnAFactThatStandsAgain) {
  Metadata metadata;
  metadata.id = "two";
  metadata.from = {"a", "f"};
  const std::string before = insert_entry("", metadata, "Likes cake.").value();
  save(two, before);
  FileTransaction forgetting = merge(FileTransaction::Order::logs_first);
  forgetting.files = {{two, before, set_entry_from(before, "two", {"f"}).value()}};
  start_merge();
  ASSERT_TRUE(commit(vault(), forgetting));
  tell_later("a", Tombstone::Reason::restored);
  end_merge();
  ASSERT_TRUE(finish_transactions(vault()));
  EXPECT_EQ(read(two), before);
}

TEST_F(FileTransactionTest, WhatGitTakesBackOnceItIsDoneIsTakenBack) {
  start_merge();
  ASSERT_TRUE(commit(vault(), merge(FileTransaction::Order::logs_first)));
  end_merge();
  ASSERT_TRUE(finish_transactions(vault()));
  ASSERT_TRUE(is_done());
  git_takes_back_the_logs();
  ASSERT_TRUE(finish_transactions(vault()));
  EXPECT_THAT(tombstones(), IsEmpty());
}

TEST_F(FileTransactionTest, ALineOfAnEntryThatAPersonEditedIsLeftOut) {
  size_t exchanges = 0;
  InterruptingFileSystem files([&](size_t, const std::string& call) {
    if (call.starts_with("exchange") && ++exchanges == 2) throw Killed{};
  });
  EXPECT_THROW((void)commit(vault(files), merge()), Killed);
  EXPECT_EQ(read(one), after_one);
  std::string reworded = before_two;
  reworded.replace(reworded.find("cake."), 5, "pie.");
  save(two, reworded);
  ASSERT_TRUE(finish_transactions(vault()));
  EXPECT_EQ(read(two), reworded);
  EXPECT_THAT(ledger(), IsEmpty());
  EXPECT_THAT(tombstones(), SizeIs(1));
}

TEST_F(FileTransactionTest, WhatAPersonTookOutOfAFileThatWasWrittenStaysOut) {
  FileTransaction transaction = merge();
  transaction.files = {{one, before_one, before_one + "\n" + entry("three", "Likes pie.") + "\n" + entry("four", "Likes buns.")}};
  InterruptingFileSystem files([&](size_t, const std::string& call) {
    if (call.contains("/ledger/")) throw Killed{};
  });
  EXPECT_THROW((void)commit(vault(files), transaction), Killed);
  ASSERT_EQ(read(one), transaction.files.front().after);
  save(one, before_one + "\n" + entry("four", "Likes buns."));
  ASSERT_TRUE(finish_transactions(vault()));
  EXPECT_EQ(read(one), before_one + "\n" + entry("four", "Likes buns."));
  EXPECT_THAT(ledger(), SizeIs(1));
  EXPECT_EQ(notes(), 0u);
}

TEST_F(FileTransactionTest, TheNextOneFinishesTheOneBefore) {
  size_t exchanges = 0;
  InterruptingFileSystem files([&](size_t, const std::string& call) {
    if (call.starts_with("exchange") && ++exchanges == 2) throw Killed{};
  });
  EXPECT_THROW((void)commit(vault(files), merge()), Killed);
  FileTransaction next{.id = "t2"};
  next.files = {{"consolidated/third.md", std::nullopt, "# Third\n"}};
  ASSERT_TRUE(commit(vault(), next));
  EXPECT_TRUE(is_done());
  EXPECT_EQ(read("consolidated/third.md"), "# Third\n");
}

TEST_F(FileTransactionTest, BytesThatAreNotUtf8ComeThrough) {
  FileTransaction transaction{.id = "t3"};
  save(two, "caf\xe9\n");
  transaction.files = {{two, "caf\xe9\n", "caf\xe9s\n"}, {one, before_one, after_one}};
  size_t exchanges = 0;
  InterruptingFileSystem files([&](size_t, const std::string& call) {
    if (call.starts_with("exchange") && ++exchanges == 2) throw Killed{};
  });
  EXPECT_THROW((void)commit(vault(files), transaction), Killed);
  ASSERT_TRUE(finish_transactions(vault()));
  EXPECT_EQ(read(two), "caf\xe9s\n");
  EXPECT_EQ(read(one), after_one);
}

TEST_F(FileTransactionTest, ADamagedNoteIsNamedAndStandsInNobodysWay) {
  ASSERT_TRUE(commit(vault(), FileTransaction{.id = "t0", .files = {{"consolidated/a.md", std::nullopt, "a\n"}}}));
  folder_.write(transactions_folder(vault()).lexically_relative(folder_.path()).string() + "/x.note", "no note");
  ASSERT_TRUE(commit(vault(), merge()));
  EXPECT_TRUE(is_done());
  const auto left = finish_transactions(vault());
  ASSERT_TRUE(left);
  ASSERT_THAT(left->still_to_do, SizeIs(1));
  EXPECT_THAT(left->still_to_do.front().message, HasSubstr("x.note is damaged"));
}

TEST_F(FileTransactionTest, PlansAChangeWithoutWritingIt) {
  const auto with_title = [](std::string_view bytes) { return Result<std::string>("# Title\n" + std::string(bytes)); };
  const auto planned = planned_change(vault(), one, with_title);
  ASSERT_TRUE(planned && *planned);
  EXPECT_EQ((*planned)->before, before_one);
  EXPECT_EQ((*planned)->after, "# Title\n" + before_one);
  EXPECT_EQ(read(one), before_one);
  const auto same = planned_change(vault(), one, [](std::string_view bytes) { return Result<std::string>(bytes); });
  EXPECT_FALSE(same.value());
  EXPECT_EQ(planned_change(vault(), "consolidated/none.md", with_title).error().code, ErrorCode::not_found);
}

}  // namespace
}  // namespace loci
