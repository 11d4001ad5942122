#include "vault/archive/append.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>

#include "parser/parser.h"
#include "parser/writer.h"
#include "tests/support/faulty_file_system.h"
#include "tests/support/interrupting_file_system.h"
#include "tests/support/manual_clock.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_environment.h"
#include "vault/archive/journal.h"
#include "vault/layout/host.h"
#include "vault/logs/logs.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class AppendTest : public testing::Test {
 protected:
  Vault open(const std::string& host = "home", FileSystem* files = nullptr) {
    folder_.write("vault/.keep", "");
    auto vault = Vault::open(folder_ / "vault", environment_in(folder_, host), files ? *files : real_file_system(), clock_);
    EXPECT_TRUE(vault) << vault.error().message;
    return std::move(*vault);
  }

  static NewEntry fact(std::string text) {
    NewEntry entry{.metadata = {}, .text = std::move(text)};
    entry.metadata.source = Source::agent;
    entry.metadata.kind = EntryKind::fact;
    return entry;
  }

  static NewEntry turn(std::string text, std::string session) {
    NewEntry entry = fact(std::move(text));
    entry.metadata.kind = EntryKind::turn;
    entry.metadata.session = std::move(session);
    return entry;
  }

  static Appended append(const Vault& vault, NewEntry entry) {
    auto appended = append_entries(vault, {std::move(entry)});
    EXPECT_TRUE(appended) << appended.error().message;
    return appended ? appended->at(0) : Appended{};
  }

  std::string read(const std::string& relative) const { return folder_.read("vault/" + relative); }

  // Every entry of the archive, by file.
  std::map<std::string, std::vector<std::string>> texts() const {
    std::map<std::string, std::vector<std::string>> texts;
    for (const auto& [file, bytes] : folder_.contents("vault/archive"))
      for (const ParsedEntry& entry : parse(bytes).entries) texts[file.substr(std::string("vault/").size())].push_back(entry.text);
    return texts;
  }

  size_t times_stored(const std::string& text) const {
    size_t times = 0;
    for (const auto& [file, found] : texts()) times += static_cast<size_t>(std::ranges::count(found, text));
    return times;
  }

  TemporaryFolder folder_;
  ManualClock clock_{"2026-11-21T20:14:43.120Z"};
};

TEST_F(AppendTest, ANewFileStartsWithTheDayAndIsTheOwnersAlone) {
  const Vault vault = open();
  const Appended appended = append(vault, fact("Deploys happen on Fridays."));
  EXPECT_EQ(appended.file, "archive/2026-11-21.md");
  EXPECT_EQ(format_rfc3339(appended.at), "2026-11-21T20:14:43.120Z");
  const std::string bytes = read("archive/2026-11-21.md");
  EXPECT_THAT(bytes, StartsWith("# 2026-11-21\n\n<!--m {"));
  EXPECT_EQ(std::filesystem::status(vault.file(appended.file)).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  EXPECT_EQ(std::filesystem::status(vault.file("archive")).permissions(), std::filesystem::perms::owner_all);
  const ParsedFile parsed = parse(bytes);
  ASSERT_EQ(parsed.entries.size(), 1U);
  EXPECT_EQ(parsed.entries[0].id, appended.id);
  EXPECT_EQ(parsed.entries[0].line, appended.line);
  EXPECT_EQ(parsed.entries[0].hash, appended.hash);
  EXPECT_EQ(parsed.entries[0].metadata->at, appended.at);
  EXPECT_THAT(parsed.problems, testing::IsEmpty());
}

TEST_F(AppendTest, TheKindTheSessionAndTheHostChooseTheFile) {
  const Vault first = open("home"), second = open("work");
  NewEntry summary = turn("We talked.", "s-1");
  summary.metadata.kind = EntryKind::session_summary;
  NewEntry without_session = turn("Who said this?", "");
  NewEntry fact_of_session = turn("A fact.", "s-1");
  fact_of_session.metadata.kind = EntryKind::fact;
  NewEntry task = turn("Done.", "s-1");
  task.metadata.kind = EntryKind::task_summary;

  EXPECT_EQ(append(first, fact("a")).file, "archive/2026-11-21.md");
  EXPECT_EQ(append(second, fact("b")).file, "archive/2026-11-21.work.md");
  EXPECT_EQ(append(first, turn("c", "s-1")).file, "archive/sessions/2026-11-21-s-1.md");
  EXPECT_EQ(append(second, turn("d", "s-1")).file, "archive/sessions/2026-11-21-s-1.work.md");
  EXPECT_EQ(append(first, summary).file, "archive/sessions/2026-11-21-s-1.md");
  EXPECT_EQ(append(first, without_session).file, "archive/2026-11-21.md");
  EXPECT_EQ(append(first, fact_of_session).file, "archive/2026-11-21.md");
  EXPECT_EQ(append(first, task).file, "archive/2026-11-21.md");
}

TEST_F(AppendTest, ASessionThatCannotBeAFileNameIsNamedByItsHash) {
  const Vault vault = open();
  for (const std::string session : {"../../etc/passwd", "a.b", "a/b", "sp\xc3\xa4t", "with blank", "\xe4\xbc\x9a"}) {
    const std::string file = append(vault, turn("x", session)).file;
    EXPECT_THAT(file, testing::MatchesRegex("archive/sessions/2026-11-21-[0-9a-f]+\\.md")) << session;
    EXPECT_EQ(file.size(), std::string("archive/sessions/2026-11-21-.md").size() + 32);
    EXPECT_EQ(parse(read(file)).entries.at(0).metadata->session, session);
  }
}

TEST_F(AppendTest, AConversationKeepsTheFileOfItsFirstDay) {
  const Vault vault = open();
  append(vault, turn("first", "s"));
  append(vault, turn("another conversation whose name ends the same way", "other-s"));
  clock_.set("2026-11-23T08:00:00Z");
  EXPECT_EQ(append(vault, turn("second", "s")).file, "archive/sessions/2026-11-21-s.md");
  EXPECT_EQ(append(vault, turn("new", "t")).file, "archive/sessions/2026-11-23-t.md");
  EXPECT_EQ(append(open("work"), turn("elsewhere", "s")).file, "archive/sessions/2026-11-23-s.work.md");
}

TEST_F(AppendTest, TheDayIsTheWritersLocalDate) {
  clock_.set("2026-11-21T23:30:00Z");
  clock_.set_offset(std::chrono::hours(2));
  EXPECT_EQ(append(open(), fact("late")).file, "archive/2026-11-22.md");
}

TEST_F(AppendTest, AnImportKeepsItsIdsAndDates) {
  NewEntry entry = fact("Long ago.");
  entry.metadata.id = "old-1";
  entry.metadata.at = parse_time("2024-02-03T04:05:06Z");
  const Appended appended = append(open(), entry);
  EXPECT_EQ(appended.id, "old-1");
  EXPECT_EQ(appended.file, "archive/2024-02-03.md");
  EXPECT_EQ(format_rfc3339(appended.at), "2024-02-03T04:05:06.000Z");
}

TEST_F(AppendTest, OneWriteForABatchAndEveryLineIsTold) {
  FaultyFileSystem files;
  const Vault vault = open("home", &files);
  append(vault, fact("before"));
  std::vector<NewEntry> batch;
  for (int i = 0; i < 20; ++i) batch.push_back(fact("line one of " + std::to_string(i) + "\n\nline two\n"));
  files.fail_nothing();
  const auto appended = append_entries(vault, batch);
  ASSERT_TRUE(appended);
  const auto writes = std::ranges::count(files.calls(), "write_once " + vault.file("archive/2026-11-21.md").string());
  EXPECT_EQ(writes, 1);
  const ParsedFile parsed = parse(read("archive/2026-11-21.md"));
  ASSERT_EQ(parsed.entries.size(), 21U);
  for (size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(parsed.entries[i + 1].id, (*appended)[i].id);
    EXPECT_EQ(parsed.entries[i + 1].line, (*appended)[i].line);
  }
}

TEST_F(AppendTest, ABatchForSeveralFilesComesBackInTheOrderGiven) {
  const auto appended = append_entries(open(), {fact("a"), turn("b", "s"), fact("c"), turn("d", "t"), turn("e", "s")});
  ASSERT_TRUE(appended);
  std::vector<std::string> files;
  for (const Appended& one : *appended) files.push_back(one.file);
  EXPECT_THAT(files, ElementsAre("archive/2026-11-21.md", "archive/sessions/2026-11-21-s.md", "archive/2026-11-21.md",
                                 "archive/sessions/2026-11-21-t.md", "archive/sessions/2026-11-21-s.md"));
}

TEST_F(AppendTest, NothingIsWrittenForNothing) {
  const Vault vault = open();
  EXPECT_EQ(append_entries(vault, {})->size(), 0U);
  EXPECT_FALSE(folder_.has("vault/.loci"));
}

TEST_F(AppendTest, WhatCannotBeStoredIsRefusedWithItsPositionBeforeAnythingIsWritten) {
  const Vault vault = open();
  const struct {
    std::string text, message;
  } cases[] = {{std::string(max_entry_bytes + 1, 'x'), "1 MiB"},
               {" \n ", "entry 2 of 3"},
               {std::string("a\0b", 3), "entry 2 of 3"},
               {"\xff", "entry 2 of 3"}};
  for (const auto& bad : cases) {
    const auto appended = append_entries(vault, {fact("good"), fact(bad.text), fact("good too")});
    ASSERT_FALSE(appended);
    EXPECT_EQ(appended.error().code, ErrorCode::refused);
    EXPECT_THAT(appended.error().message, HasSubstr(bad.message));
    EXPECT_THAT(appended.error().message, HasSubstr("entry 2 of 3"));
  }
  EXPECT_FALSE(folder_.has("vault/archive"));
  EXPECT_EQ(times_stored("x"), 0U);
  EXPECT_TRUE(append_entries(vault, {fact(std::string(max_entry_bytes, 'x'))}));
}

TEST_F(AppendTest, WhatWasDeletedAndIsSaidAgainIsLaterThanItsDeletion) {
  const Vault vault = open();
  const Appended first = append(vault, fact("Again."));
  clock_.advance(std::chrono::hours(3));
  ASSERT_TRUE(
      append_tombstones(vault, {{.at = clock_.now(), .id = first.id, .text_hash = first.hash, .by = "user", .superseded_by = ""}}));
  clock_.set("2026-11-21T21:00:00Z");  // this machine's clock is behind the one that deleted
  EXPECT_EQ(format_rfc3339(append(vault, fact("Again.")).at), "2026-11-21T23:14:43.121Z");
  EXPECT_EQ(format_rfc3339(append(vault, fact("Something else.")).at), "2026-11-21T21:00:00.000Z");
}

TEST_F(AppendTest, AMissingFinalNewlineIsAddedFirst) {
  folder_.write("vault/archive/2026-11-21.md", "# 2026-11-21\n\nA person's own words");
  const Vault vault = open();
  const Appended appended = append(vault, fact("Mine."));
  const ParsedFile parsed = parse(read("archive/2026-11-21.md"));
  ASSERT_EQ(parsed.entries.size(), 2U);
  EXPECT_EQ(parsed.entries[0].text, "A person's own words");
  EXPECT_EQ(parsed.entries[1].text, "Mine.");
  EXPECT_EQ(parsed.entries[1].line, appended.line);
}

TEST_F(AppendTest, AFileWhoseEndWouldSwallowTheEntryIsLeftForTheNextOne) {
  const struct {
    const char *name, *end;
  } cases[] = {{"fence", "```\ncode that never ends\n"},
               {"comment", "<!-- a comment that never ends\n"},
               {"HTML", "<script>\nlet x;\n"},
               {"entry", "<!--m {\"id\":\"open\",\"end\":1}-->\nan entry without its end\n"},
               {"conflict", "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n"}};
  int day = 1;
  for (const auto& open_end : cases) {
    const std::string date = "2026-10-0" + std::to_string(day++);
    clock_.set(date + "T12:00:00Z");
    const std::string before = "# " + date + "\n\n" + open_end.end;
    folder_.write("vault/archive/" + date + ".md", before);
    const Vault vault = open();
    EXPECT_EQ(append(vault, fact("one")).file, "archive/" + date + ".2.md") << open_end.name;
    EXPECT_EQ(append(vault, fact("two")).file, "archive/" + date + ".2.md") << open_end.name;
    EXPECT_EQ(read("archive/" + date + ".md"), before);
    EXPECT_THAT(texts()["archive/" + date + ".2.md"], ElementsAre("one", "two"));
  }
}

TEST_F(AppendTest, AFileThatAnEditorLeftOpenAfterOurOwnAppendIsNoticed) {
  const Vault vault = open();
  append(vault, fact("one"));
  folder_.append("vault/archive/2026-11-21.md", "\n```\nopen\n");
  EXPECT_EQ(append(vault, fact("two")).file, "archive/2026-11-21.2.md");
}

TEST_F(AppendTest, AnEditThatKeepsTheLengthIsNoticed) {
  append(open(), fact("one"));
  const std::string file = "vault/archive/2026-11-21.md", before = folder_.read(file);
  folder_.append(file, "\nabc\n");
  append(open(), fact("two"));
  std::string bytes = folder_.read(file);
  bytes.replace(bytes.find("abc"), 3, "```");
  folder_.write(file, bytes);
  std::filesystem::last_write_time(folder_ / file, std::filesystem::file_time_type::clock::now() + std::chrono::seconds(1));
  EXPECT_EQ(append(open(), fact("three")).file, "archive/2026-11-21.2.md");
}

TEST_F(AppendTest, AFileThatIsKnownIsNotReadAgain) {
  append(open(), fact("one"));
  FaultyFileSystem files;
  append(open("home", &files), fact("two"));
  for (const std::string& call : files.calls())
    EXPECT_FALSE(call.starts_with("read_all " + (folder_ / "vault/archive").string())) << call;
}

TEST_F(AppendTest, WithoutItsNotesItKnowsTheSame) {
  append(open(), fact("one"));
  for (const std::string broken : {"", "nonsense\n", "1-2 3.4-5.6 7 8 9 10\n"}) {
    const path notes = open().state_folder() / "tails";
    for (const auto& note : std::filesystem::directory_iterator(notes))
      folder_.write(note.path().lexically_relative(folder_.path()).string(), broken);
    const Appended appended = append(open(), fact("after " + broken));
    EXPECT_EQ(appended.line, parse(read(appended.file)).entries.back().line);
  }
  std::filesystem::remove_all(open().state_folder());
  EXPECT_EQ(append(open(), fact("last")).file, "archive/2026-11-21.md");
}

TEST_F(AppendTest, AFullFileGoesOnInTheNext) {
  const Vault vault = open();
  std::vector<NewEntry> batch;
  for (int i = 0; i < 5; ++i) batch.push_back(fact(std::to_string(i) + std::string(1'000'000, 'x')));
  const auto appended = append_entries(vault, batch);
  ASSERT_TRUE(appended) << appended.error().message;
  EXPECT_EQ(appended->at(3).file, "archive/2026-11-21.md");
  EXPECT_EQ(appended->at(4).file, "archive/2026-11-21.2.md");
  EXPECT_EQ(append(vault, fact("small")).file, "archive/2026-11-21.2.md");
  for (const auto& [file, bytes] : folder_.contents("vault/archive")) EXPECT_LE(bytes.size(), rotation_bytes) << file;
}

TEST_F(AppendTest, AFileOutsideTheVaultIsNotWritten) {
  folder_.write("outside.md", "mine\n");
  std::filesystem::create_directories(folder_ / "vault/archive");
  std::filesystem::create_symlink(folder_ / "outside.md", folder_ / "vault/archive/2026-11-21.md");
  const auto appended = append_entries(open(), {fact("x")});
  ASSERT_FALSE(appended);
  EXPECT_EQ(appended.error().code, ErrorCode::refused);
  EXPECT_EQ(folder_.read("outside.md"), "mine\n");
}

TEST_F(AppendTest, WhileGitWorksEntriesGoToOneFreshFile) {
  const Vault vault = open();
  const std::string first = "archive/2026-11-21.md", second = "archive/2026-11-21.2.md", third = "archive/2026-11-21.3.md";
  EXPECT_EQ(append(vault, fact("before")).file, first);
  clock_.advance(std::chrono::minutes(1));
  const path marker = folder_ / "vault/.git/MERGE_HEAD";
  folder_.write("vault/.git/MERGE_HEAD", "x");
  std::filesystem::last_write_time(marker, std::chrono::file_clock::from_sys(clock_.now()));
  clock_.advance(std::chrono::minutes(1));
  EXPECT_EQ(append(vault, fact("during")).file, second);
  EXPECT_EQ(append(vault, fact("during, again")).file, second);
  std::filesystem::remove(marker);
  EXPECT_EQ(append(vault, fact("after")).file, second);
  folder_.write("vault/.git/MERGE_HEAD", "x");
  std::filesystem::last_write_time(marker, std::chrono::file_clock::from_sys(clock_.now() + std::chrono::minutes(1)));
  clock_.advance(std::chrono::minutes(2));
  EXPECT_EQ(append(vault, fact("the next operation")).file, third);
}

TEST_F(AppendTest, ANameThatGitTookAwayForTheMomentStaysTaken) {
  const Vault vault = open();
  append(vault, fact("before"));
  clock_.advance(std::chrono::minutes(1));
  folder_.write("vault/.git/rebase-merge/head", "x");
  std::filesystem::last_write_time(folder_ / "vault/.git/rebase-merge", std::chrono::file_clock::from_sys(clock_.now()));
  std::filesystem::remove(vault.file("archive/2026-11-21.md"));
  clock_.advance(std::chrono::minutes(1));
  EXPECT_EQ(append(vault, fact("during")).file, "archive/2026-11-21.2.md");
}

TEST_F(AppendTest, WhatIsAppendedIsJournalledFirst) {
  const Vault vault = open();
  append(vault, fact("one"));
  append(vault, fact("two"));
  const auto records = read_journal(vault);
  ASSERT_TRUE(records);
  ASSERT_EQ(records->size(), 2U);
  const std::string bytes = read("archive/2026-11-21.md");
  for (const JournalRecord& record : *records) EXPECT_EQ(bytes.substr(record.offset, record.bytes.size()), record.bytes);
}

TEST_F(AppendTest, WithoutAPlaceForTheJournalAnEntryIsStoredAllTheSame) {
  const Vault vault = open();
  folder_.write(vault.state_folder().lexically_relative(folder_ / "").string() + "/journal", "in the way");
  EXPECT_EQ(append(vault, fact("one")).file, "archive/2026-11-21.md");
  EXPECT_THAT(texts()["archive/2026-11-21.md"], ElementsAre("one"));
}

// What `sed -i` does: it reads the file, and later puts its own copy in place.
class SedInPlace {
 public:
  SedInPlace(path file, int times) : file_(std::move(file)), times_(times) {}

  void operator()(const std::string& call) {
    if (call == "write_once " + file_.string()) copy_ = *read_file(real_file_system(), file_);
    if (call == "sync_data " + file_.string() && times_-- > 0) {
      EXPECT_TRUE(write_file(real_file_system(), file_, "edited\n\n" + copy_));
      ++done_;
    }
  }
  int done() const { return done_; }

 private:
  path file_;
  std::string copy_;
  int times_, done_ = 0;
};

TEST_F(AppendTest, WhatAnEditorOverwroteAtThatMomentIsAppendedAgain) {
  append(open(), fact("before"));
  SedInPlace sed(folder_ / "vault/archive/2026-11-21.md", 2);
  InterruptingFileSystem files([&](size_t, const std::string& call) { sed(call); });
  const Appended appended = append(open("home", &files), fact("mine"));
  EXPECT_EQ(sed.done(), 2);
  EXPECT_EQ(times_stored("mine"), 1U);
  EXPECT_EQ(times_stored("before"), 1U);
  EXPECT_EQ(times_stored("edited"), 2U);
  for (const ParsedEntry& entry : parse(read(appended.file)).entries)
    if (entry.id == appended.id) {
      EXPECT_EQ(entry.line, appended.line);
    }
  EXPECT_EQ(read_journal(open())->size(), 2U);
}

TEST_F(AppendTest, WhatIsOverwrittenAgainAndAgainIsAClearError) {
  append(open(), fact("before"));
  SedInPlace sed(folder_ / "vault/archive/2026-11-21.md", 100);
  InterruptingFileSystem files([&](size_t, const std::string& call) { sed(call); });
  const auto appended = append_entries(open("home", &files), {fact("mine")});
  ASSERT_FALSE(appended);
  EXPECT_THAT(appended.error().message, HasSubstr("again and again"));
  EXPECT_EQ(times_stored("mine"), 0U);
  EXPECT_EQ(read_journal(open())->size(), 1U);  // nobody is to bring back what the caller was told has failed
}

TEST_F(AppendTest, AWriterThatWasKilledInTheMiddleOfAnEntryHarmsNoOther) {
  const Vault vault = open();
  append(vault, fact("before"));
  const std::string whole = *write_entry(
      [] {
        Metadata metadata;
        metadata.id = "torn";
        return metadata;
      }(),
      "one\n\ntwo");
  for (size_t length = 1; length < whole.size(); ++length) {
    clock_.advance(std::chrono::hours(24));
    const std::string file = "archive/" + clock_.local_date(clock_.now()) + ".md";
    append(vault, fact("first"));
    folder_.append("vault/" + file, "\n" + whole.substr(0, length));
    const Appended appended = append(vault, fact("second"));
    const auto entries = parse(read(appended.file)).entries;
    EXPECT_TRUE(std::ranges::any_of(entries, [&](const ParsedEntry& entry) {
      return entry.id == appended.id && entry.text == "second" && entry.line == appended.line;
    })) << length;
  }
}

int scale() {
  const char* text = std::getenv("LOCI_TEST_SCALE");
  return text ? std::clamp(std::atoi(text), 1, 10) : 1;
}

TEST_F(AppendTest, ManyProcessesLoseNothing) {
  constexpr int processes = 20;
  const int entries = 50 * scale();
  std::vector<pid_t> children;
  open();  // makes the folder
  for (int process = 0; process < processes; ++process) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const Vault vault = *Vault::open(folder_ / "vault", environment_in(folder_, "home"), real_file_system(), system_clock());
      bool ok = true;
      for (int i = 0; ok && i < entries; ++i)
        ok = append_entries(vault, {fact("process " + std::to_string(process) + " entry " + std::to_string(i) + "\n\nwhole")})
                 .has_value();
      ::_exit(ok ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  std::set<std::string> seen;
  size_t total = 0;
  for (const auto& [file, bytes] : folder_.contents("vault/archive")) {
    EXPECT_THAT(bytes, StartsWith("# 20"));
    EXPECT_EQ(bytes.find("\n# 20"), std::string::npos) << "the heading stands twice in " << file;
    const ParsedFile parsed = parse(bytes);
    EXPECT_THAT(parsed.problems, testing::IsEmpty());
    for (const ParsedEntry& entry : parsed.entries) {
      EXPECT_TRUE(entry.text.ends_with("\n\nwhole"));
      seen.insert(entry.text);
      ++total;
    }
  }
  EXPECT_EQ(total, static_cast<size_t>(processes * entries));
  EXPECT_EQ(seen.size(), total);
}

// --- every call fails once, and then for good ---

class AppendFaultTest : public AppendTest {
 protected:
  // Runs `append` with every call number failing, in a fresh vault each time.
  void try_every_call(const std::function<void(FaultyFileSystem&, size_t)>& inject) {
    clock_.set("2026-11-21T20:14:43.120Z");
    std::filesystem::remove_all(folder_ / "vault");
    std::filesystem::remove_all(folder_ / "home");
    append(open(), fact("old"));
    const path vault_before = folder_ / "before/vault", home_before = folder_ / "before/home";
    std::filesystem::create_directories(folder_ / "before");
    copy(folder_ / "vault", vault_before);
    copy(folder_ / "home", home_before);
    clock_.set("2026-11-22T10:00:00Z");  // a new file has to be made
    for (size_t number = 0; number < count_calls(); ++number) {
      copy(vault_before, folder_ / "vault");
      copy(home_before, folder_ / "home");
      FaultyFileSystem files;
      const Vault vault = open("home", &files);
      const auto before = folder_.contents("vault/archive");
      inject(files, number);
      const auto failed = append_entries(vault, {fact("new"), fact("newer\n\nof two blocks")});
      const std::string call = number < files.calls().size() ? files.calls()[number] : "none";
      expect_grown(before, call);
      files.fail_nothing();
      if (!failed) {
        EXPECT_FALSE(failed.error().message.empty()) << call;
        const auto again = append_entries(vault, {fact("new"), fact("newer\n\nof two blocks")});
        ASSERT_TRUE(again) << call << ": " << again.error().message;
      }
      expect_grown(before, call);
      for (const std::string text : {"old", "new", "newer\n\nof two blocks"})
        EXPECT_EQ(times_stored(text), 1U) << call << ": " << text;
    }
  }

 private:
  static void copy(const path& from, const path& to) {
    std::filesystem::remove_all(to);
    std::filesystem::copy(from, to, std::filesystem::copy_options::recursive);
  }

  size_t count_calls() {
    if (calls_ > 0) return calls_;
    TemporaryFolder other;
    FaultyFileSystem files;
    ManualClock clock("2026-11-21T20:14:43.120Z");
    auto vault = Vault::open(other.path(), environment_in(other, "home"), files, clock);
    EXPECT_TRUE(vault && append_entries(*vault, {fact("old")}));
    files.fail_nothing();
    clock.set("2026-11-22T10:00:00Z");
    EXPECT_TRUE(append_entries(*vault, {fact("new"), fact("newer\n\nof two blocks")}));
    return calls_ = files.calls().size();
  }

  // The archive only grows.
  void expect_grown(const std::map<std::string, std::string>& before, const std::string& call) const {
    const auto after = folder_.contents("vault/archive");
    for (const auto& [file, bytes] : before) {
      ASSERT_TRUE(after.contains(file)) << call;
      EXPECT_THAT(after.at(file), StartsWith(bytes)) << call;
    }
  }

  size_t calls_ = 0;
};

TEST_F(AppendFaultTest, ACallThatFailsOnceLeavesTheOldAndTryingAgainStoresOnce) {
  for (const int error : {ENOSPC, EIO})
    try_every_call([&](FaultyFileSystem& files, size_t number) { files.fail_call(number, error); });
}

TEST_F(AppendFaultTest, ADiskThatStaysFullLeavesTheOldAndTryingAgainStoresOnce) {
  try_every_call([](FaultyFileSystem& files, size_t number) { files.fail_from(number, ENOSPC); });
}

TEST_F(AppendTest, AVaultThatIsGoneDoesNotComeToStandAgain) {
  const Vault vault = open();
  std::filesystem::rename(folder_ / "vault", folder_ / "elsewhere");
  EXPECT_FALSE(append_entries(vault, {fact("Stored nowhere.")}));
  EXPECT_FALSE(append_tombstones(vault, {Tombstone{clock_.now(), "x", "", Tombstone::Reason::deleted, "user", {}}}));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "vault"));
}

}  // namespace
}  // namespace loci
