#include "memory/restore.h"

#include <gmock/gmock.h>

#include "memory/correct.h"
#include "memory/doctor.h"
#include "memory/forget.h"
#include "memory/promoted_lines.h"
#include "memory/stores.h"
#include "memory/vault_logs.h"
#include "parser/text_hash.h"
#include "tests/memory/memory_fixture.h"
#include "tests/support/interrupting_file_system.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* day = "archive/2026-01-02.md";
constexpr const char* three_facts =
    "<!--m {\"id\":\"f1\",\"at\":\"2026-01-02T03:00:00Z\"}-->\none\n\n"
    "<!--m {\"id\":\"f2\",\"at\":\"2026-01-02T03:00:01Z\"}-->\ntwo\n\n"
    "<!--m {\"id\":\"f3\",\"at\":\"2026-01-02T03:00:02Z\"}-->\nthree\n";

constexpr const char* durable = "consolidated/memory.md";
constexpr const char* core = "MEMORY.md";

std::string written(const std::string& id, const std::string& text, const std::string& from = {}) {
  const std::string facts = from.empty() ? from : R"(,"from":[)" + from + "]";
  return R"(<!--m {"id":")" + id + R"(","sum":")" + sum_from_hash(stored_text_hash(text)) + '"' + facts + "}-->\n" + text + "\n";
}

class RestoreTest : public MemoryTest {
 protected:
  // Three facts, of which two went into one entry, that stands between others and is shown in the core.
  void lay_down() {
    write(day, three_facts);
    write(durable, "# Memory\n\n" + written("c0", "Mine.") + "\n" + written("c1", "One and two.", R"("f1","f2")") + "\nTyped.\n");
    write(core, "<!-- loci:core begin -->\n<!--m {\"ref\":\"c1\"}-->\n- One and two.\n- By hand.\n<!-- loci:core end -->\n");
    write("note.md", "Eins und zwei.\n");
    Memory memory = open();
    std::vector<LedgerEntry> lines;
    for (const auto& [id, text] : {std::pair("f1", "one"), std::pair("f2", "two")})
      lines.push_back({1,
                       "run",
                       clock.now(),
                       id,
                       stored_text_hash(text),
                       LedgerEntry::Outcome::added,
                       "c1",
                       stored_text_hash("One and two."),
                       {},
                       {}});
    ASSERT_TRUE(append_ledger(memory.vault(), lines));
    before_ = everything(memory);
  }

  // All that is found, what is pending, and the files that loci rewrites.
  std::vector<std::string> everything(Memory& memory) {
    std::vector<std::string> all = texts(memory);
    const auto pending = memory.reader().value()->pending_facts().value();
    for (const auto& fact : pending) all.push_back("pending: " + fact.entry.id);
    for (const char* file : {durable, core, "user.md"})
      if (folder.has("vault/" + std::string(file))) all.push_back(read(file));
    return all;
  }

  // All is as it was laid down, also for an index that is made anew.
  void expect_all_as_before(Memory& memory) {
    EXPECT_EQ(everything(memory), before_);
    expect_order(memory);
    ASSERT_TRUE(memory.reindex(true));
    EXPECT_EQ(everything(memory), before_);
    expect_order(memory);
  }

  static void expect_order(Memory& memory) {
    EXPECT_TRUE(memory.bring_up_to_date());
    const FactCounts facts = memory.reader().value()->facts();
    EXPECT_EQ(facts.total, facts.pending + facts.settled + facts.deleted);
    const auto report = examine_vault(memory, false, memory_stores());
    ASSERT_TRUE(report);
    for (const Problem& problem : report->problems) ADD_FAILURE() << problem.code << " " << problem.file << " " << problem.message;
  }

  std::vector<std::string> before_;

  // What the logs say about an id: "deleted", "restored", … or nothing.
  static std::string state(Memory& memory, const std::string& id) {
    const auto logs = read_logs(memory.vault());
    const Tombstone* tombstone = state_of(*logs, id);
    return tombstone ? std::string(name_of(tombstone->reason)) : std::string();
  }
};

TEST_F(RestoreTest, ARestoredEntryOfAFileIsPutBackAsItStood) {
  const std::string before = "# Memory\n\n<!--m {\"id\":\"c1\",\"mine\":\"kept\"}-->\nOne, settled.\n";
  write("consolidated/memory.md", before);
  Memory memory = open();
  ASSERT_TRUE(forget(memory, {"c1"}, {}));
  EXPECT_EQ(read("consolidated/memory.md").find("settled"), std::string::npos);
  ASSERT_TRUE(restore(memory, "c1"));
  EXPECT_EQ(read("consolidated/memory.md"), before);
  EXPECT_EQ(restore(memory, "c1").error().code, ErrorCode::refused);
}

TEST_F(RestoreTest, WhatWasRemovedSurvivesTheStateFolder) {
  const std::string before = "# Memory\n\n<!--m {\"id\":\"c1\"}-->\nOne, settled.\n";
  write("consolidated/memory.md", before);
  {
    Memory memory = open();
    ASSERT_TRUE(forget(memory, {"c1"}, {}));
    std::filesystem::remove_all(memory.vault().state_folder());
  }
  Memory memory = open();
  ASSERT_TRUE(restore(memory, "c1"));
  EXPECT_EQ(read("consolidated/memory.md"), before);
  EXPECT_EQ(texts(memory), Texts{"One, settled."});
}

TEST_F(RestoreTest, ARestoreThatHasNoTextOrNoRoomChangesNothingAndCanBeTriedAgain) {
  write("user.md", "# User\n\n<!--m {\"id\":\"u1\"}-->\n- Prefers tea.\n");
  Memory memory = open();
  ASSERT_TRUE(forget(memory, {"u1"}, {}));
  const std::string without = read("user.md");
  write("user.md", "# User\n\n- " + std::string(980, 'x') + "\n");
  ASSERT_FALSE(restore(memory, "u1"));
  EXPECT_EQ(restore(memory, "u1").error().code, ErrorCode::refused);
  EXPECT_EQ(state(memory, "u1"), "deleted");
  write("user.md", without);
  const std::filesystem::path removed = memory.vault().dot_loci() / "removed";
  std::filesystem::rename(removed, folder / "kept");
  EXPECT_EQ(restore(memory, "u1").error().code, ErrorCode::refused);
  EXPECT_EQ(state(memory, "u1"), "deleted");
  std::filesystem::rename(folder / "kept", removed);
  ASSERT_TRUE(restore(memory, "u1"));
  EXPECT_EQ(texts(memory), Texts{"- Prefers tea."});
}

TEST_F(RestoreTest, WhatComesBackHasTheLineEndsOfItsFile) {
  write("user.md", "## Work\r\n\r\n- Prefers tea.\r\n\r\n- Lives in Oslo.\r\n");
  Memory memory = open();
  ASSERT_TRUE(forget(memory, {id_of(memory, "Prefers tea.")}, {}));
  ASSERT_TRUE(restore(memory, read_logs(memory.vault())->tombstones.front().id));
  std::string lines = read("user.md");
  EXPECT_NE(lines.find("- Prefers tea.\r\n"), std::string::npos);
  for (size_t at = 0; (at = lines.find("\r\n", at)) != std::string::npos;) lines.erase(at, 2);
  EXPECT_EQ(lines.find('\n'), std::string::npos) << lines;
}

TEST_F(RestoreTest, OfTwoThatBelongTogetherNoneComesBackAlone) {
  write("consolidated/memory.md", "<!--m {\"id\":\"c1\"}-->\nPrefers tea.\n");
  write("user.md", "<!--m {\"id\":\"u1\"}-->\nPrefers tea.\n");
  Memory memory = open();
  ASSERT_TRUE(forget(memory, {"c1"}, {}));
  EXPECT_EQ(read("user.md").find("tea"), std::string::npos);
  write("user.md", "- " + std::string(990, 'x') + "\n");
  ASSERT_FALSE(restore(memory, "c1"));
  EXPECT_EQ(read("consolidated/memory.md").find("tea"), std::string::npos);
}

TEST_F(RestoreTest, ARestoreTakesBackEveryTombstoneOfTheSameText) {
  write("archive/2026-01-02.md", "<!--m {\"id\":\"f1\",\"at\":\"2026-01-02T03:00:00Z\"}-->\nsaid twice\n");
  write("archive/2026-01-03.md", "<!--m {\"id\":\"f2\",\"at\":\"2026-01-03T03:00:00Z\"}-->\nsaid twice\n");
  Memory memory = open();
  ASSERT_TRUE(forget(memory, {"f1"}, {}));
  EXPECT_EQ(texts(memory), Texts{});
  ASSERT_TRUE(restore(memory, "f1"));
  EXPECT_EQ(texts(memory).size(), 2u);
}

TEST_F(RestoreTest, AnotherVersionThatWasTakenAwayBeforeIsNotSaidAgainBesideIt) {
  write(day, three_facts);
  Memory memory = open();
  const auto corrected = correct(memory, "f1", "eins");
  const auto back = correct(memory, corrected->id, "one");
  ASSERT_TRUE(back);
  clock.advance(std::chrono::minutes(1));
  ASSERT_TRUE(forget(memory, {back->id}, {}));
  clock.advance(std::chrono::minutes(1));
  ASSERT_TRUE(restore(memory, "f1"));
  clock.advance(std::chrono::minutes(1));
  ASSERT_TRUE(forget(memory, {"f1"}, {}));
  clock.advance(std::chrono::minutes(1));
  EXPECT_EQ(restore(memory, "f1")->ids, Texts{"f1"});
  EXPECT_EQ(texts(memory), (Texts{"one", "three", "two"}));
}

TEST_F(RestoreTest, WhatWasCorrectedComesBackAndItsCorrectionGoes) {
  write(day, three_facts);
  Memory memory = open();
  const auto corrected = correct(memory, "f1", "eins");
  ASSERT_TRUE(corrected);
  EXPECT_EQ(state(memory, "f1"), "corrected");
  const auto restored = restore(memory, "f1");
  ASSERT_TRUE(restored) << restored.error().message;
  EXPECT_EQ(restored->ids, Texts{"f1"});
  EXPECT_EQ(restored->gave_way, Texts{corrected->id});
  EXPECT_EQ(state(memory, "f1"), "restored");
  EXPECT_EQ(texts(memory), (Texts{"one", "three", "two"}));
  ASSERT_TRUE(restore(memory, corrected->id)) << "and that can be taken back";
  EXPECT_EQ(texts(memory), (Texts{"eins", "three", "two"}));
}

TEST_F(RestoreTest, NothingGivesWayThatIsNotWhatWasSeenThere) {
  for (const char* id : {"c1", "f1"}) {
    SCOPED_TRACE(id);
    for (const char* part : {"vault", "home"}) std::filesystem::remove_all(folder / part);
    lay_down();
    Memory memory = open();
    const auto second = correct(memory, id, "Second.");
    ASSERT_TRUE(second);
    ASSERT_TRUE(correct(memory, second->id, "Third."));
    const auto before = everything(memory);
    const auto refused = restore(memory, id, stored_text_hash("Second."));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::refused);
    EXPECT_EQ(everything(memory), before);
    ASSERT_TRUE(restore(memory, id, stored_text_hash("Third.")));
    expect_all_as_before(memory);
  }
}

TEST_F(RestoreTest, AnEntryStandsAgainWhereItsCorrectionStood) {
  for (const char* id : {"c1", "f1"}) {
    SCOPED_TRACE(id);
    for (const char* part : {"vault", "home"}) std::filesystem::remove_all(folder / part);
    lay_down();
    Memory memory = open();
    ASSERT_TRUE(correct(memory, id, "Eins und zwei."));
    EXPECT_THAT(read(durable), HasSubstr("Eins und zwei."));
    EXPECT_THAT(read(core), HasSubstr("Eins und zwei."));
    const auto restored = restore(memory, id);
    ASSERT_TRUE(restored) << restored.error().message;
    EXPECT_THAT(restored->notes, IsEmpty());
    expect_all_as_before(memory);
  }
}

TEST_F(RestoreTest, WordsThatWereTypedIntoAnOldBufferOfTheCorrectionAreFound) {
  lay_down();
  Memory memory = open();
  ASSERT_TRUE(correct(memory, "c1", "Eins und zwei."));
  std::string buffer = read(durable);
  ASSERT_TRUE(restore(memory, "c1"));
  write(durable, buffer);
  EXPECT_EQ(std::ranges::count(texts(memory), "Eins und zwei."), 1) << "in the note: nobody typed it here since";
  write(durable, buffer.replace(buffer.find("Eins und zwei."), 14, "Eins bis drei."));
  EXPECT_THAT(texts(memory), testing::Contains("Eins bis drei."));
  ASSERT_TRUE(memory.reindex(true));
  EXPECT_THAT(texts(memory), testing::Contains("Eins bis drei."));
}

TEST_F(RestoreTest, OfAChainOfCorrectionsTheLastGoesAndNoneBetweenComesBack) {
  lay_down();
  Memory memory = open();
  const auto second = correct(memory, "c1", "Second.");
  ASSERT_TRUE(second);
  const auto third = correct(memory, second->id, "Third.");
  ASSERT_TRUE(third);
  ASSERT_TRUE(restore(memory, "c1"));
  expect_all_as_before(memory);
  ASSERT_TRUE(restore(memory, second->id));
  EXPECT_THAT(read(durable), HasSubstr("Second.\n\nTyped."));
  EXPECT_THAT(read(durable), Not(testing::AnyOf(HasSubstr("One and"), HasSubstr("Third."))));
  EXPECT_THAT(read(core), HasSubstr("- Second."));
  expect_order(memory);
}

TEST_F(RestoreTest, WhereTheCorrectionIsGoneTheTextStandsWhereTheVersionsHaveIt) {
  lay_down();
  Memory memory = open();
  const auto corrected = correct(memory, "c1", "Eins und zwei.");
  ASSERT_TRUE(corrected);
  ASSERT_TRUE(forget(memory, {corrected->id}, {}));
  EXPECT_THAT(read(durable), Not(HasSubstr("wei.")));
  ASSERT_TRUE(restore(memory, "c1"));
  EXPECT_EQ(read(durable), before_[before_.size() - 2]);
  EXPECT_EQ(state(memory, corrected->id), "deleted");
}

TEST_F(RestoreTest, WhatWasFoldedIntoTheCorrectionSinceIsPendingAgain) {
  lay_down();
  Memory memory = open();
  const auto corrected = correct(memory, "c1", "Eins.");
  ASSERT_TRUE(corrected);
  std::string bytes = read(durable);  // as a run leaves it
  const size_t from = bytes.find("\"from\":[", bytes.find(corrected->id));
  bytes.insert(from + 8, R"("f3",)");
  write(durable, bytes);
  ASSERT_TRUE(append_ledger(memory.vault(), {{1,
                                              "later",
                                              clock.now() + std::chrono::hours(1),
                                              "f3",
                                              stored_text_hash("three"),
                                              LedgerEntry::Outcome::merged,
                                              corrected->id,
                                              stored_text_hash("Eins."),
                                              {},
                                              {}}}));
  clock.advance(std::chrono::hours(2));
  ASSERT_TRUE(restore(memory, "c1"));
  EXPECT_THAT(read(durable), Not(HasSubstr("Eins.")));
  expect_order(memory);
  const auto pending = memory.reader().value()->pending_facts().value();
  ASSERT_EQ(pending.size(), 1u);
  EXPECT_EQ(pending.front().entry.id, "f3");
}

TEST_F(RestoreTest, WordsThatAPersonWroteOverTheCorrectionStayAndAreNamed) {
  lay_down();
  Memory memory = open();
  const auto corrected = correct(memory, "c1", "Eins und zwei.");
  ASSERT_TRUE(corrected);
  std::string bytes = read(durable);
  write(durable, bytes.replace(bytes.find("Eins und zwei."), 14, "Eins, zwei, drei."));
  const auto restored = restore(memory, "c1");
  ASSERT_TRUE(restored);
  EXPECT_THAT(restored->notes, ElementsAre(HasSubstr(corrected->id)));
  EXPECT_THAT(texts(memory), testing::IsSupersetOf({"One and two.", "Eins, zwei, drei."}));
  expect_order(memory);
}

TEST_F(RestoreTest, ALineOfTheUserFileStandsAgainWhereItsCorrectionStood) {
  struct Line {
    const char* name;
    std::string markdown;
    Author author;
  };
  const Line lines[] = {
      {"a person's own", "- Prefers tea.\n", {}},
      {"with an id, which it keeps", "<!--m {\"id\":\"u1\"}-->\n- Prefers tea.\n", {}},
      {"corrected by an agent", "<!--m {\"id\":\"u1\"}-->\n- Prefers tea.\n", {Source::agent, "agent"}},
  };
  for (const Line& one : lines) {
    SCOPED_TRACE(one.name);
    for (const char* part : {"vault", "home"}) std::filesystem::remove_all(folder / part);
    write("user.md", "# User\n\n## Personal\n\n- Lives in Oslo.\n\n" + one.markdown + "\n## Work\n\n- Codes.\n");
    write("note.md", "Prefers coffee.\n");
    Memory memory = open();
    const auto found = texts(memory);
    const std::string text = *std::ranges::find_if(found, [](const std::string& each) { return each.contains("tea"); });
    before_ = everything(memory);
    const auto corrected = correct(memory, id_of(memory, text), "Prefers coffee.", one.author);
    ASSERT_TRUE(corrected) << corrected.error().message;
    EXPECT_THAT(read("user.md"), Not(HasSubstr("tea")));
    const auto restored = restore(memory, corrected->replaced.front());
    ASSERT_TRUE(restored) << restored.error().message;
    expect_all_as_before(memory);
  }
}

TEST_F(RestoreTest, ALineOfTheCoreComesBackWithItsEntryUnlessAPersonHadTakenItOut) {
  for (const bool was_demoted : {false, true}) {
    for (const char* part : {"vault", "home"}) std::filesystem::remove_all(folder / part);
    lay_down();
    Memory memory = open();
    const std::string hash = stored_text_hash("One and two.");
    ASSERT_TRUE(append_promotion(memory.vault(), {1, "run", clock.now(), {{"c1", hash}}, {}}));
    clock.advance(std::chrono::hours(1));
    if (was_demoted) {
      ASSERT_TRUE(append_tombstones(memory.vault(), {{clock.now(), "c1", hash, Tombstone::Reason::demoted, "user", {}}}));
      write(core, "<!-- loci:core begin -->\n- By hand.\n<!-- loci:core end -->\n");
    }
    ASSERT_TRUE(forget(memory, {"c1"}, {}));
    EXPECT_THAT(read(core), Not(HasSubstr("One and two.")));
    ASSERT_TRUE(restore(memory, "c1"));
    EXPECT_EQ(read(core).contains("- One and two."), !was_demoted);
    EXPECT_THAT(read(core), HasSubstr("- By hand."));
    expect_order(memory);
  }
}

TEST_F(RestoreTest, WordsByHandThatACorrectionReplacesAreNamedAndComeBack) {
  lay_down();
  Memory memory = open();
  std::string bytes = read(durable);
  bytes.replace(bytes.find("One and two."), 12, "One, two, and mine.");
  write(durable, bytes);
  const auto corrected = correct(memory, "c1", "Eins und zwei.");
  ASSERT_TRUE(corrected);
  EXPECT_THAT(corrected->notes, ElementsAre(testing::AllOf(HasSubstr("loci restore c1"), Not(HasSubstr("mine")))));
  ASSERT_TRUE(restore(memory, "c1"));
  EXPECT_EQ(read(durable), bytes);
  expect_order(memory);
}

TEST_F(RestoreTest, LinesOfTheirOwnerThatSayWhatWasCorrectedAreNamed) {
  lay_down();
  write(core, read(core) + "\nOne and two.\n");
  write("note.md", "# Numbers\n\n- One and two.\n");
  Memory memory = open();
  const auto corrected = correct(memory, "c1", "Eins und zwei.");
  ASSERT_TRUE(corrected);
  EXPECT_THAT(corrected->notes, testing::UnorderedElementsAre(HasSubstr("MEMORY.md:"), HasSubstr("note.md:3")));
}

TEST_F(RestoreTest, WordsThatAPersonSavesWhileTheyAreCorrectedStay) {
  lay_down();
  open().bring_up_to_date().value();
  std::string bytes = read(durable);
  bytes.replace(bytes.find("One and two."), 12, "One, two, and mine.");
  bool has_saved = false;
  InterruptingFileSystem files([&](size_t, const std::string& call) {
    if (has_saved || !call.starts_with("write_once ") || !call.contains("/archive/")) return;
    has_saved = true;
    write(durable, bytes);
  });
  Memory memory = Memory::open(folder / "vault", environment_in(folder), files, clock).value();
  const auto corrected = correct(memory, "c1", "Eins und zwei.");
  ASSERT_TRUE(corrected);
  ASSERT_TRUE(has_saved);
  EXPECT_THAT(corrected->notes, testing::Contains(HasSubstr("somebody has just changed it")));
  EXPECT_THAT(read(durable), testing::StartsWith(bytes));
  EXPECT_THAT(texts(memory), testing::IsSupersetOf({"One, two, and mine.", "Eins und zwei."}));
}

TEST_F(RestoreTest, WhatWasRestoredStandsThoughItsWordsWereEndedUnderAnotherId) {
  struct Ended {
    const char* name;
    std::string again;  // said after the first was forgotten or corrected
    bool was_corrected, is_corrected;
  };
  const Ended cases[] = {
      {"forgotten, and again in other marks", "**Call** the harbour.", false, false},
      {"corrected, said again and forgotten", "Call the harbour.", true, false},
      {"forgotten, said again and corrected", "Call the harbour.", false, true},
      {"both corrected", "Call the harbour.", true, true},
  };
  for (const Ended& one : cases) {
    SCOPED_TRACE(one.name);
    for (const char* part : {"vault", "home"}) std::filesystem::remove_all(folder / part);
    std::filesystem::create_directories(folder / "vault");
    Memory memory = open();
    const std::string first = add(memory, {NewEntry{{}, "Call the harbour."}})->entries.front().id;
    const auto end = [&](const std::string& id, bool by_correction, const std::string& text) {
      clock.advance(std::chrono::hours(1));
      if (!by_correction) return forget(memory, {id}, {}).has_value();
      return correct(memory, id, text).has_value();
    };
    ASSERT_TRUE(end(first, one.was_corrected, "Call the pilot."));
    clock.advance(std::chrono::hours(1));
    const std::string second = add(memory, {NewEntry{{}, one.again}})->entries.front().id;
    ASSERT_TRUE(end(second, one.is_corrected, "Call the coast guard."));
    const auto restored = restore(memory, first);
    ASSERT_TRUE(restored);
    EXPECT_EQ(restored->ids, Texts{first});
    for (const bool rebuilt : {false, true}) {
      if (rebuilt) {
        ASSERT_TRUE(memory.reindex(true));
      }
      EXPECT_EQ(texts(memory),
                one.is_corrected ? (Texts{"Call the coast guard.", "Call the harbour."}) : Texts{"Call the harbour."});
      expect_order(memory);
    }
    EXPECT_EQ(restored->notes.size(), one.is_corrected ? 1U : 0U);
    if (one.is_corrected) {
      EXPECT_THAT(restored->notes, ElementsAre(HasSubstr(id_of(memory, "Call the coast guard."))));
    }
    clock.advance(std::chrono::hours(1));
    ASSERT_TRUE(forget(memory, {first}, {}));
    EXPECT_EQ(texts(memory), one.is_corrected ? Texts{"Call the coast guard."} : Texts{}) << "it can be forgotten again";
  }
}

TEST_F(RestoreTest, WhatRestsOnAFactThatWasForgottenSinceComesBackOnlyIfItIsNamed) {
  for (const char* id : {"f1", "c1"}) {
    SCOPED_TRACE(id);
    for (const char* part : {"vault", "home"}) std::filesystem::remove_all(folder / part);
    lay_down();
    Memory memory = open();
    ASSERT_TRUE(correct(memory, "f1", "eins"));
    ASSERT_TRUE(forget(memory, {"f2"}, {}));
    ASSERT_TRUE(restore(memory, id));
    const bool is_named = std::string(id) == "c1";
    EXPECT_EQ(read(durable).contains("One and two."), is_named);
    EXPECT_THAT(texts(memory), testing::Contains("one"));
    EXPECT_THAT(texts(memory), Not(testing::Contains("two")));
    EXPECT_THAT(read(durable), Not(HasSubstr("eins")));
    expect_order(memory);
  }
}

TEST_F(RestoreTest, KilledBeforeAnyWriteACorrectionStandsOrWhatItHadReplaced) {
  struct Killed {};
  size_t ended = 0;
  bool was_killed = true;
  for (size_t at = 0; was_killed; at += 5) {
    for (const char* part : {"vault", "home"}) std::filesystem::remove_all(folder / part);
    lay_down();
    {
      Memory memory = open();
      ASSERT_TRUE(correct(memory, "c1", "Eins und zwei."));
    }
    size_t writes = 0;
    InterruptingFileSystem files([&](size_t, const std::string& call) {
      const bool is_read = call.starts_with("open ") || call.starts_with("read_all ") || call.starts_with("status ");
      if (!is_read && writes++ == at) throw Killed{};
    });
    was_killed = false;
    try {
      Memory memory = Memory::open(folder / "vault", environment_in(folder), files, clock).value();
      EXPECT_TRUE(restore(memory, "c1"));
    } catch (const Killed&) {
      was_killed = true;
    }
    Memory memory = open();
    ASSERT_TRUE(add(memory, {NewEntry{{}, "The next command that writes."}}));
    ASSERT_TRUE(bring_lines_in_step(memory));
    const auto found = texts(memory);
    const bool is_back = std::ranges::count(found, "One and two.") > 0;
    EXPECT_EQ(std::ranges::count(found, "Eins und zwei."), is_back ? 1 : 3) << "killed before write " << at;
    EXPECT_EQ(read(durable).contains("One and two."), is_back) << "killed before write " << at;
    EXPECT_EQ(read(core).contains("One and two."), is_back) << "killed before write " << at;
    expect_order(memory);
    ended += is_back ? 1 : 0;
  }
  EXPECT_GT(ended, 1u);
}

}  // namespace
}  // namespace loci
