// What goes with what is forgotten or corrected: equal texts, and what loci had made of the facts.
#include "memory/removal.h"

#include <gmock/gmock.h>

#include <functional>

#include "memory/correct.h"
#include "memory/correction_conflicts.h"
#include "memory/doctor.h"
#include "memory/forget.h"
#include "memory/promoted_lines.h"
#include "memory/purge.h"
#include "memory/restore.h"
#include "memory/status.h"
#include "memory/stores.h"
#include "memory/unfinished_changes.h"
#include "parser/text_hash.h"
#include "tests/memory/memory_fixture.h"
#include "tests/support/interrupting_file_system.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

constexpr const char* day = "archive/2026-01-02.md";
constexpr const char* durable = "consolidated/memory.md";

std::string fact(const std::string& id, const std::string& text, const std::string& at = "2026-01-02T03:00:00Z") {
  return "<!--m {\"id\":\"" + id + "\",\"at\":\"" + at + "\",\"source\":\"user\",\"kind\":\"fact\"}-->\n" + text + "\n\n";
}

class RemovalTest : public MemoryTest {
 protected:
  // Three facts, of which two were folded into one entry and one into another, as a run leaves them.
  void lay_down() {
    write(day, fact("f1", "The boat is blue.") + fact("f2", "The boat has two sails.") + fact("f3", "The pier is long."));
    write(durable,
          entry("c1", "The boat is blue and has two sails.", R"("f1","f2")") + "\n" + entry("c2", "The pier is long.", R"("f3")"));
    write("MEMORY.md",
          "<!-- loci:core begin -->\n<!--m {\"ref\":\"c1\"}-->\n- The boat is blue and has two sails.\n<!-- loci:core end -->\n");
    Memory memory = open();
    std::vector<LedgerEntry> lines;
    lines.push_back(line("f1", "The boat is blue.", "c1", "The boat is blue and has two sails."));
    lines.push_back(line("f2", "The boat has two sails.", "c1", "The boat is blue and has two sails."));
    lines.push_back(line("f3", "The pier is long.", "c2", "The pier is long."));
    ASSERT_TRUE(append_ledger(memory.vault(), lines));
  }

  // A person's words in the entry had overruled what its fact said, and they are filed.
  void lay_down_an_edit_that_overruled() {
    write(day, fact("f1", "The boat is blue.") +
                   "<!--m {\"id\":\"f2\",\"at\":\"2026-01-02T04:00:00Z\",\"source\":\"user\",\"corrects\":\"c1\"}-->\nThe boat is "
                   "green.\n");
    write(durable, entry("c1", "The boat is green.", R"("f1","f2")"));
    Memory memory = open();
    LedgerEntry later = line("f2", "The boat is green.", "c1", "The boat is green.");
    later.at += std::chrono::seconds(1);
    ASSERT_TRUE(append_ledger(memory.vault(), {line("f1", "The boat is blue.", "c1", "The boat is blue."), later}));
  }

  // As a person does in the file of the entries.
  void reword(const std::string& words, const std::string& instead) {
    std::string bytes = read(durable);
    const size_t at = bytes.find(words);
    ASSERT_NE(at, std::string::npos) << words;
    write(durable, bytes.replace(at, words.size(), instead));
  }

  static std::string entry(const std::string& id, const std::string& text, const std::string& from) {
    return "<!--m {\"id\":\"" + id + "\",\"source\":\"user\",\"from\":[" + from + "],\"sum\":\"" +
           sum_from_hash(stored_text_hash(text)) + "\"}-->\n" + text + "\n";
  }

  LedgerEntry line(const std::string& id, const std::string& text, const std::string& entry, const std::string& entry_text) {
    return {1,  "run", clock.now(), id, stored_text_hash(text), LedgerEntry::Outcome::added, entry, stored_text_hash(entry_text),
            {}, {}};
  }

  static std::vector<std::string> pending(Memory& memory) {
    EXPECT_TRUE(memory.bring_up_to_date());
    std::vector<std::string> ids;
    const auto facts = memory.reader().value()->pending_facts().value();
    for (const auto& one : facts) ids.push_back(one.entry.id);
    return ids;
  }

  static std::vector<std::string> ids_of(const std::vector<Entry>& entries) {
    std::vector<std::string> ids;
    for (const Entry& one : entries) ids.push_back(one.id);
    return ids;
  }

  static std::vector<std::string> codes(Memory& memory) {
    std::vector<std::string> found;
    const auto report = examine_vault(memory, false, memory_stores());
    EXPECT_TRUE(report);
    for (const Problem& problem : report->problems) found.push_back(problem.code);
    return found;
  }

  void expect_the_sum_holds(Memory& memory) {
    EXPECT_TRUE(memory.bring_up_to_date());
    const FactCounts facts = memory.reader().value()->facts();
    EXPECT_EQ(facts.total, facts.pending + facts.settled + facts.deleted);
  }
};

// What goes is forgotten, or corrected.
class WrittenOver : public RemovalTest, public testing::WithParamInterface<bool> {
 protected:
  bool end_f1(Memory& memory) {
    return GetParam() ? correct(memory, "f1", "The boat is white.").has_value() : forget(memory, {"f1"}, {}).has_value();
  }
};

INSTANTIATE_TEST_SUITE_P(ByWordsThatGo, WrittenOver, testing::Bool(),
                         [](const auto& row) { return row.param ? "Corrected" : "Forgotten"; });

TEST_P(WrittenOver, WordsOfAPersonsThatARunHadFiledDoNotComeBack) {
  lay_down_an_edit_that_overruled();
  Memory memory = open();
  reword("The boat is green.", "The boat is blue.");
  write(day, read(day) + "\n" + fact("f4", "The boat is green.", "2026-01-02T05:00:00Z"));  // said again
  ASSERT_TRUE(end_f1(memory));
  EXPECT_THAT(read(durable), Not(HasSubstr("blue")));
  EXPECT_THAT(pending(memory), ElementsAre("f4"));
  expect_the_sum_holds(memory);
  ASSERT_TRUE(restore(memory, "c1"));
  EXPECT_THAT(read(durable), HasSubstr("The boat is blue."));
  EXPECT_THAT(pending(memory), ElementsAre("f4"));
  EXPECT_TRUE(Chronicle::read(memory.vault())->is_removed("f2")) << "that was taken back before";
  expect_the_sum_holds(memory);
}

TEST_F(RemovalTest, NorDoTheyWhenWhatIsWrittenOverThemIsPurged) {
  lay_down_an_edit_that_overruled();
  Memory memory = open();
  reword("The boat is green.", "The boat is blue.");
  ASSERT_TRUE(memory.bring_up_to_date());
  const auto entries = entries_to_purge(memory, {"f1"}, {});
  ASSERT_TRUE(entries);
  ASSERT_TRUE(purge(memory, *entries, memory_stores())->complete);
  EXPECT_THAT(pending(memory), IsEmpty());
  EXPECT_THAT(texts(memory), IsEmpty());
  expect_the_sum_holds(memory);
}

TEST_F(RemovalTest, WhatWasOverruledByWhatIsPurgedDoesNotComeBack) {
  lay_down_an_edit_that_overruled();
  Memory memory = open();
  ASSERT_TRUE(memory.bring_up_to_date());
  const auto entries = entries_to_purge(memory, {"f2"}, {});
  ASSERT_TRUE(entries);
  ASSERT_TRUE(purge(memory, *entries, memory_stores())->complete);
  EXPECT_THAT(read(day), Not(HasSubstr("green")));
  EXPECT_THAT(pending(memory), IsEmpty());
  EXPECT_THAT(texts(memory), IsEmpty());
  expect_the_sum_holds(memory);
  ASSERT_TRUE(restore(memory, "f1")) << "it was not purged";
  EXPECT_THAT(pending(memory), ElementsAre("f1"));
}

// An old buffer had brought the entry back, with other words.
TEST_F(RemovalTest, APersonsWordsGoWithoutTheFactThatAnotherEntryHoldsByNow) {
  lay_down();
  write(durable, read(durable) + "\n" + entry("c4", "The boat has two sails.", R"("f2")"));
  Memory memory = open();
  LedgerEntry later = line("f2", "The boat has two sails.", "c4", "The boat has two sails.");
  later.at += std::chrono::seconds(1);
  ASSERT_TRUE(append_ledger(memory.vault(), {later}));
  reword("The boat is blue and has two sails.", "My boat.");
  ASSERT_TRUE(forget(memory, {"c1"}, {}));
  EXPECT_THAT(texts(memory),
              UnorderedElementsAre("The boat has two sails.", "The boat has two sails.", "The pier is long.", "The pier is long."));
  EXPECT_THAT(pending(memory), IsEmpty());
  expect_the_sum_holds(memory);
}

// f1 and f3 had been folded into c1, which a run filed as f2 once it was green.
TEST_F(RemovalTest, AFactOfAnEntryThatWasTakenApartIsPendingAgainOnceItIsRestored) {
  lay_down_an_edit_that_overruled();
  write(day, read(day) + "\n" + fact("f3", "The boat has two sails."));
  write(durable, entry("c1", "The boat is green.", R"("f1","f3","f2")"));
  Memory memory = open();
  ASSERT_TRUE(append_ledger(memory.vault(), {line("f3", "The boat has two sails.", "c1", "The boat is blue.")}));
  reword("The boat is green.", "The boat is blue.");
  ASSERT_TRUE(forget(memory, {"f1"}, {}));
  EXPECT_THAT(pending(memory), ElementsAre("f3"));
  write(durable, entry("c4", "The boat has two sails.", R"("f3")"));
  LedgerEntry anew = line("f3", "The boat has two sails.", "c4", "The boat has two sails.");
  anew.at += std::chrono::minutes(1);
  ASSERT_TRUE(append_ledger(memory.vault(), {anew}));
  EXPECT_THAT(pending(memory), IsEmpty());
  ASSERT_TRUE(restore(memory, "f1"));
  EXPECT_THAT(pending(memory), ElementsAre("f1"));
  EXPECT_TRUE(Chronicle::read(memory.vault())->is_removed("f2"));
  expect_the_sum_holds(memory);
}

TEST_P(WrittenOver, WhatWasSaidAgainStaysWhenTheEntryGoesThatSaysOtherwise) {
  lay_down();
  write(day, read(day) + fact("f4", "The boat has two sails.", "2026-01-02T05:00:00Z"));
  Memory memory = open();
  reword("The boat is blue and has two sails.", "My boat.");
  ASSERT_TRUE(GetParam() ? correct(memory, "c1", "His boat.").has_value() : forget(memory, {"c1"}, {}).has_value());
  EXPECT_THAT(pending(memory), ElementsAre("f4"));
  expect_the_sum_holds(memory);
}

TEST_P(WrittenOver, NewMarksSayNothingElse) {
  lay_down();
  write(day, read(day) + fact("f4", "The boat has two sails.", "2026-01-02T05:00:00Z"));
  Memory memory = open();
  reword("The boat is blue and has two sails.", "**The boat is blue and has two sails.**");
  ASSERT_TRUE(GetParam() ? correct(memory, "c1", "His boat.").has_value() : forget(memory, {"c1"}, {}).has_value());
  EXPECT_THAT(pending(memory), IsEmpty());
  expect_the_sum_holds(memory);
}

TEST_P(WrittenOver, ByMarksAloneTheyArePending) {
  lay_down_an_edit_that_overruled();
  Memory memory = open();
  reword("The boat is green.", "**The boat is green.**");
  ASSERT_TRUE(end_f1(memory));
  expect_the_sum_holds(memory);
  EXPECT_FALSE(Chronicle::read(memory.vault())->is_removed("f2"));
}

TEST_P(WrittenOver, AFactOfItsOwnIsPendingAgain) {
  lay_down();
  Memory memory = open();
  reword(" and has two sails.", ".");
  ASSERT_TRUE(end_f1(memory));
  EXPECT_THAT(pending(memory), ElementsAre("f2"));
  expect_the_sum_holds(memory);
}

// As beside a daemon that has not taken the save in yet, with the entry in one file or in two.
class UnseenWords : public RemovalTest, public testing::WithParamInterface<bool> {};

INSTANTIATE_TEST_SUITE_P(OfAnEntryOrOneOfItsCopies, UnseenWords, testing::Bool(),
                         [](const auto& row) { return row.param ? "Copied" : "Alone"; });

TEST_P(UnseenWords, AreAPersonsAllTheSame) {
  lay_down();
  if (GetParam()) write("consolidated/a.md", read(durable));
  Memory memory = open();
  ASSERT_TRUE(memory.bring_up_to_date());
  std::string reworded = read(durable);
  reworded.replace(reworded.find("has two sails"), 13, "leaks");
  write(durable, reworded);
  const auto folded = folded_entries(memory, {"f1"});
  ASSERT_TRUE(folded);
  EXPECT_THAT(folded->apart, IsEmpty());
  ASSERT_EQ(folded->kept.size(), 1u);
  EXPECT_EQ(folded->kept.front().text, "The boat is blue and leaks.");
}

TEST_F(RemovalTest, ATextThatAClockAheadWroteTwiceGoesWithOneOfThem) {
  Memory memory = open();
  clock.set("2026-03-01T17:00:00Z");
  const auto added =
      add(memory, {NewEntry{{}, "The key hangs left of the door."}, NewEntry{{}, "The key hangs left of the door."}});
  ASSERT_TRUE(added);
  clock.set("2026-03-01T12:00:00Z");
  const auto forgotten = forget(memory, {added->entries[0].id}, {});
  ASSERT_TRUE(forgotten);
  EXPECT_THAT(ids_of(forgotten->entries), UnorderedElementsAre(added->entries[0].id, added->entries[1].id));
  EXPECT_THAT(texts(memory), IsEmpty());
  ASSERT_TRUE(memory.reindex(true));
  EXPECT_THAT(texts(memory), IsEmpty());
  ASSERT_TRUE(restore(memory, added->entries[1].id));
  EXPECT_EQ(texts(memory).size(), 2u) << "what went together comes back together";
}

TEST_F(RemovalTest, NoEntryIsDatedMoreThanADayFromNow) {
  Memory memory = open();
  NewEntry entry{{}, "The ferry leaves at six."};
  entry.metadata.at = clock.now() + std::chrono::hours(25);
  EXPECT_EQ(add(memory, {entry}).error().code, ErrorCode::usage);
  entry.metadata.at = clock.now() + std::chrono::hours(23);
  EXPECT_TRUE(add(memory, {entry}));
}

TEST_F(RemovalTest, AForgottenLineStaysForgottenAsATaskOrInBold) {
  write("notes.md", "Call the harbour master\n");
  Memory memory = open();
  ASSERT_TRUE(forget(memory, {id_of(memory, "Call the harbour master")}, {}));
  for (const char* changed : {"- [ ] Call the harbour master\n", "- [x] Call the harbour master\n", "**Call the harbour master**\n",
                              "* Call the *harbour* master\n", "1. Call the __harbour master__\n"}) {
    SCOPED_TRACE(changed);
    write("notes.md", changed);
    EXPECT_THAT(texts(memory), IsEmpty());
    ASSERT_TRUE(memory.reindex(true));
    EXPECT_THAT(texts(memory), IsEmpty());
  }
  write("notes.md", "- [ ] Call the harbour master at nine\n");
  EXPECT_EQ(texts(memory).size(), 1u) << "that says something else";
}

TEST_F(RemovalTest, ALineThatWasBoldWhenItWasForgottenStaysForgottenPlain) {
  write("notes.md", "**Call** the harbour master\n");
  Memory memory = open();
  ASSERT_TRUE(forget(memory, {id_of(memory, "**Call** the harbour master")}, {}));
  write("notes.md", "Call the harbour master\n");
  EXPECT_THAT(texts(memory), IsEmpty());
  const auto said_again = add(memory, {NewEntry{{}, "_Call_ the harbour master"}});
  ASSERT_TRUE(said_again);
  EXPECT_EQ(texts(memory).size(), 1u) << "whoever says it again means it";
}

TEST_F(RemovalTest, TwoCorrectionsMaySwapTexts) {
  write(day, fact("f1", "The lamp is red.") + fact("f2", "The lamp is green."));
  Memory memory = open();
  clock.advance(std::chrono::hours(1));
  ASSERT_TRUE(correct(memory, "f1", "The lamp is green."));
  clock.advance(std::chrono::hours(1));
  ASSERT_TRUE(correct(memory, "f2", "The lamp is red."));
  ASSERT_TRUE(memory.reindex(true));
  EXPECT_EQ(texts(memory), (Texts{"The lamp is green.", "The lamp is red."}));
  const auto entries = memory.reader().value()->list(EntryFilter{}, 10).value();
  for (const Entry& one : entries) EXPECT_EQ(one.source, Source::correction);
}

TEST_F(RemovalTest, ACorrectedTextIsGoneWhereverElseItStands) {
  write(day, fact("f1", "The lamp is red.") + fact("f2", "The lamp is red."));
  Memory memory = open();
  ASSERT_TRUE(correct(memory, "f1", "The lamp is green."));
  EXPECT_EQ(texts(memory), Texts{"The lamp is green."});
}

TEST_F(RemovalTest, WhatWasMadeOfAForgottenFactAloneGoesFromItsFile) {
  lay_down();
  Memory memory = open();
  const std::string before = read(durable);
  const auto forgotten = forget(memory, {"f3"}, {});
  ASSERT_TRUE(forgotten);
  EXPECT_THAT(ids_of(forgotten->entries), UnorderedElementsAre("f3", "c2"));
  EXPECT_THAT(read(durable), Not(HasSubstr("pier")));
  EXPECT_THAT(codes(memory), IsEmpty());
  expect_the_sum_holds(memory);
  ASSERT_TRUE(restore(memory, "f3"));
  EXPECT_THAT(read(durable), HasSubstr("The pier is long."));
  EXPECT_THAT(pending(memory), IsEmpty());
}

TEST_F(RemovalTest, WhatWasMadeOfOthersTooGoesAndTheOthersArePending) {
  lay_down();
  Memory memory = open();
  const auto forgotten = forget(memory, {"f1"}, {});
  ASSERT_TRUE(forgotten);
  EXPECT_THAT(read(durable), Not(HasSubstr("boat")));
  EXPECT_THAT(read("MEMORY.md"), Not(HasSubstr("boat")));
  EXPECT_THAT(pending(memory), ElementsAre("f2"));
  EXPECT_TRUE(Chronicle::read(memory.vault())->explains_removal("c1")) << "nobody takes it for a person's deletion";
  EXPECT_THAT(codes(memory), IsEmpty());
  expect_the_sum_holds(memory);
}

TEST_F(RemovalTest, ACorrectedFactsTextTakesThePlaceOfWhatWasMadeOfIt) {
  lay_down();
  Memory memory = open();
  const auto corrected = correct(memory, "f1", "The boat is white.");
  ASSERT_TRUE(corrected);
  EXPECT_THAT(read(durable), HasSubstr("The boat is white."));
  EXPECT_THAT(read(durable), Not(HasSubstr("blue")));
  EXPECT_THAT(pending(memory), ElementsAre("f2"));
  EXPECT_THAT(codes(memory), IsEmpty());
  expect_the_sum_holds(memory);
  ASSERT_TRUE(memory.reindex(true));
  EXPECT_THAT(pending(memory), ElementsAre("f2"));
}

TEST_F(RemovalTest, WhatACorrectedEditHadOverruledDoesNotComeBack) {
  lay_down_an_edit_that_overruled();
  Memory memory = open();
  ASSERT_TRUE(correct(memory, "f2", "The boat is white."));
  EXPECT_THAT(read(durable), HasSubstr("The boat is white."));
  EXPECT_THAT(pending(memory), IsEmpty());
}

TEST_F(RemovalTest, WhatAnEntryHadOverruledIsNotForgottenWithItWhereAPersonSaysIt) {
  lay_down_an_edit_that_overruled();
  write("notes.md", "The boat is blue.\n");
  Memory memory = open();
  ASSERT_TRUE(forget(memory, {"c1"}, {}));
  EXPECT_THAT(texts(memory), ElementsAre("The boat is blue."));
  EXPECT_THAT(pending(memory), IsEmpty()) << "its fact went with it";
  EXPECT_THAT(codes(memory), IsEmpty());
  expect_the_sum_holds(memory);
  ASSERT_TRUE(memory.reindex(true));
  EXPECT_THAT(texts(memory), ElementsAre("The boat is blue."));
  ASSERT_TRUE(restore(memory, "c1"));
  EXPECT_THAT(pending(memory), IsEmpty());
  EXPECT_THAT(read(durable), HasSubstr("The boat is green."));
}

TEST_F(RemovalTest, WhatAFactOfAForgottenEntrySaysIsFoundWhereAPersonSaysIt) {
  lay_down();
  write("notes.md", "The boat is blue.\n\nThe boat is blue and has two sails.\n");
  Memory memory = open();
  ASSERT_TRUE(forget(memory, {"c1"}, {}));
  ASSERT_TRUE(memory.reindex(true));
  EXPECT_THAT(texts(memory), testing::Contains("The boat is blue."));
  EXPECT_THAT(texts(memory), Not(testing::Contains("The boat is blue and has two sails."))) << "these were the words that went";
  EXPECT_THAT(pending(memory), IsEmpty());
  expect_the_sum_holds(memory);
}

TEST_F(RemovalTest, WhatAFactOfACorrectedEntrySaysIsFoundWhereAPersonSaysIt) {
  lay_down();
  write("notes.md", "The boat is blue.\n\nThe boat is blue and has two sails.\n");
  Memory memory = open();
  ASSERT_TRUE(correct(memory, "c1", "The boat was sold."));
  ASSERT_TRUE(memory.reindex(true));
  EXPECT_THAT(texts(memory), testing::Contains("The boat is blue."));
  EXPECT_THAT(texts(memory), Not(testing::Contains("The boat is blue and has two sails.")));
  EXPECT_THAT(pending(memory), IsEmpty());
  expect_the_sum_holds(memory);
}

TEST_F(RemovalTest, WhatWentAlongWithAnEntryIsNotTakenForPurged) {
  lay_down_an_edit_that_overruled();
  Memory memory = open();
  ASSERT_TRUE(forget(memory, {"c1"}, {}));
  const auto logs = read_logs(memory.vault());
  ASSERT_TRUE(logs);
  EXPECT_TRUE(std::ranges::none_of(logs->tombstones, [](const Tombstone& one) { return is_purged(one); }));
}

TEST_F(RemovalTest, AFactThatIsRestoredIsFoundThoughTheEntryMadeOfItStaysRemoved) {
  lay_down();
  Memory memory = open();
  std::string bytes = read(durable);
  write(durable, bytes.replace(bytes.find("The pier is long."), 17, "Our pier needs paint."));
  ASSERT_TRUE(forget(memory, {"f3"}, {}));
  ASSERT_TRUE(forget(memory, {"c2"}, {}));
  ASSERT_TRUE(restore(memory, "f3"));
  EXPECT_THAT(pending(memory), ElementsAre("f3"));
  EXPECT_EQ(find_entry(memory, "f3").value().layer, Layer::L1);
  expect_the_sum_holds(memory);
  ASSERT_TRUE(memory.reindex(true));
  EXPECT_THAT(pending(memory), ElementsAre("f3"));
}

TEST_F(RemovalTest, WhatACorrectedCopyOfAnEntrySaysIsCorrectedInTheEntryToo) {
  const std::vector<std::pair<std::string, std::string>> copies{
      {"notes.md", "The boat is green."}, {"consolidated/copies.md", "The boat is green."}, {"notes.md", "**The boat is green.**"}};
  for (const auto& [copy, words] : copies) {
    SCOPED_TRACE(copy + ": " + words);
    lay_down_an_edit_that_overruled();
    write(copy, words + "\n");
    Memory memory = open();
    const std::string named = id_from_hash(stored_text_hash(words));
    ASSERT_TRUE(correct(memory, named, "The boat is white."));
    EXPECT_THAT(read(durable), HasSubstr("The boat is white."));
    for (int i = 0; i < 2; ++i) {
      EXPECT_THAT(texts(memory), ElementsAre("The boat is white.", "The boat is white.")) << "the entry and its fact";
      EXPECT_THAT(pending(memory), IsEmpty());
      expect_the_sum_holds(memory);
      ASSERT_TRUE(memory.reindex(true));
    }
    ASSERT_TRUE(restore(memory, named));
    EXPECT_THAT(texts(memory), Not(testing::Contains("The boat is white.")));
    EXPECT_THAT(read(durable), HasSubstr("The boat is green."));
    for (const char* part : {"vault", "home"}) std::filesystem::remove_all(folder / part);
  }
}

// While its file is asked about, a copy keeps the comment of an entry that another file has the name of.
TEST_F(RemovalTest, ACopyWithNewMarksIsForgottenWhereItStandsUnderTheCommentOfTheEntry) {
  lay_down();
  write("consolidated/a.md", read(durable));
  std::string bytes = read(durable);
  write(durable, bytes.replace(bytes.find("The pier is long."), 17, "**The pier is long.**"));
  Memory memory = open();
  ASSERT_TRUE(memory.bring_up_to_date());
  const auto forgotten = forget(memory, {id_of(memory, "**The pier is long.**")}, {});
  ASSERT_TRUE(forgotten);
  for (const char* file : {durable, "consolidated/a.md"}) EXPECT_THAT(read(file), Not(HasSubstr("pier"))) << file;
  EXPECT_THAT(codes(memory), IsEmpty());
  ASSERT_TRUE(memory.reindex(true));
  EXPECT_THAT(texts(memory), Not(testing::Contains(HasSubstr("pier"))));
  ASSERT_TRUE(restore(memory, forgotten->entries.front().id));
  EXPECT_THAT(read(durable), HasSubstr("**The pier is long.**"));
}

// As it is after a run is undone that had filed the words, of an entry whose own facts are gone.
TEST_F(RemovalTest, AFactIsCorrectedWithTheEntryThatRestsOnNothingAndSaysItByHand) {
  write(day,
        "<!--m {\"id\":\"f2\",\"at\":\"2026-01-02T04:00:00Z\",\"source\":\"user\",\"corrects\":\"c1\"}-->\nThe boat is green.\n");
  write(durable, entry("c1", "The boat is blue.", ""));
  reword("The boat is blue.", "The boat is green.");
  Memory memory = open();
  ASSERT_TRUE(correct(memory, "f2", "The boat is white."));
  EXPECT_THAT(read(durable), AllOf(HasSubstr("The boat is white."), Not(HasSubstr("green"))));
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(texts(memory), ElementsAre("The boat is white.", "The boat is white.")) << "the entry and its fact";
    EXPECT_THAT(pending(memory), IsEmpty());
    EXPECT_THAT(codes(memory), Not(testing::Contains("forgotten-text")));
    ASSERT_TRUE(memory.reindex(true));
  }
  ASSERT_TRUE(restore(memory, "f2"));
  EXPECT_THAT(read(durable), AllOf(HasSubstr("The boat is green."), Not(HasSubstr("white"))));
}

TEST_F(RemovalTest, WhatAPersonWroteOverItStaysAndIsListed) {
  lay_down();
  Memory memory = open();
  std::string bytes = read(durable);
  const std::string was = "The boat is blue and has two sails.";
  write(durable, bytes.replace(bytes.find(was), was.size(), "Our boat: blue, two sails, and it leaks."));
  const auto forgotten = forget(memory, {"f1"}, {});
  ASSERT_TRUE(forgotten);
  EXPECT_THAT(read(durable), HasSubstr("Our boat: blue, two sails, and it leaks."));
  EXPECT_THAT(ids_of(forgotten->still_say), ElementsAre("c1"));
  const Entry kept = find_entry(memory, "c1").value();
  EXPECT_TRUE(kept.edited);
  EXPECT_THAT(kept.from, ElementsAre("f2"));
  EXPECT_THAT(codes(memory), IsEmpty());
}

TEST_F(RemovalTest, APersonsWordsOutliveAFactThatAnotherMachineForgot) {
  lay_down();
  Memory memory = open();
  std::string bytes = read(durable);
  const std::string was = "The boat is blue and has two sails.";
  write(durable, bytes.replace(bytes.find(was), was.size(), "Our boat leaks."));
  const Tombstone theirs{clock.now(), "f1", stored_text_hash("The boat is blue."), Tombstone::Reason::deleted, "user", {}};
  ASSERT_TRUE(append_tombstones(memory.vault(), {theirs}));
  EXPECT_THAT(texts(memory), testing::Contains("Our boat leaks."));
}

TEST_F(RemovalTest, AnEntryThatSaysWhatAnotherOfItsFactsSaysStays) {
  lay_down();
  write(durable, entry("c1", "The boat has two sails.", R"("f1","f2")") + "\n" + entry("c2", "The pier is long.", R"("f3")"));
  Memory memory = open();
  ASSERT_TRUE(forget(memory, {"f1"}, {}));
  EXPECT_THAT(read(durable), HasSubstr("two sails"));
  EXPECT_THAT(find_entry(memory, "c1").value().from, ElementsAre("f2"));
  EXPECT_THAT(pending(memory), IsEmpty());
}

TEST_F(RemovalTest, CorrectingALineOfUserMdCorrectsTheEntryThatSaysTheSame) {
  lay_down();
  const std::string was = "The boat is blue and has two sails.";
  for (const std::string metadata : {"", "<!--m {\"id\":\"u1\"}-->\n"}) {
    SCOPED_TRACE(metadata);
    const std::string user_file = "# User\n\n" + metadata + "- " + was + "\n\nSails.\n";
    write("user.md", user_file);
    Memory memory = open();
    const std::string durable_before = read(durable), core_before = read("MEMORY.md");
    const std::string line = metadata.empty() ? id_from_hash(stored_text_hash(was)) : "u1";
    ASSERT_TRUE(correct(memory, line, "The boat is red."));
    EXPECT_THAT(read("user.md"), AllOf(HasSubstr("- The boat is red.\n\nSails.\n"), Not(HasSubstr("blue"))));
    EXPECT_THAT(read(durable), AllOf(HasSubstr("The boat is red."), Not(HasSubstr("blue"))));
    EXPECT_THAT(read("MEMORY.md"), Not(HasSubstr("blue")));
    EXPECT_THAT(texts(memory), Not(testing::Contains(was)));
    EXPECT_THAT(codes(memory), IsEmpty());
    expect_the_sum_holds(memory);
    ASSERT_TRUE(restore(memory, "c1"));
    EXPECT_EQ(read("user.md"), user_file);
    EXPECT_THAT(read(durable), AllOf(HasSubstr(was), Not(HasSubstr("red"))));
    EXPECT_THAT(texts(memory), Not(testing::Contains("The boat is red.")));
    expect_the_sum_holds(memory);
    clock.advance(std::chrono::hours(1));
  }
}

TEST_F(RemovalTest, NewTagsOfAFactLeaveWhatWasMadeOfItWhereItIs) {
  lay_down();
  Memory memory = open();
  Edit tags;
  tags.tags = std::vector<std::string>{"harbour"};
  ASSERT_TRUE(edit(memory, "f1", tags));
  EXPECT_THAT(read(durable), HasSubstr("The boat is blue and has two sails."));
  EXPECT_THAT(texts(memory), testing::Contains("The boat is blue and has two sails."));
  EXPECT_THAT(pending(memory), IsEmpty());
  EXPECT_THAT(codes(memory), IsEmpty());
}

TEST_F(RemovalTest, WhatGitKeptFromGoingGoesWithTheNextWrite) {
  lay_down();
  write(".git/HEAD", "ref: refs/heads/main\n");
  write(".git/MERGE_HEAD", "0123456789012345678901234567890123456789\n");
  Memory memory = open();
  ASSERT_TRUE(forget(memory, {"f3"}, {}));
  EXPECT_THAT(read(durable), HasSubstr("pier"));
  EXPECT_THAT(unfinished_changes(memory.vault()), Not(IsEmpty()));
  EXPECT_THAT(codes(memory), ElementsAre("unfinished-change", "forgotten-text"));
  ASSERT_TRUE(finish_unfinished_changes(memory));
  EXPECT_THAT(unfinished_changes(memory.vault()), Not(IsEmpty())) << "git is still busy";
  std::filesystem::remove(folder / "vault/.git/MERGE_HEAD");
  ASSERT_TRUE(add(memory, {NewEntry{{}, "The buoy is new."}}));
  EXPECT_THAT(read(durable), Not(HasSubstr("pier")));
  EXPECT_THAT(unfinished_changes(memory.vault()), IsEmpty());
  EXPECT_THAT(codes(memory), IsEmpty());
}

TEST_F(RemovalTest, WhatCountsAgainByThenIsLeftAlone) {
  lay_down();
  write(".git/HEAD", "ref: refs/heads/main\n");
  write(".git/MERGE_HEAD", "0123456789012345678901234567890123456789\n");
  Memory memory = open();
  ASSERT_TRUE(forget(memory, {"f3"}, {}));
  const Tombstone back{clock.now() + std::chrono::seconds(1), "c2", {}, Tombstone::Reason::restored, "user", {}};
  Tombstone back_too = back;
  back_too.id = "f3";
  ASSERT_TRUE(append_tombstones(memory.vault(), {back, back_too}));
  std::filesystem::remove(folder / "vault/.git/MERGE_HEAD");
  ASSERT_TRUE(finish_unfinished_changes(memory));
  EXPECT_THAT(read(durable), HasSubstr("pier"));
  EXPECT_THAT(unfinished_changes(memory.vault()), IsEmpty());
}

TEST_F(RemovalTest, KilledBeforeAnyWriteWhatIsForgottenOrCorrectedIsGoneOrStands) {
  struct Killed {};
  const std::vector<std::function<bool(Memory&)>> steps{
      [](Memory& memory) { return forget(memory, {"c1"}, {}).has_value(); },
      [](Memory& memory) { return forget(memory, {"f1"}, {}).has_value(); },
      [](Memory& memory) { return correct(memory, "c1", "The boat is red.").has_value(); },
      [](Memory& memory) { return correct(memory, "f1", "The boat is red.").has_value(); },
  };
  for (size_t number = 0; number < steps.size(); ++number) {
    size_t ended = 0;
    bool was_killed = true;
    for (size_t at = number; was_killed; at += steps.size()) {  // much of what they write is the same
      for (const char* part : {"vault", "home"}) std::filesystem::remove_all(folder / part);
      lay_down();
      open().bring_up_to_date().value();
      size_t writes = 0;
      InterruptingFileSystem files([&](size_t, const std::string& call) {
        const bool is_read = call.starts_with("open ") || call.starts_with("read_all ") || call.starts_with("status ");
        if (!is_read && writes++ == at) throw Killed{};
      });
      was_killed = false;
      try {
        Memory memory = Memory::open(folder / "vault", environment_in(folder), files, clock).value();
        EXPECT_TRUE(steps[number](memory));
      } catch (const Killed&) {
        was_killed = true;
      }
      Memory memory = open();
      if (const bool is_correction = number >= 2; is_correction) {
        const Texts found = texts(memory);  // whoever only reads finds the one or the other at any time
        EXPECT_TRUE(
            std::ranges::count(found, "The boat is red.") + std::ranges::count(found, "The boat is blue and has two sails.") > 0)
            << "killed before write " << at;
      }
      ASSERT_TRUE(add(memory, {NewEntry{{}, "The next command that writes."}}));
      ASSERT_TRUE(bring_lines_in_step(memory));
      EXPECT_THAT(codes(memory), Not(testing::Contains(testing::AnyOf("forgotten-text", "forgotten-line", "unfinished-change"))))
          << "killed before write " << at;
      const std::string text = "The boat is blue and has two sails.";
      const bool is_found = std::ranges::count(texts(memory), text) > 0;
      EXPECT_EQ(read(durable).contains(text), is_found) << "killed before write " << at;
      EXPECT_EQ(read("MEMORY.md").contains(text), is_found) << "killed before write " << at;
      if (number >= 2) {
        EXPECT_NE(std::ranges::count(texts(memory), "The boat is red.") > 0, is_found) << "killed before write " << at;
      }
      expect_the_sum_holds(memory);
      ended += is_found ? 0 : 1;
    }
    EXPECT_GT(ended, 3u);
  }
}

TEST_F(RemovalTest, TheDoctorTellsOfATextThatRestsOnAForgottenFact) {
  lay_down();
  Memory memory = open();
  EXPECT_THAT(codes(memory), IsEmpty());
  const Tombstone theirs{clock.now(), "f1", stored_text_hash("The boat is blue."), Tombstone::Reason::deleted, "user", {}};
  ASSERT_TRUE(append_tombstones(memory.vault(), {theirs}));
  EXPECT_THAT(codes(memory), UnorderedElementsAre("forgotten-text", "forgotten-line"));
  ASSERT_TRUE(forget(memory, {"c1"}, {}));
  EXPECT_THAT(codes(memory), IsEmpty());
}

TEST_F(RemovalTest, TwoMachinesCorrectOneEntryAndBothStayUntilSomebodyDecides) {
  write(day, fact("f1", "The mast is 9 m high."));
  Memory memory = open();
  const auto here = correct(memory, "f1", "The mast is 10 m high.");
  ASSERT_TRUE(here);
  EXPECT_THAT(correction_conflicts(memory).value(), IsEmpty());
  // What a pull brings from a machine that did not know.
  write("archive/2026-01-02.bbbb.md", fact("theirs", "The mast is 11 m high."));
  Tombstone tombstone{clock.now(), "f1", stored_text_hash("The mast is 9 m high."), Tombstone::Reason::corrected, "user", "theirs"};
  write(".loci/tombstones/bbbb.jsonl", format(tombstone));
  const auto conflicts = correction_conflicts(memory).value();
  EXPECT_EQ(texts(memory).size(), 2u);
  const auto again = correction_conflicts(memory).value();
  ASSERT_EQ(again.size(), 1u);
  EXPECT_EQ(again.front().id, "f1");
  EXPECT_THAT(ids_of(again.front().versions), UnorderedElementsAre(here->id, "theirs"));
  const auto report = status(memory, {});
  ASSERT_TRUE(report);
  EXPECT_THAT(report->problems, testing::Contains(testing::Field(&Problem::code, "correction-conflict")));
  const auto once_more = correct(memory, here->id, "The mast is 12 m high.");  // it is one still
  ASSERT_TRUE(once_more);
  ASSERT_EQ(correction_conflicts(memory)->size(), 1u);
  EXPECT_THAT(ids_of(correction_conflicts(memory)->front().versions), UnorderedElementsAre(once_more->id, "theirs"));
  ASSERT_TRUE(forget(memory, {"theirs"}, {}));
  EXPECT_THAT(correction_conflicts(memory).value(), IsEmpty());
}

TEST_F(RemovalTest, AnEntryThatTwoMachinesCorrectedIsAskedAboutOnceAndNotAgainForEachOfItsFacts) {
  lay_down();
  Memory memory = open();
  const std::string ours = "The boat is red and has two sails.", theirs = "The boat is green and has two sails.";
  ASSERT_TRUE(correct(memory, "c1", ours));
  // What a pull brings from a machine that did not know.
  write("archive/2026-01-02.bbbb.md", fact("f4", theirs));
  write(durable, read(durable) + "\n" + entry("c4", theirs, R"("f4")"));
  LedgerEntry settled = line("f4", theirs, "c4", theirs);
  write(".loci/ledger/bbbb.jsonl", format(settled));
  std::string tombstones;
  for (const auto& [id, by] : {std::pair("c1", "c4"), std::pair("f1", "f4"), std::pair("f2", "f4")})
    tombstones += format(Tombstone{clock.now(), id, {}, Tombstone::Reason::corrected, "user", by});
  write(".loci/tombstones/bbbb.jsonl", tombstones);
  ASSERT_TRUE(memory.bring_up_to_date());
  const auto conflicts = correction_conflicts(memory).value();
  ASSERT_EQ(conflicts.size(), 1u);
  EXPECT_EQ(conflicts.front().id, "c1");
  for (const Entry& version : conflicts.front().versions) EXPECT_EQ(version.places.front().file, durable);
  ASSERT_TRUE(forget(memory, {"c4"}, {}));
  EXPECT_THAT(correction_conflicts(memory).value(), IsEmpty());
  EXPECT_THAT(texts(memory), testing::AllOf(testing::Contains(ours), Not(testing::Contains(theirs))));
}

}  // namespace
}  // namespace loci
