#include "memory/forget.h"

#include "memory/correct.h"
#include "memory/doctor.h"
#include "memory/history.h"
#include "memory/purge.h"
#include "memory/restore.h"
#include "memory/still_says.h"
#include "memory/stores.h"
#include "memory/vault_logs.h"
#include "parser/shared_words.h"
#include "parser/text_hash.h"
#include "recall/search.h"
#include "tests/memory/memory_fixture.h"
#include "tests/support/faulty_file_system.h"

namespace loci {
namespace {

constexpr const char* day = "archive/2026-01-02.md";
constexpr const char* three_facts =
    "<!--m {\"id\":\"f1\",\"at\":\"2026-01-02T03:00:00Z\"}-->\none\n\n"
    "<!--m {\"id\":\"f2\",\"at\":\"2026-01-02T03:00:01Z\"}-->\ntwo\n\n"
    "<!--m {\"id\":\"f3\",\"at\":\"2026-01-02T03:00:02Z\"}-->\nthree\n";

class ForgetTest : public MemoryTest {
 protected:
  // What the logs say about an id: "deleted", "restored", … or nothing.
  static std::string state(Memory& memory, const std::string& id) {
    const auto logs = read_logs(memory.vault());
    const Tombstone* tombstone = state_of(*logs, id);
    return tombstone ? std::string(name_of(tombstone->reason)) : std::string();
  }
  // The one thing that a search finds that asks for no history.
  static Entry found(Memory& memory, const std::string& words) {
    EXPECT_TRUE(memory.bring_up_to_date());
    const auto result =
        memory.ask<SearchResult>([&](IndexReader& reader) { return search(reader, parse_query(words), {}, memory.now()); });
    EXPECT_TRUE(result && result->hits.size() == 1) << words;
    return result && !result->hits.empty() ? result->hits.front().entry : Entry{};
  }
};

TEST_F(ForgetTest, OfSeveralIdsOneThatIsNoneStopsAll) {
  write(day, three_facts);
  Memory memory = open();
  const auto forgotten = forget(memory, {"f1", "nope"}, {});
  ASSERT_FALSE(forgotten);
  EXPECT_EQ(forgotten.error().code, ErrorCode::not_found);
  EXPECT_EQ(texts(memory).size(), 3u);
  EXPECT_FALSE(folder.has("vault/.loci"));
}

TEST_F(ForgetTest, TheTombstoneStandsThoughTheClockWentBack) {
  write(day, three_facts);
  Memory memory = open();
  ASSERT_TRUE(forget(memory, {"f1"}, {}));
  clock.set("2020-01-01T00:00:00Z");
  ASSERT_TRUE(restore(memory, "f1"));
  EXPECT_EQ(texts(memory).size(), 3u);
  ASSERT_TRUE(forget(memory, {"f1"}, {}));
  EXPECT_EQ(texts(memory), (Texts{"three", "two"}));
}

TEST_F(ForgetTest, TheArchiveKeepsItsBytes) {
  write(day, three_facts);
  Memory memory = open();
  ASSERT_TRUE(forget(memory, {"f1", "f2"}, {}));
  EXPECT_EQ(read(day), three_facts);
}

TEST_F(ForgetTest, AnAgentsWordIsToldFromAPersons) {
  write(day, three_facts);
  Memory memory = open();
  ASSERT_TRUE(forget(memory, {"f1"}, {.everywhere = false, .actor = Actor::agent}));
  EXPECT_EQ(read_logs(memory.vault())->tombstones.back().by, "agent");
}

TEST_F(ForgetTest, ACrashBeforeTheRewriteIsMadeGoodByForgettingAgain) {
  write(day, three_facts);
  write("consolidated/memory.md", "<!--m {\"id\":\"c1\",\"from\":[\"f1\"]}-->\nOne, settled.\n");
  write("MEMORY.md", "<!-- loci:core begin -->\n<!--m {\"ref\":\"c1\"}-->\n- One.\n<!-- loci:core end -->\n");
  Memory memory = open();
  const Tombstone tombstone{clock.now(), "c1", {}, Tombstone::Reason::deleted, "user", {}};
  ASSERT_TRUE(append_tombstones(memory.vault(), {tombstone}));
  const auto report = examine_vault(memory, false, memory_stores());
  ASSERT_TRUE(report);
  ASSERT_EQ(report->problems.size(), 2u);
  EXPECT_EQ(report->problems[0].code, "forgotten-line");
  EXPECT_EQ(report->problems[1].code, "forgotten-text");
  ASSERT_TRUE(forget(memory, {"c1"}, {}));
  EXPECT_EQ(read("consolidated/memory.md").find("settled"), std::string::npos);
  EXPECT_EQ(read("MEMORY.md").find("One"), std::string::npos);
  EXPECT_FALSE(forget(memory, {"c1"}, {}));
}

TEST_F(ForgetTest, AnEntryThatSaysWordForWordWhatIsForgottenGoesThoughAPersonWroteIt) {
  const std::string walks = stored_text_hash("Walks."), runs = stored_text_hash("Runs.");
  write(day, "<!--m {\"id\":\"f1\"}-->\nWalks.\n\n<!--m {\"id\":\"f2\",\"source\":\"user\",\"corrects\":\"c1\"}-->\nRuns.\n");
  write("consolidated/memory.md", "<!--m {\"id\":\"c1\",\"sum\":\"" + walks.substr(0, 8) + "\",\"from\":[\"f1\"]}-->\nRuns.\n");
  Memory memory = open();
  using Outcome = LedgerEntry::Outcome;
  ASSERT_TRUE(append_ledger(memory.vault(), {{1, "a", clock.now(), "f1", walks, Outcome::added, "c1", walks, {}, {}},
                                             {1, "b", clock.now(), "f2", runs, Outcome::replaced, "c1", runs, {}, {}},
                                             {1, "c", clock.now(), "f2", runs, Outcome::undone, "c1", walks, {}, {}}}));
  ASSERT_TRUE(forget(memory, {"f2"}, {}));
  EXPECT_EQ(read("consolidated/memory.md").find("Runs."), std::string::npos);
  EXPECT_EQ(texts(memory), Texts{});
}

TEST_F(ForgetTest, WhenGitIsBusyTheEntryIsForgottenAndItsTextNoted) {
  write("consolidated/memory.md", "<!--m {\"id\":\"c1\"}-->\nOne, settled.\n");
  write(".git/HEAD", "ref: refs/heads/main\n");
  write(".git/MERGE_HEAD", "0123456789012345678901234567890123456789\n");
  Memory memory = open();
  const auto forgotten = forget(memory, {"c1"}, {});
  ASSERT_TRUE(forgotten);
  ASSERT_EQ(forgotten->notes.size(), 1u);
  EXPECT_NE(forgotten->notes[0].find("consolidated/memory.md:2"), std::string::npos);
  EXPECT_EQ(texts(memory), Texts{});
}

TEST_F(ForgetTest, WhatAnotherIdsTombstoneSuppressesGetsOneOfItsOwn) {
  write("archive/2026-01-02.md", "<!--m {\"id\":\"f1\",\"at\":\"2026-01-02T03:00:00Z\"}-->\nsaid twice\n");
  const std::string before = "<!--m {\"id\":\"c1\"}-->\nsaid twice\n";
  write("consolidated/memory.md", before);
  Memory memory = open();
  ASSERT_TRUE(forget(memory, {"f1"}, {}));
  EXPECT_EQ(read("consolidated/memory.md").find("said"), std::string::npos);
  EXPECT_EQ(state(memory, "c1"), "deleted");
  ASSERT_TRUE(restore(memory, "c1"));
  EXPECT_NE(read("consolidated/memory.md").find("said twice"), std::string::npos);
  EXPECT_EQ(texts(memory).size(), 2u);
}

TEST_F(ForgetTest, APurgedEntryHasNothingLeftToForgetOrRestore) {
  write(day, three_facts);
  write("note.md", "The word (purged) is mine.\n\n(purged)\n");
  Memory memory = open();
  ASSERT_TRUE(purge(memory, entries_to_purge(memory, {"f1"}, {}).value(), memory_stores()));
  const auto files = std::pair(read(day), read("note.md"));
  EXPECT_EQ(forget(memory, {"f1"}, {}).error().code, ErrorCode::not_found);
  EXPECT_EQ(restore(memory, "f1").error().code, ErrorCode::refused);
  const auto again = entries_to_purge(memory, {"f1"}, {.everywhere = true});
  ASSERT_TRUE(again);
  ASSERT_EQ(again->size(), 1u);
  const auto purged = purge(memory, *again, memory_stores());
  ASSERT_TRUE(purged);
  EXPECT_EQ(purged->still_in, std::vector<std::string>{});
  EXPECT_EQ(std::pair(read(day), read("note.md")), files);
  EXPECT_EQ(read_logs(memory.vault())->tombstones.size(), 1u);
}

// Closing a file takes away the locks that SQLite holds on it in this process: another one would shorten what is mapped here.
TEST_F(ForgetTest, APurgeOpensNoFileThatSqliteHasOpen) {
  write("note.md", "The word (purged) is mine.\n");
  FaultyFileSystem files;
  auto memory = Memory::open(folder / "vault", environment_in(folder), files, clock).value();
  const std::string id = id_of(memory, "The word (purged) is mine.");
  files.fail_nothing();
  ASSERT_TRUE(purge(memory, entries_to_purge(memory, {id}, {}).value(), memory_stores()));
  size_t opened = 0;
  for (const std::string& call : files.calls()) {
    if (!call.starts_with("open ")) continue;
    ++opened;
    const std::string name = std::filesystem::path(call.substr(5)).filename();
    EXPECT_FALSE(name.ends_with(".db") || name.ends_with("-wal") || name.ends_with("-shm")) << call;
  }
  EXPECT_GT(opened, 0U);
}

TEST_F(ForgetTest, WhatWasForgottenOrCorrectedCanStillBePurged) {
  write(day, "<!--m {\"id\":\"f1\",\"at\":\"2026-01-02T03:00:00Z\"}-->\nthe zebrafish code\n");
  write("consolidated/memory.md",
        "<!--m {\"id\":\"c1\",\"from\":[\"f1\"]}-->\nCode: zebrafish.\n\n<!--m {\"id\":\"c2\"}-->\nAlso zebrafish.\n");
  write("note.md", "Code: zebrafish.\n");
  Memory memory = open();
  ASSERT_TRUE(forget(memory, {"c1"}, {}));
  ASSERT_TRUE(correct(memory, "c2", "Something else."));
  for (const char* id : {"c1", "c2"}) {
    const auto entries = entries_to_purge(memory, {id}, {});
    ASSERT_TRUE(entries) << id;
    const auto purged = purge(memory, *entries, memory_stores());
    ASSERT_TRUE(purged) << id;
    EXPECT_EQ(purged->still_in, std::vector<std::string>{});
  }
  std::vector<std::string> holding;
  for (const auto& root : {memory.vault().root(), memory.vault().state_folder()})
    for (const auto& item : std::filesystem::recursive_directory_iterator(root))
      if (item.is_regular_file() && read_file(real_file_system(), item.path()).value().find("zebrafish") != std::string::npos)
        holding.push_back(item.path().string());
  EXPECT_EQ(holding, std::vector<std::string>{});
  EXPECT_EQ(texts(memory), (Texts{"Something else.", "Something else."}));
}

TEST_F(ForgetTest, APromotedLineIsNoMemoryOfItsOwnAndALineOfThePersonsIs) {
  write("MEMORY.md",
        "Mine.\n\n<!-- loci:core begin -->\n<!--m {\"ref\":\"c1\"}-->\n- One.\n<!--m {\"ref\":\"c2\"}-->\n- Two.\n- By hand.\n"
        "<!-- loci:core end -->\n");
  write(day, "One.\n");  // which the line must not take the place of
  Memory memory = open();
  EXPECT_EQ(texts(memory), (Texts{"By hand.", "Mine.", "One."}));
  EXPECT_EQ(memory.reader().value()->facts().pending, 1);
  const auto yours = forget(memory, {id_of(memory, "By hand.")}, {});
  ASSERT_TRUE(yours);
  EXPECT_EQ(yours->notes.size(), 1u);
  EXPECT_NE(read("MEMORY.md").find("By hand."), std::string::npos);
}

// As a correction that stands against an entry of which the line showed less.
TEST_F(ForgetTest, WhatALineOfAnotherEntryWasRewordedToGoesFromTheCoreToo) {
  write("consolidated/memory.md", "<!--m {\"id\":\"c1\"}-->\nOne, and more.\n\n<!--m {\"id\":\"c2\"}-->\nTwo.\n");
  write("MEMORY.md",
        "<!-- loci:core begin -->\n<!--m {\"ref\":\"c1\"}-->\n- My own.\n<!--m {\"ref\":\"c2\"}-->\n- Two.\n<!-- loci:core end "
        "-->\n");
  write(day, "<!--m {\"id\":\"f1\",\"at\":\"2026-01-02T03:00:00Z\",\"source\":\"correction\",\"corrects\":\"c1\"}-->\nMy own.\n");
  Memory memory = open();
  ASSERT_TRUE(memory.bring_up_to_date());
  ASSERT_TRUE(forget(memory, {"f1"}, {}));
  EXPECT_EQ(read("MEMORY.md"), "<!-- loci:core begin -->\n<!--m {\"ref\":\"c2\"}-->\n- Two.\n<!-- loci:core end -->\n");
  EXPECT_TRUE(find_entry(memory, "c1")->active);
}

TEST_F(ForgetTest, TheHistoryOfARemovedEntryTellsWhoForgotIt) {
  write("consolidated/memory.md", "<!--m {\"id\":\"c1\"}-->\nOne, settled.\n");
  Memory memory = open();
  ASSERT_TRUE(forget(memory, {"c1"}, {.everywhere = false, .actor = Actor::agent}));
  const auto history = history_of(memory, "c1");
  ASSERT_TRUE(history);
  EXPECT_EQ(history->entry.text, "One, settled.");
  EXPECT_FALSE(history->entry.active);
  ASSERT_EQ(history->tombstones.size(), 1u);
  EXPECT_EQ(history->tombstones[0].by, "agent");
  EXPECT_EQ(history_of(memory, "c9").error().code, ErrorCode::not_found);
}

TEST_F(ForgetTest, TheHistoryOfAConsolidatedEntryTellsWhatItSaidBeforeItsChanges) {
  write("consolidated/memory.md",
        "<!--m {\"id\":\"c1\",\"updated\":\"2026-11-20\",\"history\":[{\"day\":\"2026-11-02\",\"text\":\"Works at Google.\"},"
        "{\"day\":\"2026-11-09\",\"text\":\"Works at Microsoft.\"},{\"day\":\"2026-11-10\"},7]}-->\nWorks at Apple.\n\n"
        "<!--m {\"id\":\"c2\",\"history\":\"by hand\"}-->\nLikes tea.\n");
  Memory memory = open();
  ASSERT_TRUE(memory.bring_up_to_date());
  const auto changed = history_of(memory, "c1");
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_EQ(changed->former, (std::vector<FormerState>{{"2026-11-02", "Works at Google."}, {"2026-11-09", "Works at Microsoft."}}));
  const auto unchanged = history_of(memory, "c2");
  ASSERT_TRUE(unchanged);
  EXPECT_EQ(unchanged->former, std::vector<FormerState>{});
}

TEST_F(ForgetTest, WhatAForgottenEntrySaidBeforeIsForgottenToo) {
  write("consolidated/memory.md",
        "<!--m {\"id\":\"c1\",\"history\":[{\"day\":\"2026-11-02\",\"text\":\"Works at Google.\"}]}-->\nWorks at Apple.\n");
  Memory memory = open();
  ASSERT_TRUE(memory.bring_up_to_date());
  const auto before = history_of(memory, "c1");
  ASSERT_TRUE(before);
  EXPECT_EQ(before->former.size(), 1u);
  ASSERT_TRUE(forget(memory, {"c1"}, {}));
  const auto after = history_of(memory, "c1");
  ASSERT_TRUE(after);
  EXPECT_TRUE(after->former.empty());
  EXPECT_EQ(read("consolidated/memory.md").find("Google"), std::string::npos);
}

TEST_F(ForgetTest, WhatAKilledPurgeLeftIsReportedAndRemoved) {
  write(day, three_facts);
  Memory memory = open();
  ASSERT_TRUE(purge(memory, entries_to_purge(memory, {"f1"}, {}).value(), memory_stores()));
  const path left = memory.vault().dot_loci() / "tmp" / "left";
  const path journal = memory.vault().state_folder() / "journal" / "2026-01-02.jsonl.tmp-99";
  const path unique = memory.vault().dot_loci() / "tmp" / "unique";
  const std::vector<path> files{left, journal, unique};
  for (const path& file : files) {
    ASSERT_TRUE(make_folders(real_file_system(), file.parent_path()));
    ASSERT_TRUE(write_file(real_file_system(), file, file == unique ? "an editor's lost words\n" : three_facts));
    std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  }
  const auto unfinished = [](const DoctorReport& report) {
    return std::ranges::count(report.problems, std::string("unfinished-write"), &Problem::code);
  };
  const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  clock.advance(now - clock.now());
  EXPECT_EQ(unfinished(examine_vault(memory, false, memory_stores()).value()), 0)
      << "it got its name just now: an exchange is going on, maybe";
  clock.advance(std::chrono::minutes(2));
  EXPECT_EQ(unfinished(examine_vault(memory, false, memory_stores()).value()), 3);
  EXPECT_EQ(unfinished(examine_vault(memory, true, memory_stores()).value()), 1);
  EXPECT_FALSE(std::filesystem::exists(left));
  EXPECT_FALSE(std::filesystem::exists(journal));
  EXPECT_TRUE(std::filesystem::exists(unique));
}

TEST(EntryFromJsonLine, ARoleIsThatOfTheUserOrTheAssistant) {
  EXPECT_TRUE(entry_from_json_line(R"({"text":"x","role":"assistant"})", Actor::person));
  EXPECT_FALSE(entry_from_json_line(R"({"text":"x","role":"system"})", Actor::person));
}

TEST_F(ForgetTest, ACorrectionIsFoundThoughAnOldBufferIsSavedOverTheEntryItWentInto) {
  const std::string file = "consolidated/memory.md";
  const std::string old_buffer = "<!--m {\"id\":\"c1\"}-->\nThe heron nests in May.\n";
  write(file, old_buffer);
  Memory memory = open();
  const auto corrected = correct(memory, "c1", "The heron nests in March.");
  ASSERT_TRUE(corrected);
  const Entry settled = found(memory, "heron");
  EXPECT_EQ(settled.id, corrected->id);
  const std::string with_correction = read(file);
  write(file, old_buffer);
  const Entry pending = found(memory, "heron");
  EXPECT_EQ(settled.from, Texts{pending.id});
  EXPECT_EQ(pending.text, "The heron nests in March.");
  write(file, with_correction);
  EXPECT_EQ(found(memory, "heron").id, settled.id);
}

struct SharedCase {
  std::string text, other;
  bool same;
};

TEST(StillSays, NearlyAllWordsInAnyOrderAndCase) {
  const SharedCase cases[] = {
      {"Deploys to AWS happen on Fridays.", "yes: DEPLOYS to aws, on fridays they happen", true},
      {"Deploys to AWS happen on Fridays.", "Deploys to AWS happen on Mondays.", false},
      {"Straße nach Köln", "die STRASSE nach koln", true},
      {"東京タワー", "昨日は東京タワーへ", true},
      {"!!!", "!!!", false},
  };
  for (const SharedCase& one : cases) EXPECT_EQ(shared_words(one.text, one.other) >= says_the_same, one.same) << one.text;
}

TEST_F(ForgetTest, TheDoctorSaysWhatTakesALineOut) {
  const std::string line = "<!--m {\"ref\":\"c1\"}-->\n- One.\n", begin = "<!-- loci:core begin -->\n",
                    end = "<!-- loci:core end -->\n";
  Memory memory = open();
  const auto told = [&](const std::string& core) {
    write("MEMORY.md", begin + core + end);
    const auto report = examine_vault(memory, false, memory_stores());
    for (const Problem& problem : report.value().problems)
      if (problem.code == "forgotten-line") return problem.message;
    return std::string();
  };
  ASSERT_TRUE(append_tombstones(memory.vault(), {{clock.now(), "c1", {}, Tombstone::Reason::deleted, "user", {}}}));
  EXPECT_THAT(told(line), AllOf(testing::HasSubstr("was forgotten"), testing::HasSubstr("the next command that writes")));
  const Tombstone corrected{clock.now() + std::chrono::seconds(1), "c1", {}, Tombstone::Reason::corrected, "user", "c2"};
  ASSERT_TRUE(append_tombstones(memory.vault(), {corrected}));
  EXPECT_THAT(told("<<<<<<< HEAD\n" + line + "=======\n- Two.\n>>>>>>> other\n"),
              AllOf(testing::HasSubstr("was corrected"), testing::HasSubstr("'loci resolve MEMORY.md'")));
}

}  // namespace
}  // namespace loci
