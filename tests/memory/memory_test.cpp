#include "memory/memory.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cerrno>
#include <functional>

#include "base/process_lock.h"
#include "memory/add.h"
#include "memory/correct.h"
#include "memory/status.h"
#include "memory/unfinished_changes.h"
#include "tests/memory/memory_fixture.h"
#include "tests/support/faulty_file_system.h"

namespace loci {
namespace {

using namespace std::chrono_literals;

class MemoryTestWithNotes : public MemoryTest {
 protected:
  MemoryTestWithNotes() {
    write("a.md", "The heron stands.\n");
    write("b.md", "The egret flies.\n");
  }

  // Somebody else has the writer lock.
  Result<ProcessLock> as_another_process() {
    const Memory memory = open();
    const path& state = memory.vault().state_folder();
    TRY(make_folders(real_file_system(), state));
    return ProcessLock::acquire(real_file_system(), state, 0ms);
  }
};

TEST_F(MemoryTestWithNotes, AReadTakesInWhatChanged) {
  Memory memory = open();
  EXPECT_EQ(texts(memory), (Texts{"The egret flies.", "The heron stands."}));
  write("b.md", "The egret sleeps.\n");
  EXPECT_EQ(texts(memory), (Texts{"The egret sleeps.", "The heron stands."}));
}

TEST_F(MemoryTestWithNotes, AReadNeverWaitsAndSaysWhatIsPending) {
  Memory memory = open();
  ASSERT_TRUE(memory.bring_up_to_date());
  const auto lock = as_another_process();
  ASSERT_TRUE(lock);
  write("c.md", "Typed meanwhile.\n");
  const auto freshness = memory.bring_up_to_date();
  ASSERT_TRUE(freshness);
  EXPECT_EQ(freshness->pending_files, 1u);
  EXPECT_FALSE(freshness->reason.empty());
  EXPECT_EQ(memory.reader().value()->list(EntryFilter{}, 10).value().size(), 2u);
}

// The question, and how often it was put.
class CountedQuestion {
 public:
  Result<size_t> operator()(IndexReader& reader) {
    ++asked;
    return reader.list(EntryFilter{}, 10)->size();
  }
  int asked = 0;
};

TEST_F(MemoryTestWithNotes, AQuestionIsPutOnceIfNothingChangedAndAgainIfSomethingDid) {
  Memory memory = open();
  ASSERT_TRUE(memory.reindex(false));
  CountedQuestion question;
  auto answer = memory.ask_fresh<size_t>(std::ref(question));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->first, 2u);
  EXPECT_TRUE(answer->second.fresh());
  EXPECT_EQ(question.asked, 1);
  write("c.md", "The bittern booms.\n");
  answer = memory.ask_fresh<size_t>(std::ref(question));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->first, 3u);
  EXPECT_EQ(question.asked, 3);
}

TEST_F(MemoryTestWithNotes, AQuestionToAMemoryWithoutAnIndexBuildsOne) {
  Memory memory = open();
  CountedQuestion question;
  const auto answer = memory.ask_fresh<size_t>(std::ref(question));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->first, 2u);
  EXPECT_EQ(question.asked, 1);
}

TEST_F(MemoryTestWithNotes, AnAnswerFromBeforeAChangeSaysWhatIsPending) {
  Memory memory = open();
  ASSERT_TRUE(memory.reindex(false));
  const auto lock = as_another_process();
  ASSERT_TRUE(lock);
  write("c.md", "Typed meanwhile.\n");
  CountedQuestion question;
  const auto answer = memory.ask_fresh<size_t>(std::ref(question));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->first, 2u);
  EXPECT_EQ(answer->second.pending_files, 1u);
}

TEST_F(MemoryTestWithNotes, TheIndexOfAnotherStateFolderIsAnotherOne) {
  const auto held = as_another_process();
  ASSERT_TRUE(held);
  Environment elsewhere = environment_in(folder);
  elsewhere.state_home = folder / "elsewhere";
  Memory memory = Memory::open(folder / "vault", elsewhere, real_file_system(), clock).value();
  EXPECT_EQ(texts(memory), (Texts{"The egret flies.", "The heron stands."}));
  write("b.md", "The egret sleeps.\n");
  EXPECT_EQ(texts(memory), (Texts{"The egret sleeps.", "The heron stands."}));
}

TEST_F(MemoryTestWithNotes, WithoutAnyIndexAReadFailsAsLockedRatherThanWait) {
  const auto lock = as_another_process();
  ASSERT_TRUE(lock);
  Memory memory = open();
  const auto freshness = memory.bring_up_to_date();
  ASSERT_FALSE(freshness);
  EXPECT_EQ(freshness.error().code, ErrorCode::locked);
}

TEST_F(MemoryTestWithNotes, AWriteGivesUpWhenTheLockIsHeldTooLong) {
  Memory memory = open();
  ASSERT_TRUE(memory.bring_up_to_date());
  const auto lock = as_another_process();
  ASSERT_TRUE(lock);
  const auto report = memory.take_in({}, 1ms);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::locked);
}

// A daemon that starts: it holds the lock, and answers only a while later.
class StartingKeeper final : public IndexKeeper {
 public:
  Result<ReconcileReport> take_in(const std::vector<std::string>&, std::chrono::milliseconds) override {
    if (++questions < 3) return fail(ErrorCode::not_found, "nobody listens");
    return ReconcileReport{};
  }
  Status wait_until_clean(std::chrono::milliseconds) override { return {}; }
  Result<ReconcileReport> reindex(bool, const ProgressCallback&) override { return ReconcileReport{}; }
  Result<Freshness> freshness() override { return Freshness{}; }
  bool holds_lock() const override { return false; }

  int questions = 0;
};

TEST_F(MemoryTestWithNotes, AWriteWhileADaemonStartsIsDoneByTheDaemon) {
  const auto lock = as_another_process();
  ASSERT_TRUE(lock);
  const auto keeper = std::make_shared<StartingKeeper>();
  Memory memory = Memory::open(folder / "vault", environment_in(folder), real_file_system(), clock, [&](const Vault&) {
                    return keeper;
                  }).value();
  EXPECT_TRUE(memory.take_in({}, 1h));
  EXPECT_EQ(keeper->questions, 3);
}

TEST_F(MemoryTestWithNotes, ADamagedIndexIsBuiltAnewByTheReadThatMeetsIt) {
  Memory memory = open();
  ASSERT_EQ(texts(memory).size(), 2u);
  memory = open();
  for (const auto& file : std::filesystem::directory_iterator(memory.vault().state_folder()))
    if (file.path().extension() == ".db") std::filesystem::resize_file(file.path(), std::filesystem::file_size(file.path()) / 2);
  EXPECT_EQ(texts(memory), (Texts{"The egret flies.", "The heron stands."}));
}

TEST_F(MemoryTestWithNotes, ReadingWritesNothingIntoTheVault) {
  const auto before = folder.contents("vault");
  Memory memory = open();
  texts(memory);
  ASSERT_TRUE(memory.reindex(true));
  EXPECT_EQ(folder.contents("vault"), before);
}

TEST_F(MemoryTestWithNotes, AnAmbiguousPrefixNamesTheCandidates) {
  write("archive/2026-01-02.md", "<!--m {\"id\":\"abc1\"}-->\none\n\n<!--m {\"id\":\"abc2\"}-->\ntwo\n");
  Memory memory = open();
  ASSERT_TRUE(memory.bring_up_to_date());
  EXPECT_EQ(find_entry(memory, "abc1")->text, "one");
  const auto several = find_entry(memory, "abc");
  ASSERT_FALSE(several);
  EXPECT_EQ(several.error().code, ErrorCode::usage);
  EXPECT_NE(several.error().hint.find("abc1, abc2"), std::string::npos);
  EXPECT_EQ(find_entry(memory, "nope").error().code, ErrorCode::not_found);
}

TEST_F(MemoryTest, WhatIsAddedIsFoundWhenAddReturns) {
  Memory memory = open();
  NewEntry entry;
  entry.metadata.source = Source::user;
  entry.text = "Deploys happen on Fridays.";
  const auto added = add(memory, {entry});
  ASSERT_TRUE(added);
  EXPECT_TRUE(added->searchable.yes);
  EXPECT_EQ(memory.reader().value()->find(added->entries[0].id).value().size(), 1u);
}

TEST_F(MemoryTest, AReaderThatWasLetGoShowsWhatIsNewAlsoOfAnIndexThatWasBuiltAnew) {
  write("a.md", "one\n");
  Memory memory = open(), writer = open();
  ASSERT_EQ(texts(memory), Texts{"one"});
  const auto now = [&] {
    memory.drop_reader();
    Texts found;
    const auto entries = memory.reader().value()->list(EntryFilter{}, 10).value();
    for (const Entry& entry : entries) found.push_back(entry.text);
    return found;
  };
  write("b.md", "two\n");
  ASSERT_TRUE(writer.reindex(false));
  EXPECT_THAT(now(), testing::ElementsAre("one", "two"));
  write("c.md", "three\n");
  ASSERT_TRUE(writer.reindex(true));
  EXPECT_THAT(now(), testing::ElementsAre("one", "two", "three"));
  EXPECT_THAT(now(), testing::SizeIs(3));
}

struct LineCase {
  std::string line;
  Source source;
};

TEST(EntryFromJsonLine, ALineMayLowerItsSourceAndNeverRaiseIt) {
  const LineCase cases[] = {{R"({"text":"x"})", Source::user},
                            {R"({"text":"x","source":"system"})", Source::system},
                            {R"({"text":"x","source":"agent"})", Source::agent},
                            {R"({"text":"x","source":"correction"})", Source::user}};
  for (const LineCase& one : cases)
    EXPECT_EQ(entry_from_json_line(one.line, Actor::person)->metadata.source, one.source) << one.line;
  EXPECT_EQ(entry_from_json_line(R"({"text":"x","source":"user"})", Actor::agent)->metadata.source, Source::agent);
}

TEST(EntryFromJsonLine, SaysWhatIsWrong) {
  const std::pair<std::string, std::string> cases[] = {
      {"[]", "not a JSON object"},
      {"{}", "\"text\" is missing or no string"},
      {R"({"text":1})", "\"text\" is missing or no string"},
      {R"({"text":"x","tgas":[]})", "unknown key \"tgas\""},
      {R"({"text":"x","id":"mine"})", "unknown key \"id\""},
  };
  for (const auto& [line, message] : cases) {
    const auto entry = entry_from_json_line(line, Actor::person);
    ASSERT_FALSE(entry) << line;
    EXPECT_EQ(entry.error().code, ErrorCode::usage);
    EXPECT_EQ(entry.error().message, message);
  }
  EXPECT_FALSE(entry_from_json_line(R"({"text":"x","turn":"three"})", Actor::person));
}

// A correction of "heron" on a disk that is full from the call with this number on, and what is found once there is room and the
// next command has finished what was begun.
struct CorrectionOnAFullDisk {
  explicit CorrectionOnAFullDisk(size_t number) {
    folder.write("vault/archive/2026-01-01.md", "<!--m {\"id\":\"heron\"}-->\nThe heron stands.\n");
    Memory memory = Memory::open(folder / "vault", environment_in(folder), files, clock).value();
    EXPECT_TRUE(memory.bring_up_to_date());
    files.fail_from(number, ENOSPC);
    corrected = correct(memory, "heron", "The heron flies.");
    calls = files.calls();
    files.fail_nothing();
    EXPECT_TRUE(finish_unfinished_changes(memory));
    EXPECT_TRUE(memory.bring_up_to_date());
    const auto entries = memory.reader().value()->list(EntryFilter{}, 10).value();
    for (const Entry& entry : entries) texts.push_back(entry.text);
  }

  TemporaryFolder folder;
  ManualClock clock;
  FaultyFileSystem files;
  Result<Corrected> corrected;
  std::vector<std::string> calls, texts;
};

TEST(Correcting, OnAFullDiskSaysWhetherItIsFinishedLater) {
  const std::vector<std::string> calls = CorrectionOnAFullDisk(1'000'000).calls;
  size_t later = 0;
  for (size_t number = 0; number < calls.size(); ++number) {
    if (calls[number].find("/tombstones/") == std::string::npos) continue;
    const CorrectionOnAFullDisk tried(number);
    if (tried.corrected) continue;
    const bool is_finished_later = tried.corrected.error().hint.contains("the next command that writes");
    EXPECT_THAT(tried.texts, testing::ElementsAre(is_finished_later ? "The heron flies." : "The heron stands.")) << calls[number];
    later += is_finished_later ? 1 : 0;
  }
  EXPECT_GT(later, 0U);
}

// Root may write everywhere: for the time of this, its files belong to nobody, and so does the process.
class WithoutPrivileges {
 public:
  explicit WithoutPrivileges(const path& folder) {
    if (::geteuid() != 0) return;
    give(folder);
    for (const auto& item : std::filesystem::recursive_directory_iterator(folder)) give(item.path());
    EXPECT_EQ(::seteuid(nobody), 0);
  }
  WithoutPrivileges(const WithoutPrivileges&) = delete;
  WithoutPrivileges& operator=(const WithoutPrivileges&) = delete;
  ~WithoutPrivileges() {
    if (::getuid() == 0) {
      EXPECT_EQ(::seteuid(0), 0);
    }
  }

 private:
  static constexpr uid_t nobody = 65534;
  static void give(const path& file) { EXPECT_EQ(::lchown(file.c_str(), nobody, nobody), 0); }
};

TEST_F(MemoryTestWithNotes, StatusTellsOfAFolderThatCannotBeWritten) {
  write("archive/2026-01-01.md", "The heron stands.\n");
  const Memory memory = open();
  std::filesystem::permissions(folder / "vault/archive", std::filesystem::perms(0500));
  const auto problems = [&] {
    const WithoutPrivileges person(folder.path());
    return vault_problems(memory.vault());
  }();
  std::filesystem::permissions(folder / "vault/archive", std::filesystem::perms(0700));
  ASSERT_TRUE(problems);
  ASSERT_EQ(problems->size(), 1U);
  EXPECT_EQ(problems->front().file, "archive");
  EXPECT_EQ(problems->front().code, "not-writable");
}

}  // namespace
}  // namespace loci
