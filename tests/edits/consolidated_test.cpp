#include <sys/wait.h>
#include <unistd.h>

#include "edits/act_log.h"
#include "edits/doubtful.h"
#include "edits/edit_state.h"
#include "edits/in_question.h"
#include "edits/resolve.h"
#include "edits/take_back.h"
#include "indexer/indexer.h"
#include "memory/correct.h"
#include "memory/forget.h"
#include "memory/restore.h"
#include "tests/edits/edits_fixture.h"
#include "tests/support/interrupting_file_system.h"
#include "tests/support/processor_time.h"
#include "vault/rewrite/change_file.h"

namespace loci {
namespace {

using Ids = std::vector<std::string>;

INSTANTIATE_TEST_SUITE_P(WithAndWithoutARestart, Rows, testing::Bool(),
                         [](const auto& row) { return row.param ? "Restarted" : "OneProcess"; });

constexpr const char* day = "archive/2026-11-21.md";

TEST_P(Rows, WhatACommandWroteSinceStandsAgainThoughTheLedgerKnowsOnlyTheWordsBefore) {
  const std::string buffer = "# Tea\n\n" + entry_of("e1", "green tea", "f-e1") + entry_of("e2", "black tea", "f-e2");
  save(file, buffer);
  settle_in_ledger("r1", "e1", hash_of_text("green tea"));
  look();
  std::string bytes = buffer;
  loci_writes(file, bytes.replace(bytes.find("green tea"), 9, "white tea"));
  perhaps_restart();
  save(file, "# Drinks" + buffer.substr(5));
  EXPECT_EQ(read(file), "# Drinks" + bytes.substr(5));
}

TEST_P(Rows, AnEditedFactKeepsItsIdCountsAsThePersonsAndIsPendingAgain) {
  write(day, entry_of("f1", "Deploys happen on Fridays."));
  write(file, entry_of("c1", "x"));  // what it was settled into stands
  look({day, file});
  LedgerEntry line{1,
                   "run",
                   clock.now(),
                   "f1",
                   hash_of_text("Deploys happen on Fridays."),
                   LedgerEntry::Outcome::added,
                   "c1",
                   hash_of_text("x"),
                   {},
                   {}};
  ASSERT_TRUE(append_ledger(memory->vault(), {line}));
  look({day, ".loci/ledger/test.jsonl"});
  EXPECT_FALSE(find_entry(*memory, "f1")->pending);
  std::string bytes = read(day);
  bytes.replace(bytes.find("Fridays"), 7, "Mondays");
  save(day, bytes);
  perhaps_restart();
  settle();
  const auto edited = find_entry(*memory, "f1");
  ASSERT_TRUE(edited);
  EXPECT_EQ(edited->text, "Deploys happen on Mondays.");
  EXPECT_EQ(edited->source, Source::user);
  EXPECT_TRUE(edited->pending);
  EXPECT_EQ(tombstones().size(), 0u);
}

TEST_P(Rows, AnEditedConsolidatedEntryIsThePersonsFromThenOn) {
  save(file, numbered(5));
  std::string bytes = read(file);
  bytes.replace(bytes.find("fact number 2"), 13, "what I say");
  EXPECT_TRUE(save(file, bytes).waiting.empty());
  perhaps_restart();
  settle();
  ASSERT_TRUE(memory->reindex(true));
  const auto edited = find_entry(*memory, "e2");
  ASSERT_TRUE(edited);
  EXPECT_EQ(edited->source, Source::user);
  EXPECT_TRUE(edited->edited);
  EXPECT_EQ(tombstones().size(), 0u);
}

TEST_P(Rows, ARemovedEntryIsDeletedAfterTenMinutes) {
  save(file, numbered(5));
  EXPECT_EQ(save(file, numbered(5, {2})).again_in, std::chrono::minutes(10));
  perhaps_restart();
  EXPECT_EQ(settle().deleted, Ids{"e2"});
  ASSERT_EQ(tombstones().size(), 1u);
  EXPECT_EQ(tombstones()[0].id, "e2");
  EXPECT_EQ(tombstones()[0].by, "user");
  EXPECT_EQ(tombstones()[0].reason, Tombstone::Reason::deleted);
  EXPECT_EQ(tombstones()[0].text_hash, hash_of_text("fact number 2"));
  EXPECT_EQ(settle().deleted, Ids{});
}

TEST_P(Rows, TheFactsOfARemovedEntryAreDeletedWithIt) {
  write(day, entry_of("f1", "I moved to Oslo in May."));
  look({day});
  save(file, numbered(3) + entry_of("c1", "Lives in Oslo.", "f1"));
  save(file, numbered(3));
  perhaps_restart();
  EXPECT_EQ(settle().deleted, Ids{"c1"});
  EXPECT_FALSE(find_entry(*memory, "f1"));
  EXPECT_EQ(texts(*memory), (Texts{"fact number 1", "fact number 2", "fact number 3"}));
}

TEST_P(Rows, WhatAFactOfARemovedEntrySaysIsFoundWhereAPersonSaysIt) {
  write(day, entry_of("f1", "I moved to Oslo in May."));
  write("notes.md", "I moved to Oslo in May.\n");
  look({day, "notes.md"});
  save(file, numbered(3) + entry_of("c1", "Lives in Oslo.", "f1"));
  save(file, numbered(3));
  perhaps_restart();
  EXPECT_EQ(settle().deleted, Ids{"c1"});
  EXPECT_FALSE(find_entry(*memory, "f1"));
  EXPECT_EQ(texts(*memory), (Texts{"I moved to Oslo in May.", "fact number 1", "fact number 2", "fact number 3"}));
}

TEST_P(Rows, WordsThatARunFiledOfARemovedEntryBeforeItWasCutOffAreDeletedWithIt) {
  write(day, R"(<!--m {"id":"f2","source":"user","corrects":"e2"}-->)"
             "\nfact number two\n");
  look({day});
  save(file, numbered(5));
  save(file, numbered(5, {2}));
  perhaps_restart();
  EXPECT_EQ(settle().deleted, Ids{"e2"});
  EXPECT_FALSE(find_entry(*memory, "f2", true)->active);
}

TEST_P(Rows, WhatASaveLacksThatMayHaveComeBeforeItsLogsIsFoldedByNoRunMeanwhile) {
  save(file, numbered(4) + entry_of("c1", "Lives in Oslo.", "f1"));
  loci_writes(file, numbered(5) + entry_of("c1", "Lives in Oslo.", "f1"));
  look();
  write(file, numbered(5));
  set_saved_at(file, clock.now() - std::chrono::hours(1));
  perhaps_restart();
  look();
  EXPECT_TRUE(facts_in_question(*memory)->contains("f1"));
  pass(std::chrono::minutes(10));
  look();
  EXPECT_EQ(settle().deleted, Ids{"c1"});
  EXPECT_TRUE(facts_in_question(*memory)->empty());
}

// On one side of a conflict, or where git is on its way to another commit.
TEST_P(Rows, AnEntryThatStandsAgainInWhatNobodyHasUnderstoodYetIsTakenOutStill) {
  save(file, numbered(5));
  save(file, numbered(5, {2}));
  save(file, numbered(5, {2}) + "<<<<<<< HEAD\n" + entry_of("e2", "fact number 2") + "=======\n>>>>>>> there\n");
  perhaps_restart();
  look();
  save(file, numbered(5, {2}));
  EXPECT_EQ(settle().deleted, Ids{"e2"});
}

TEST_P(Rows, AnEntryThatComesBackWithinTenMinutesIsNotDeleted) {
  save(file, numbered(5));
  save(file, numbered(5, {2}));
  perhaps_restart();
  look();
  pass(std::chrono::minutes(9));
  look();
  save(file, numbered(5));
  EXPECT_EQ(settle().deleted, Ids{});
  EXPECT_EQ(tombstones().size(), 0u);
}

TEST_P(Rows, AnEntryWhoseWordsAPersonPutIntoAnotherIsMergedWithIt) {
  const std::string third = entry_of("e3", "fact number 3", "f3");
  save(file, numbered(2) + third);
  std::string bytes = numbered(2);
  bytes.replace(bytes.find("fact number 2"), 13, "fact number 2, and fact number 3");
  save(file, bytes);
  perhaps_restart();
  EXPECT_EQ(settle().deleted, Ids{});
  EXPECT_EQ(tombstones().size(), 0u);
  const auto ledger = read_logs(memory->vault())->ledger;
  ASSERT_EQ(ledger.size(), 1u);
  EXPECT_EQ(ledger[0].outcome, LedgerEntry::Outcome::merged);
  EXPECT_EQ(std::tie(ledger[0].fact, ledger[0].entry, ledger[0].into), std::tuple("f3", "e3", "e2"));
}

TEST_P(Rows, WhatWasMergedByHandAndThenRemovedTakesTheFactsOfAllItsPartsWithIt) {
  save(file, numbered(4) + entry_of("c1", "Owns a cat.", "f1") + entry_of("c2", "Owns a dog.", "f2") +
                 entry_of("c3", "Owns a horse.", "f3"));
  save(file, numbered(4) + entry_of("c1", "Owns a cat.", "f1") + entry_of("c2", "Owns a dog. Owns a horse.", "f2"));
  settle();
  save(file, numbered(4) + entry_of("c1", "Owns a cat. Owns a dog. Owns a horse.", "f1"));
  perhaps_restart();
  settle();
  EXPECT_EQ(tombstones().size(), 0u);
  save(file, numbered(4));
  EXPECT_EQ(settle().deleted, Ids{"c1"});
  Ids gone;
  for (const Tombstone& tombstone : tombstones()) gone.push_back(tombstone.id);
  std::ranges::sort(gone);
  EXPECT_EQ(gone, (Ids{"c1", "f1", "f2", "f3"}));
}

TEST_P(Rows, WhatWasMergedByHandAndSplitOffAgainStaysWhenTheRestGoes) {
  write(day, entry_of("f1", "Owns a cat.") + entry_of("f2", "Owns a dog."));
  look({day});
  save(file, numbered(4) + entry_of("c1", "Owns a cat.", "f1") + entry_of("c2", "Owns a dog.", "f2"));
  save(file, numbered(4) + entry_of("c1", "Owns a cat. Owns a dog.", "f1"));
  settle();
  save(file, numbered(4) + entry_of("c1", "Owns a cat.", "f1") + "Owns a dog.\n");
  perhaps_restart();
  settle();
  ASSERT_TRUE(forget(*memory, {"f1"}, {}));
  const Texts left = texts(*memory);
  EXPECT_GT(std::ranges::count(left, "Owns a dog."), 0);
  EXPECT_EQ(std::ranges::count(left, "Owns a cat."), 0);
}

TEST_P(Rows, WhatWasMergedByHandAndSplitOffAgainStaysWhenWordsThatWereFiledSinceGo) {
  write(day, entry_of("f1", "Owns a cat.") + entry_of("f2", "Owns a dog."));
  look({day});
  save(file, numbered(4) + entry_of("c1", "Owns a cat.", "f1") + entry_of("c2", "Owns a dog.", "f2"));
  save(file, numbered(4) + entry_of("c1", "Owns a cat. Owns a dog.", "f1"));
  settle();
  // What a run filed of the words that were left to it, and settled there.
  const std::string filed = "<!--m {\"id\":\"w1\",\"source\":\"user\",\"kind\":\"fact\",\"corrects\":\"c1\"}-->\nOwns one cat.\n\n";
  write(day, entry_of("f1", "Owns a cat.") + entry_of("f2", "Owns a dog.") + filed);
  pass(std::chrono::seconds(1));
  LedgerEntry line;
  line.generation = 1;
  line.run = "r2";
  line.at = clock.now();
  line.fact = "w1";
  line.fact_hash = line.entry_hash = hash_of_text("Owns one cat.");
  line.outcome = LedgerEntry::Outcome::replaced;
  line.entry = "c1";
  ASSERT_TRUE(append_ledger(memory->vault(), {line}));
  save(file, numbered(4) + entry_of("c1", "Owns one cat.", R"(f1","w1)") + "Owns a dog.\n");
  look({day, file});
  perhaps_restart();
  ASSERT_TRUE(forget(*memory, {"w1"}, {}));
  EXPECT_GT(std::ranges::count(texts(*memory), "Owns a dog."), 0);
  EXPECT_EQ(std::ranges::count(texts(*memory), "Owns one cat."), 0);
}

TEST_P(Rows, AnEntryWhoseWordsStoodInAnotherAllTheTimeIsDeleted) {
  save(file, numbered(2) + entry_of("e3", "fact number 2 is true"));
  save(file, numbered(2, {2}) + entry_of("e3", "fact number 2 is true"));
  perhaps_restart();
  EXPECT_EQ(settle().deleted, Ids{"e2"});
}

TEST_P(Rows, ARewordedCopyThatTheIndexDoesNotKnowYetIsToldApartOnceItDoes) {
  save(file, numbered(3));
  std::string copy = entry_of("e2", "fact number 2");
  copy.replace(copy.rfind("fact number 2"), 13, "what I say");
  write("consolidated/copies.md", copy);
  {
    const auto busy = Indexer::open(memory->vault(), std::chrono::milliseconds(0));
    ASSERT_TRUE(busy);
    ASSERT_TRUE(understand(*memory, {"consolidated/copies.md"}));
  }
  EXPECT_EQ(read("consolidated/copies.md"), copy);
  perhaps_restart();
  ASSERT_TRUE(memory->bring_up_to_date());
  look();
  EXPECT_EQ(read("consolidated/copies.md"), "what I say\n\n");
}

TEST_P(Rows, ACopyThatWasRewordedIsAPersonsTextAndTheNameStaysWithTheOther) {
  save(file, numbered(3));
  std::string copy = entry_of("e2", "fact number 2");
  copy.replace(copy.rfind("fact number 2"), 13, "what I say");
  save("consolidated/copies.md", copy);
  perhaps_restart();
  settle();
  EXPECT_EQ(read("consolidated/copies.md"), "what I say\n\n");
  EXPECT_EQ(read(file), numbered(3));
  EXPECT_EQ(find_entry(*memory, "e2")->text, "fact number 2");
  EXPECT_EQ(texts(*memory).size(), 4u);
}

// loci took its comment away, and the editor has the file with it still.
TEST_P(Rows, ACopyThatIsRewordedAgainInTheSameBufferLeavesNothingOfItsFormerWordsBehind) {
  save(file, numbered(3));
  const auto reworded = [](const std::string& words) {
    std::string copy = entry_of("e2", "fact number 2");
    return copy.replace(copy.rfind("fact number 2"), 13, words);
  };
  for (const auto& [saved, left] : std::vector<std::pair<std::string, std::string>>{
           {reworded("what I say"), "what I say\n\n"},
           {reworded("what I say instead"), "what I say instead\n\n"},
           {"Mine.\n\n" + reworded("what I say instead"), "Mine.\n\nwhat I say instead\n\n"},
           {"Mine.\n", "Mine.\n"},
       }) {
    save("consolidated/copies.md", saved);
    perhaps_restart();
    settle();
    EXPECT_EQ(read("consolidated/copies.md"), left);
    EXPECT_EQ(read(file), numbered(3));
    EXPECT_EQ(find_entry(*memory, "e2")->text, "fact number 2");
  }
}

// A save is under way when the file is read, and done before anything else is looked at.
class HalfSaved : public Rows {
 protected:
  void look_in_the_middle(bool is_away) {
    save(file, numbered(6));
    settle();
    if (is_away)
      std::filesystem::remove(folder / "vault" / file);
    else
      write(file, "");
    bool was_read = false, is_saved = false;
    InterruptingFileSystem files([&](size_t, const std::string& call) {
      if (was_read && !std::exchange(is_saved, true)) write(file, numbered(6));
      was_read |= call.starts_with(is_away ? "open " : "read_all ") && call.ends_with(file);
    });
    auto other = Memory::open(folder / "vault", environment_in(folder), files, clock);
    ASSERT_TRUE(other && understand(*other, {file}));
    ASSERT_TRUE(is_saved);
  }
};

INSTANTIATE_TEST_SUITE_P(EmptyOrAway, HalfSaved, testing::Bool(), [](const auto& row) { return row.param ? "Away" : "Empty"; });

TEST_P(HalfSaved, IsNoVersionOfAFile) {
  look_in_the_middle(GetParam());
  restart();
  save(file, numbered(6, {2}));
  EXPECT_EQ(settle().deleted, Ids{"e2"});
  EXPECT_TRUE(look().waiting.empty());
  EXPECT_EQ(texts(*memory).size(), 5u);
}

TEST_P(Rows, ACopyInTheSameFileIsOneMorePlaceUntilItIsRewordedWhereverItStands) {
  save(file, numbered(3) + entry_of("e2", "fact number 2"));
  perhaps_restart();
  settle();
  EXPECT_EQ(read(file), numbered(3) + entry_of("e2", "fact number 2"));
  EXPECT_EQ(texts(*memory).size(), 3u);
  EXPECT_EQ(find_entry(*memory, "e2")->places.size(), 2u);
  EXPECT_TRUE(memory->reader().value()->problems().empty());
  std::string reworded = entry_of("e2", "fact number 2");
  reworded.replace(reworded.rfind("fact number 2"), 13, "what I say");
  for (const auto& [saved, left] : std::vector<std::pair<std::string, std::string>>{
           {numbered(3) + reworded, numbered(3) + "what I say\n\n"},
           {reworded + numbered(3), "what I say\n\n" + numbered(3)},
           {entry_of("e2", "fact number 2") + reworded + numbered(3),
            entry_of("e2", "fact number 2") + "what I say\n\n" + numbered(3)},
       }) {
    save(file, saved);
    perhaps_restart();
    settle();
    EXPECT_EQ(read(file), left);
    EXPECT_EQ(find_entry(*memory, "e2")->text, "fact number 2");
    EXPECT_EQ(texts(*memory).size(), 4u);
    EXPECT_TRUE(memory->reader().value()->problems().empty());
  }
}

TEST_P(Rows, ARewordedCopyKeepsTheTagsOfItsComment) {
  const std::string tagged = "<!--m {\"id\":\"e9\",\"sum\":\"" + sum_from_hash(text_hash("Ana sees a doctor.")) +
                             "\",\"source\":\"agent\",\"tags\":[\"private\",\"health\"]}-->\nAna sees a doctor.\n\n";
  save(file, numbered(3) + tagged);
  std::string copy = tagged;
  copy.replace(copy.rfind("a doctor."), 9, "Dr Weiss, #health.");
  save("consolidated/copies.md", copy);
  perhaps_restart();
  settle();
  EXPECT_EQ(read("consolidated/copies.md"), "Ana sees Dr Weiss, #health. #private\n\n");
  EXPECT_EQ(read(file), numbered(3) + tagged);
}

TEST_P(Rows, AnEntryThatMovedToAnotherFileIsNotDeleted) {
  save(file, numbered(5));
  write("consolidated/travel.md", entry_of("e2", "fact number 2"));
  save(file, numbered(5, {2}));
  look({"consolidated/travel.md"});
  perhaps_restart();
  EXPECT_EQ(settle().deleted, Ids{});
  EXPECT_TRUE(find_entry(*memory, "e2"));
}

TEST_P(Rows, AnEntryThatMovedDoesNotMakeAnOldBufferOfASaveThatLacksIt) {
  save(file, numbered(5));
  loci_writes(file, numbered(6));
  look({file});
  write("consolidated/travel.md", entry_of("e6", "fact number 6"));
  save(file, numbered(4, {2}) + entry_of("e2", "fact number two"));
  perhaps_restart();
  EXPECT_EQ(look().put_back, Ids{});
  EXPECT_EQ(settle().deleted, Ids{"e5"});
  EXPECT_EQ(read(file).find("fact number 6"), std::string::npos);
}

TEST_P(Rows, AnEntryWhoseWordsAPersonTookIntoANoteIsNotDeleted) {
  save(file, numbered(5));
  write("ideas.md", "# Ideas\n\nfact number 2\n");
  look({"ideas.md"});
  save(file, numbered(5, {2}));
  perhaps_restart();
  EXPECT_EQ(settle().deleted, Ids{});
  EXPECT_EQ(texts(*memory).size(), 5u);
}

TEST_P(Rows, AnEntryOfWhichAPersonHasACopyInBoldOrAsATaskIsNotDeleted) {
  for (const char* name : {"consolidated/copies.md", "notes.md"})
    for (const char* copy : {"**what I keep**\n", "- [ ] what I keep\n"}) {
      SCOPED_TRACE(std::string(name) + ": " + copy);
      write(name, copy);
      look({name});
      save(file, numbered(5) + entry_of("e6", "what I keep"));
      save(file, numbered(5));
      perhaps_restart();
      EXPECT_TRUE(settle().deleted.empty());
      EXPECT_EQ(texts(*memory).size(), 6u) << "the five, and the copy";
      std::filesystem::remove(folder / "vault" / name);
      look({name});
      std::filesystem::remove_all(memory->vault().root() / ".loci");
      std::filesystem::remove_all(memory->vault().state_folder());
      restart();
    }
}

// Its comment is gone, and its words stand: in its file, in another one, or in a note, in bold perhaps.
struct LeftBare {
  const char* name;
  const char* in;
  std::string words;
};

class WithoutComment : public EditsTest, public testing::WithParamInterface<LeftBare> {
 protected:
  void strip(const std::string& said = "fact number 2") {
    const std::string day = "archive/2026-11-20.md";
    write(day, entry_of("f-e2", "fact number 2"));
    save(file, numbered(5, {2}) + entry_of("e2", "fact number 2", "f-e2"));
    settle_in_ledger("r1", "e2", hash_of_text("fact number 2"));
    look({file, day});
    std::string bytes = read(file);
    if (said != "fact number 2") save(file, bytes.replace(bytes.find("fact number 2"), 13, said));
    set_words(GetParam().words + "\n");
  }
  void set_words(const std::string& words) {
    if (GetParam().in == std::string(file)) {
      save(file, numbered(5, {2}) + words);
    } else {
      write(GetParam().in, words);
      if (read(file) != numbered(5, {2})) write(file, numbered(5, {2}));
      look({file, GetParam().in});
    }
  }
  bool is_held() {
    EXPECT_TRUE(facts_in_question(*memory)->empty());
    EXPECT_TRUE(memory->bring_up_to_date());
    return !find_entry(*memory, "f-e2", true)->pending;
  }
};

INSTANTIATE_TEST_SUITE_P(Words, WithoutComment,
                         testing::Values(LeftBare{"InItsFile", "consolidated/memory.md", "fact number 2"},
                                         LeftBare{"InAnotherFile", "consolidated/other.md", "fact number 2"},
                                         LeftBare{"InANote", "notes/ideas.md", "fact number 2"},
                                         LeftBare{"InBold", "consolidated/memory.md", "**fact number 2**"}),
                         [](const auto& row) { return row.param.name; });

TEST_P(WithoutComment, AnEntryIsNotGoneAndNothingOfItIsFoldedAnew) {
  strip();
  EXPECT_EQ(settle().deleted, Ids{});
  restart();
  EXPECT_EQ(settle().deleted, Ids{});
  EXPECT_TRUE(is_held());
}

TEST_P(WithoutComment, AnEntryIsDeletedOnceItsWordsAreGoneToo) {
  strip();
  settle();
  restart();
  set_words("\n");
  EXPECT_EQ(look().deleted, Ids{}) << "somebody may be moving them";
  EXPECT_EQ(settle().deleted, Ids{"e2"});
  EXPECT_FALSE(find_entry(*memory, "f-e2"));
}

TEST_P(WithoutComment, AnEntryIsDeletedOnceItsWordsAreOthers) {
  strip();
  settle();
  set_words("what I say by now\n");
  EXPECT_EQ(settle().deleted, Ids{"e2"});
}

// The ledger came with the file.
TEST_P(WithoutComment, AnEntryIsDeletedThoughAnotherMachineWasTheFirstToSeeItsWordsWithoutIt) {
  strip();
  settle();
  const auto logs = read_logs(memory->vault()).value();
  LedgerEntry line = *std::ranges::find_if(logs.ledger, is_merge);
  save(file, numbered(5, {2}) + entry_of("e2", "fact number 2", "f-e2"));
  if (GetParam().in != std::string(file)) write(GetParam().in, "# Empty\n");
  look({file, GetParam().in});
  pass(std::chrono::minutes(1));
  line.at = clock.now();
  ASSERT_TRUE(append_ledger(memory->vault(), {line}));
  set_words(GetParam().words + "\n");
  EXPECT_EQ(settle().deleted, Ids{});
  EXPECT_TRUE(is_held());
  set_words("\n");
  EXPECT_EQ(settle().deleted, Ids{"e2"});
}

TEST_P(WithoutComment, AnEntryIsWholeAgainWithItsComment) {
  strip();
  settle();
  save(file, numbered(5, {2}) + entry_of("e2", "fact number 2", "f-e2"));
  if (GetParam().in != std::string(file)) write(GetParam().in, "# Empty\n");
  look({file, GetParam().in});
  EXPECT_EQ(settle().deleted, Ids{});
  EXPECT_TRUE(is_held()) << "by the entry";
  save(file, numbered(5, {2}));
  EXPECT_EQ(settle().deleted, Ids{"e2"});
  EXPECT_FALSE(find_entry(*memory, "f-e2"));
}

// An editor, or a formatter, that takes all comments out of a file leaves as many words to look for at every save.
class AllWithoutComment : public EditsTest {
 protected:
  std::chrono::nanoseconds time_of_a_save(const std::string& name, int count) {
    const auto entries = [&](bool with_comments) {
      std::string bytes;
      for (int i = 0; i < count; ++i) {
        const std::string text = name + " says number " + std::to_string(i);
        bytes += with_comments ? entry_of(name + std::to_string(i), text) : text + "\n\n";
      }
      return bytes;
    };
    const std::string path = "consolidated/" + name + ".md";
    save(path, entries(true));
    save(path, entries(false));
    EXPECT_EQ(settle().deleted, std::vector<std::string>{});
    write(path, entries(false) + "one more\n");
    EXPECT_TRUE(memory->take_in({path}));
    return processor_time_of([&] { EXPECT_TRUE(understand(*memory, {path})); });
  }
};

TEST_F(AllWithoutComment, ASaveTakesTimeThatGrowsAsTheFileDoes) {
  const auto few = time_of_a_save("few", 200), many = time_of_a_save("many", 1600);
  EXPECT_LT(many, 24 * few);  // eight times the file; it was 64 times the time
}

TEST_P(Rows, WordsWithoutACommentThatGoManyAtOnceDeleteNothing) {
  const std::string day = "archive/2026-11-20.md";
  write(day, entry_of("f-e2", "fact number 2"));
  save(file, numbered(9));
  settle_in_ledger("r1", "e2", hash_of_text("fact number 2"));
  look({file, day});
  write("notes/ideas.md", "fact number 1\n\nfact number 2\n\nfact number 3\n\nfact number 4\n");
  look({"notes/ideas.md"});
  for (const std::set<int>& out : {std::set<int>{1}, std::set<int>{1, 2}, std::set<int>{1, 2, 3}, std::set<int>{1, 2, 3, 4}})
    save(file, numbered(9, out));
  perhaps_restart();
  settle();
  save("notes/ideas.md", "# Empty\n");
  EXPECT_EQ(settle().deleted, Ids{});
  EXPECT_EQ(settle().deleted, Ids{});
  EXPECT_TRUE(memory->bring_up_to_date());
  EXPECT_TRUE(find_entry(*memory, "f-e2")->pending) << "nothing that nobody deleted is lost";
}

// Five of eight, the last three of which are asked about.
class TakenOutOneByOne : public Rows {
 protected:
  void stand_without_comment() {
    save(file, numbered(8));
    for (int i = 1; i <= 5; ++i)
      settle_in_ledger("r" + std::to_string(i), "e" + std::to_string(i), hash_of_text("fact number " + std::to_string(i)));
    save(file, words_but_for({}));
    settle();
  }

  void take_out() {
    stand_without_comment();
    std::set<int> out;
    for (int i = 1; i <= 5; ++i) {
      out.insert(i);
      save(file, words_but_for(out));
      perhaps_restart();
    }
    EXPECT_EQ(settle().deleted, Ids{});
  }
  static std::string words_but_for(const std::set<int>& without) {
    std::string bytes;
    for (int i = 1; i <= 5; ++i)
      if (!without.contains(i)) bytes += "fact number " + std::to_string(i) + "\n\n";
    return bytes + numbered(8, {1, 2, 3, 4, 5});
  }
};

INSTANTIATE_TEST_SUITE_P(WithAndWithoutARestart, TakenOutOneByOne, testing::Bool(),
                         [](const auto& row) { return row.param ? "Restarted" : "OneProcess"; });

TEST_P(TakenOutOneByOne, WordsWithoutACommentAreAllDeletedOnceThatIsAnswered) {
  take_out();
  const size_t by_answer = keep_edits(*memory, file)->deleted.size();
  EXPECT_EQ(by_answer + settle().deleted.size(), 5u);
}

TEST_P(TakenOutOneByOne, WordsWithoutACommentThatNoAnswerBringsBackAreDeletedLater) {
  take_out();
  ASSERT_TRUE(restore_entries(*memory, file));
  const std::string restored = read(file);
  size_t stand = 0;
  for (int i = 1; i <= 5; ++i) stand += restored.contains("fact number " + std::to_string(i) + "\n") ? 1 : 0;
  EXPECT_GT(stand, 0u);
  EXPECT_EQ(settle().deleted.size(), 5 - stand);
}

// All of them in one save, which is asked about.
TEST_P(TakenOutOneByOne, WordsWithoutACommentThatGoAtOnceAreDeletedByTheAnswer) {
  stand_without_comment();
  perhaps_restart();
  ASSERT_EQ(save(file, words_but_for({1, 2, 3, 4, 5})).waiting.size(), 1u);
  EXPECT_EQ(settle().deleted, Ids{});
  EXPECT_EQ(keep_edits(*memory, file)->deleted.size(), 5u);
}

TEST_P(TakenOutOneByOne, WordsWithoutACommentThatComeBackWithTheAnswerAreDeletedWhenTheyGoAgain) {
  stand_without_comment();
  save(file, words_but_for({1, 2, 3, 4, 5}));
  perhaps_restart();
  ASSERT_TRUE(restore_entries(*memory, file));
  EXPECT_EQ(settle().deleted, Ids{});
  save(file, words_but_for({2}));
  EXPECT_EQ(settle().deleted, Ids{"e2"});
}

class WhereTheCoreIsAway : public EditsTest {
 protected:
  static std::string core_of(const std::string& lines) {
    return "# Memory\n\n<!-- loci:core begin -->\n" + lines + "<!-- loci:core end -->\n\n";
  }
};

TEST_F(WhereTheCoreIsAway, WordsAmongItsLinesAreStillSaid) {
  save("MEMORY.md", core_of(""));
  save(file, numbered(5));
  settle_in_ledger("r1", "e2", hash_of_text("fact number 2"));
  save("MEMORY.md", core_of("") + "fact number 2\n");
  save(file, numbered(5, {2}));
  EXPECT_EQ(settle().deleted, Ids{});
  ASSERT_TRUE(std::filesystem::remove(folder / "vault/MEMORY.md"));
  look({"MEMORY.md"});
  EXPECT_EQ(settle().deleted, Ids{});
  write("MEMORY.md", core_of(""));
  look({"MEMORY.md"});
  EXPECT_EQ(settle().deleted, Ids{"e2"});
}

TEST_P(Rows, AnEntryWhoseWordsStandUnderAnotherIdIsNotDeleted) {
  save(file, numbered(5));
  save(file, numbered(5, {2}) + entry_of("x2", "fact number 2"));
  perhaps_restart();
  EXPECT_EQ(settle().deleted, Ids{});
}

TEST_P(Rows, ThatItsFactSaysTheSameInTheArchiveKeepsNoEntryAlive) {
  write(day, entry_of("f1", "fact number 9"));
  look({day});
  save(file, numbered(5) + entry_of("c9", "fact number 9", "f1"));
  save(file, numbered(5));
  perhaps_restart();
  EXPECT_EQ(settle().deleted, Ids{"c9"});
}

TEST_P(Rows, AnEntryThatAMergeTookOutIsNotDeleted) {
  save(file, numbered(5));
  save(file, numbered(5, {2}));
  perhaps_restart();
  settle_in_ledger("run", "e2", {}, "e3");
  look({".loci/ledger/test.jsonl"});
  EXPECT_EQ(settle().deleted, Ids{});
  EXPECT_EQ(tombstones().size(), 0u);
}

TEST_P(Rows, AnEntryThatACommandTookOutIsNotDeletedTwice) {
  save(file, numbered(5));
  ASSERT_TRUE(forget(*memory, {"e2"}, {}));
  ASSERT_TRUE(correct(*memory, "e3", "the right words"));
  look({file});
  perhaps_restart();
  const size_t before = tombstones().size();
  EXPECT_EQ(settle().deleted, Ids{});
  EXPECT_EQ(tombstones().size(), before);
}

TEST_P(Rows, WordsThatWereTypedAfterACommandEndedTheEntryAreFoundWhenTheirRemovalIsUndone) {
  save(file, numbered(5));
  ASSERT_TRUE(correct(*memory, "e2", "the right words"));
  look({file});
  pass(std::chrono::minutes(1));
  std::string typed = entry_of("e2", "fact number 2");
  typed.replace(typed.find("fact number 2"), 13, "typed since");
  const std::string without = read(file), with = without + "\n" + typed;
  save(file, with);
  EXPECT_EQ(std::ranges::count(texts(*memory), "typed since"), 1);
  pass(std::chrono::minutes(1));
  save(file, without);
  perhaps_restart();
  pass(std::chrono::minutes(1));
  save(file, with);
  settle();
  EXPECT_EQ(std::ranges::count(texts(*memory), "typed since"), 1);
}

TEST_P(Rows, AnEntryThatWasRestoredAndThenRemovedByHandIsDeleted) {
  save(file, numbered(5));
  ASSERT_TRUE(forget(*memory, {"e2"}, {}));
  ASSERT_TRUE(restore(*memory, "e2"));
  look({file});
  save(file, numbered(5, {2}));
  perhaps_restart();
  EXPECT_EQ(settle().deleted, Ids{"e2"});
}

TEST_P(Rows, AnOldBufferThatWasEditedGetsBackWhatWasWrittenSince) {
  save(file, numbered(5));
  loci_writes(file, numbered(7));
  std::string bytes = numbered(5);
  bytes.replace(bytes.find("fact number 2"), 13, "what I say");
  EXPECT_EQ(save(file, bytes).put_back, Ids{file});
  perhaps_restart();
  EXPECT_EQ(settle().deleted, Ids{});
  EXPECT_EQ(texts(*memory), (Texts{"fact number 1", "fact number 3", "fact number 4", "fact number 5", "fact number 6",
                                   "fact number 7", "what I say"}));
}

TEST_P(Rows, AnOldBufferOfWhichEverythingButTheWordsWasEditedGetsBackWhatWasWrittenSince) {
  const std::string head = "# Facts\n<!-- mine -->\n\n", old = head + numbered(4), second = entry_of("e2", "fact number 2");
  std::string with_line_ends = old;
  for (size_t at = 0; (at = with_line_ends.find('\n', at)) != std::string::npos; at += 2) with_line_ends.insert(at, "\r");
  std::string spaced = old;
  spaced.insert(spaced.find(second), "\n\n");
  for (const std::string& saved : {head + second + numbered(4, {2}), numbered(4), "---\naliases: [facts]\n---\n" + old,
                                   "\xEF\xBB\xBF" + old, spaced, with_line_ends}) {
    save(file, old);
    loci_writes(file, old + entry_of("e5", "fact number 5"));
    EXPECT_EQ(save(file, saved).put_back, Ids{file}) << saved;
    perhaps_restart();
    EXPECT_EQ(settle().deleted, Ids{}) << saved;
    const std::string now = read(file);
    EXPECT_TRUE(now.starts_with(saved.substr(0, saved.find_last_not_of("\r\n")))) << now;
    EXPECT_EQ(std::ranges::count(now, '\r'), saved == with_line_ends ? std::ranges::count(now, '\n') : 0) << now;
    EXPECT_EQ(texts(*memory).size(), 5u) << now;
  }
}

TEST_P(Rows, AnEntryThatIsTakenOutOnceMoreAfterItWasPutBackIsDeleted) {
  save(file, "# Facts\n\n" + numbered(4));
  loci_writes(file, "# Facts\n\n" + numbered(5));
  save(file, "# Mine\n\n" + numbered(4));
  perhaps_restart();
  look();
  save(file, "# Mine\n\n" + numbered(4));
  EXPECT_EQ(settle().deleted, Ids{"e5"});
}

TEST_P(Rows, WhatAPersonTookOutOfAnOldBufferIsDeletedAndNothingElse) {
  save(file, numbered(5));
  loci_writes(file, numbered(7));
  EXPECT_EQ(save(file, numbered(5, {2})).put_back, Ids{file});
  perhaps_restart();
  EXPECT_EQ(settle().deleted, Ids{"e2"});
  EXPECT_EQ(texts(*memory).size(), 6u);
}

TEST_P(Rows, WhatLociRewroteSinceIsRewrittenAgainInAnOldBuffer) {
  save(file, numbered(5));
  std::string bytes = numbered(5, {3});
  bytes.replace(bytes.find(entry_of("e1", "fact number 1")), entry_of("e1", "fact number 1").size(),
                entry_of("e1", "one and three"));
  loci_writes(file, bytes);
  settle_in_ledger("run", "e3", {}, "e1");
  settle_in_ledger("run", "e1", hash_of_text("one and three"));
  save(file, numbered(5) + "A note of mine.\n");
  perhaps_restart();
  EXPECT_EQ(settle().deleted, Ids{});
  EXPECT_EQ(texts(*memory), (Texts{"A note of mine.", "fact number 2", "fact number 4", "fact number 5", "one and three"}));
}

TEST_P(Rows, WhatLociMadeAgainElsewhereAndAPersonMovedHereIsNoOldBuffer) {
  settle_in_ledger("run", "e1", hash_of_text("fact number 1"));
  save("consolidated/garden.md", numbered(5));
  loci_writes("consolidated/garden.md", numbered(5, {1}) + entry_of("e6", "fact number 6"));
  undo_in_ledger("e1", {});
  save(file, entry_of("e7", "fact number 7"));
  loci_writes(file, entry_of("e7", "fact number 7") + entry_of("e1", "fact number 1"));
  clock.advance(std::chrono::minutes(1));
  settle_in_ledger("again", "e1", hash_of_text("fact number 1"));
  look();
  write(file, entry_of("e7", "fact number 7"));
  write("consolidated/garden.md", numbered(5, {2}));  // what is cut out there is put where it once stood
  look({file, "consolidated/garden.md"});
  perhaps_restart();
  settle();
  EXPECT_TRUE(read("consolidated/garden.md").contains("fact number 1"));
  EXPECT_EQ(std::ranges::count(texts(*memory), "fact number 1"), 1);
}

TEST_P(Rows, WhereBothChangedAnEntryThePersonsTextStands) {
  save(file, numbered(5));
  std::string written = numbered(5), saved = written;
  written.replace(written.find(entry_of("e1", "fact number 1")), entry_of("e1", "fact number 1").size(),
                  entry_of("e1", "fact number 1, and more was said of it"));
  saved.replace(saved.find("fact number 1"), 13, "fact number one");
  loci_writes(file, written + entry_of("e6", "fact number 6"));
  save(file, saved);
  perhaps_restart();
  settle();
  EXPECT_EQ(texts(*memory),
            (Texts{"fact number 2", "fact number 3", "fact number 4", "fact number 5", "fact number 6", "fact number one"}));
}

TEST_P(Rows, AnOldBufferThatWasNotEditedIsADeletionOfUpToThreeEntries) {
  save(file, numbered(5));
  loci_writes(file, numbered(7));
  save(file, numbered(5));
  perhaps_restart();
  EXPECT_EQ(settle().deleted, (Ids{"e6", "e7"}));
}

TEST_P(Rows, WhatWentWithAnOldBufferAndStandsAgainIsAskedAboutOnce) {
  for (const bool keep : {true, false}) {
    const std::string id = keep ? "kept" : "gone", added = entry_of(id, "said with " + id);
    const std::string before = numbered(5) + (keep ? "" : entry_of("kept", "said with kept"));
    save(file, before);
    loci_writes(file, before + added);
    save(file, before);
    ASSERT_EQ(settle().deleted, Ids{id});
    perhaps_restart();
    save(file, before + added);
    const auto doubtful = [&] { return doubtful_acts(memory->vault()).value().size(); };
    EXPECT_EQ(doubtful(), 0U) << "one command would mean two things";
    ASSERT_EQ(after_forget(*memory).value().size(), 1U);
    ASSERT_TRUE(answer_about_entry(*memory, id, keep));
    settle();
    EXPECT_EQ(doubtful(), 0U);
    EXPECT_TRUE(after_forget(*memory).value().empty());
    EXPECT_EQ(std::ranges::count(texts(*memory), "said with " + id), keep ? 1 : 0);
  }
}

TEST_P(Rows, AnEditThatIsMadeAgainIsTheLatestAct) {
  const auto saying = [](const std::string& text) { return numbered(5, {5}) + entry_of("e5", text); };
  save(file, saying("the first words"));
  const auto edited = [](const std::string& text) {
    return numbered(5, {5}) + R"(<!--m {"id":"e5","sum":"1"}-->)" + "\n" + text + "\n\n";
  };
  for (const char* text : {"A first.", "B then.", "A first.", "B then."}) {
    pass(std::chrono::minutes(1));
    save(file, edited(text));
    perhaps_restart();
  }
  const auto acts = acts_of(memory->vault()).value();
  ASSERT_EQ(acts.size(), 3U);
  EXPECT_EQ(acts.back().hash_after, hash_of_text("B then."));
  EXPECT_EQ(acts.back().at, clock.now());
  ASSERT_TRUE(take_back(*memory, acts.back().id));
  EXPECT_TRUE(read(file).contains("A first."));
}

TEST_P(Rows, ThatIsListedUntilAPersonHasAnswered) {
  const auto listed = [&] {
    std::vector<Problem> problems;
    add_doubtful_acts(memory->vault(), problems);
    Ids ids;
    for (const Problem& problem : problems) ids.insert(ids.end(), problem.entries.begin(), problem.entries.end());
    return ids;
  };
  save(file, numbered(5));
  loci_writes(file, numbered(8));
  save(file, numbered(5));
  perhaps_restart();
  EXPECT_EQ(listed(), (Ids{"e6", "e7", "e8"}));
  settle();
  EXPECT_EQ(listed(), (Ids{"e6", "e7", "e8"}));
  ASSERT_TRUE(answer_about_entry(*memory, "e6", true));
  EXPECT_EQ(listed(), (Ids{"e7", "e8"}));
  ASSERT_TRUE(answer_about_entry(*memory, "e7", false));
  EXPECT_EQ(listed(), Ids{"e8"});
  ASSERT_TRUE(restore(*memory, "e8"));
  EXPECT_EQ(listed(), Ids{});
  EXPECT_TRUE(settle().deleted.empty());
  EXPECT_EQ(texts(*memory).size(), 7u);
}

TEST_P(Rows, AnOldBufferThatWasNotEditedAndLacksMoreIsAQuestion) {
  save(file, numbered(50));
  loci_writes(file, numbered(54));
  EXPECT_EQ(save(file, numbered(50)).waiting.size(), 1u);
  perhaps_restart();
  EXPECT_EQ(settle().deleted, Ids{});
}

TEST_P(Rows, ATextThatAPersonChangedBackInTheEditorIsTheirs) {
  save(file, numbered(5));
  loci_writes(file, numbered(5, {1}) + entry_of("e1", "as the run has it"));
  save(file, numbered(5));
  perhaps_restart();
  EXPECT_EQ(settle().put_back, Ids{});
  EXPECT_EQ(texts(*memory).front(), "fact number 1");
}

TEST_P(Rows, WhatWasForgottenIsTakenOutOfAnOldBufferAgain) {
  save(file, numbered(5));
  ASSERT_TRUE(forget(*memory, {"e2"}, {}));
  std::string bytes = numbered(5);
  bytes.replace(bytes.find("fact number 4"), 13, "what I say");
  save(file, bytes);
  perhaps_restart();
  settle();
  EXPECT_FALSE(read(file).contains("fact number 2"));
  EXPECT_TRUE(read(file).contains("what I say"));
}

TEST_P(Rows, AnOldBufferThatCannotBePutTogetherWithWhatWasWrittenSinceIsAskedAbout) {
  const std::string first = numbered(4), second = entry_of("e5", "fact number 5");
  save(file, first);
  loci_writes(file, first + second);
  look({file});
  perhaps_restart();
  std::string old_buffer = numbered(4);
  old_buffer.insert(old_buffer.find("fact number 4"), "```\n");  // what comes behind it would be swallowed
  old_buffer.replace(old_buffer.find("fact number 2"), 13, "what I say");
  const auto understood = save(file, old_buffer);
  EXPECT_EQ(read(file), old_buffer);
  ASSERT_EQ(understood.waiting.size(), 1u);
  EXPECT_EQ(understood.waiting.front().file, file);
  EXPECT_EQ(understood.waiting.front().removed, 1u);
  EXPECT_FALSE(understood.waiting.front().why.empty());
  pass(std::chrono::hours(1));
  look();
  EXPECT_TRUE(tombstones().empty());
}

TEST_P(Rows, WhatLociWroteOverBeforeItWasUnderstoodIsUnderstoodAllTheSame) {
  save(file, numbered(5));
  write(file, numbered(5, {2}));
  loci_writes(file, numbered(6, {2}));
  perhaps_restart();
  look({file});
  EXPECT_EQ(settle().deleted, Ids{"e2"});
}

TEST_P(Rows, ASaveThatKeepsPartOfTheLastRunDeletesWhatIsGone) {
  save(file, numbered(5));
  settle_in_ledger("run1", "e6", hash_of_text("fact number 6"));
  settle_in_ledger("run1", "e7", hash_of_text("fact number 7"));
  save(file, numbered(7));
  save(file, numbered(6));
  perhaps_restart();
  EXPECT_EQ(settle().deleted, Ids{"e7"});
}

TEST_P(Rows, ManyRemovedAtOnceWaitForAPerson) {
  save(file, numbered(9));
  const Understood observed = save(file, numbered(9, {1, 2, 3, 4}));
  ASSERT_EQ(observed.waiting.size(), 1u);
  EXPECT_EQ(observed.waiting[0].removed, 4u);
  perhaps_restart();
  EXPECT_EQ(settle().deleted, Ids{});
  EXPECT_EQ(settle().waiting.size(), 1u);
  const auto problems = problems_of(waiting_questions(memory->vault()).value());
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].file, file);
  EXPECT_EQ(problems[0].code, "unresolved-edit");
}

TEST_P(Rows, FactsOfWhatIsAskedAboutCountAsTheyDid) {
  std::string bytes, archive;
  for (int i = 1; i <= 9; ++i) {
    const std::string id = "e" + std::to_string(i), fact = "f-" + id;
    archive += R"(<!--m {"id":")" + fact + "\"}-->\n" + fact + "\n\n";
    settle_in_ledger("run", id, hash_of_text("about " + id));
    bytes += entry_of(id, "about " + id, fact);
  }
  write("archive/2026-11-20.md", archive);
  save(file, bytes);
  const auto counts = [&] {
    return fact_counts(*memory, memory->ask<FactCounts>([](IndexReader& reader) { return reader.facts(); }).value());
  };
  EXPECT_EQ(counts().settled, 9);
  ASSERT_EQ(save(file, entry_of("e9", "about e9", "f-e9")).waiting.size(), 1u);
  perhaps_restart();
  EXPECT_EQ(counts().settled, 9);
  EXPECT_EQ(counts().pending, 0);
}

TEST_P(Rows, AReformatWaits) {
  save(file, numbered(9));
  std::string bytes = numbered(9);
  for (size_t at = 0; (at = bytes.find("fact", at)) != std::string::npos;) bytes.replace(at, 4, "*fact*"), at += 6;
  save(file, bytes);
  perhaps_restart();
  const Understood observed = settle();
  ASSERT_EQ(observed.waiting.size(), 1u);
  EXPECT_EQ(observed.waiting[0].changed, 9u);
}

TEST_P(Rows, AQuestionGoesWhenTheFileIsAsItWas) {
  save(file, numbered(9));
  save(file, numbered(2));  // an editor in the middle of a write
  perhaps_restart();
  EXPECT_TRUE(save(file, numbered(9)).waiting.empty());
  EXPECT_EQ(settle().deleted, Ids{});
}

TEST_P(Rows, AQuestionStandsWhateverBecomesOfOneOfItsEntries) {
  save(file, numbered(5));
  save("consolidated/copies.md", entry_of("e1", "fact number 1"));
  write(file, entry_of("e5", "fact number 5"));
  write("consolidated/copies.md", "# Copies\n");
  ASSERT_EQ(look({file, "consolidated/copies.md"}).waiting.size(), 1u);
  perhaps_restart();
  EXPECT_EQ(settle().deleted, Ids{}) << "one of them was taken out of another file, too";
  const Tombstone theirs{clock.now(), "e1", hash_of_text("fact number 1"), Tombstone::Reason::deleted, "user", {}};
  ASSERT_TRUE(append_tombstones(memory->vault(), {theirs}));  // as another machine's comes by sync
  const Understood observed = settle();
  EXPECT_EQ(observed.deleted, Ids{}) << "three are not many: but it was asked";
  EXPECT_EQ(observed.waiting.size(), 1u);
}

TEST_P(Rows, AFileThatIsGoneWaitsHoweverSmallItWas) {
  save(file, numbered(2));
  std::filesystem::remove(folder / "vault" / file);
  look({file});
  perhaps_restart();
  const Understood observed = settle();
  EXPECT_EQ(observed.deleted, Ids{});
  ASSERT_EQ(observed.waiting.size(), 1u);
  EXPECT_EQ(observed.waiting[0].kind, Question::Kind::gone);
}

TEST_P(Rows, AnEntryThatWasTakenOutOfARenamedFileIsDeleted) {
  save(file, numbered(9));
  std::filesystem::remove(folder / "vault" / file);
  write("consolidated/renamed.md", numbered(9, {4}));
  EXPECT_TRUE(look({file, "consolidated/renamed.md"}).waiting.empty());
  perhaps_restart();
  const Understood understood = settle();
  EXPECT_EQ(understood.deleted, Ids{"e4"});
  EXPECT_TRUE(understood.waiting.empty());
}

TEST_P(Rows, WhatHadGoneFromAFileBeforeIsDeletedThoughItsRenameWasAskedAbout) {
  save(file, numbered(2));
  save(file, numbered(1));
  std::filesystem::remove(folder / "vault" / file);
  write("consolidated/renamed.md", "# Renamed\n");
  look({file, "consolidated/renamed.md"});
  ASSERT_EQ(waiting_questions(memory->vault())->size(), 1u);
  perhaps_restart();
  save("consolidated/renamed.md", "# Renamed\n\n" + numbered(1));
  EXPECT_TRUE(waiting_questions(memory->vault())->empty());
  EXPECT_EQ(settle().deleted, Ids{"e2"});
  EXPECT_TRUE(find_entry(*memory, "e1"));
}

TEST_P(Rows, AnEntryIsDeletedThoughItsFileWasRenamedBeforeAnybodyLookedAtIt) {
  save("consolidated/other.md", entry_of("o1", "another one"));
  write(file, "");  // a new file begins empty
  loci_writes(file, numbered(9));
  std::filesystem::remove(folder / "vault" / file);
  write("consolidated/renamed.md", numbered(9, {4}));
  perhaps_restart();
  EXPECT_TRUE(memory->take_in({}));
  const Understood understood = settle();
  EXPECT_EQ(understood.deleted, Ids{"e4"});
  EXPECT_TRUE(understood.waiting.empty());
}

TEST_P(Rows, WhatLociWritesUnderTheNameOfARenamedFileHasNothingToDoWithThatOne) {
  save(file, numbered(9));
  std::filesystem::remove(folder / "vault" / file);
  write("consolidated/renamed.md", numbered(9, {4, 5}));
  EXPECT_TRUE(look({file, "consolidated/renamed.md"}).waiting.empty());
  write(file, "");  // a new file begins empty
  loci_writes(file, entry_of("n1", "new number 1") + entry_of("n2", "new number 2"));
  EXPECT_TRUE(save(file, entry_of("n1", "new number 1")).waiting.empty());
  perhaps_restart();
  const Understood understood = settle();
  EXPECT_EQ(std::set(understood.deleted.begin(), understood.deleted.end()), (std::set<std::string>{"e4", "e5", "n2"}));
  EXPECT_TRUE(understood.waiting.empty());
}

TEST_P(Rows, WhatWasTakenOutOfAFileIsDeletedThoughAnotherOneTookItsName) {
  const std::string first = "consolidated/first.md", second = "consolidated/second.md";
  save(file, numbered(9));
  save(first, entry_of("n1", "new number 1") + entry_of("n2", "new number 2"));
  std::filesystem::remove(folder / "vault" / first);
  write(second, entry_of("n1", "new number 1"));
  EXPECT_TRUE(look({first, second}).waiting.empty());
  std::filesystem::rename(folder / "vault" / second, folder / "vault" / first);
  look({first, second});
  perhaps_restart();
  const Understood understood = settle();
  EXPECT_EQ(understood.deleted, Ids{"n2"});
  EXPECT_TRUE(understood.waiting.empty());
}

TEST_P(Rows, AnOldBufferThatWasEditedAndRenamedBeforeAnybodyLookedAtItGetsBackWhatWasWrittenSince) {
  save(file, numbered(6));
  loci_writes(file, numbered(9));
  std::filesystem::remove(folder / "vault" / file);
  write("consolidated/renamed.md", numbered(5) + "Typed in the buffer.\n");
  perhaps_restart();
  EXPECT_TRUE(memory->take_in({}));
  const Understood understood = settle();
  EXPECT_EQ(understood.deleted, Ids{"e6"});
  EXPECT_TRUE(understood.waiting.empty());
  const std::string now = read("consolidated/renamed.md");
  for (const char* kept : {"fact number 5", "fact number 7", "fact number 8", "fact number 9", "Typed in the buffer."})
    EXPECT_THAT(now, testing::HasSubstr(kept));
  EXPECT_FALSE(std::filesystem::exists(folder / "vault" / file));
}

// The first file of its name has another one since, and is renamed once more.
TEST_P(Rows, AFileThatIsMadeAnewHasNothingOfTheOneThatHadItsNameBefore) {
  const auto rename = [&](const char* from, const char* to) {
    std::filesystem::rename(folder / "vault" / from, folder / "vault" / to);
  };
  save(file, numbered(2));
  loci_writes(file, numbered(6));
  look({file});
  rename(file, "consolidated/second.md");
  look({file, "consolidated/second.md"});
  const auto anew = [](std::string_view) -> Result<std::string> { return entry_of("e10", "fact number 10"); };
  ASSERT_TRUE(change_file(memory->vault(), file, anew, IfMissing::create));
  look({file});
  write(file, "\n");
  rename("consolidated/second.md", "consolidated/third.md");
  write("consolidated/third.md", numbered(6, {2}));
  perhaps_restart();
  look({file, "consolidated/second.md", "consolidated/third.md"});
  EXPECT_EQ(read("consolidated/third.md"), numbered(6, {2}));
  EXPECT_THAT(settle().deleted, testing::UnorderedElementsAre("e2", "e10"));
}

TEST_P(Rows, AnOldBufferOfAFileThatIsRenamedBeforeAnybodyLooksIsStillThat) {
  save(file, numbered(4));
  loci_writes(file, numbered(4, {3, 4}) + entry_of("e5", "fact number 5") + entry_of("e6", "fact number 6") +
                        entry_of("e7", "fact number 7"));
  settle_in_ledger("r1", "e3", hash_of_text("fact number 3"), "e5");
  settle_in_ledger("r1", "e4", hash_of_text("fact number 4"), "e6");
  look({file});
  ASSERT_TRUE(std::filesystem::remove(folder / "vault" / file));
  write("consolidated/renamed.md", numbered(4, {2}) + "typed\n");
  perhaps_restart();
  look({file, "consolidated/renamed.md"});
  const std::string now = read("consolidated/renamed.md");
  for (const char* text : {"fact number 5", "fact number 6", "fact number 7", "typed"})
    EXPECT_NE(now.find(text), std::string::npos) << text << " in " << now;
  EXPECT_EQ(settle().deleted, Ids{"e2"});
}

TEST_P(Rows, WhatIsMissingAndAskedOfAFileFollowsItsRename) {
  save(file, numbered(20));
  save(file, numbered(20, {1}));
  std::filesystem::rename(folder / "vault" / file, folder / "vault/consolidated/renamed.md");
  look({file});
  look({"consolidated/renamed.md"});
  perhaps_restart();
  const auto records = EditState::peek(memory->vault()).value();
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].file, "consolidated/renamed.md");
  EXPECT_EQ(settle().deleted, Ids{"e1"});
  ASSERT_EQ(save("consolidated/renamed.md", numbered(8, {1})).waiting.size(), 1u);
  std::filesystem::rename(folder / "vault/consolidated/renamed.md", folder / "vault/consolidated/again.md");
  const Understood asked = look({"consolidated/renamed.md", "consolidated/again.md"});
  ASSERT_EQ(asked.waiting.size(), 1u);
  EXPECT_EQ(asked.waiting[0].file, "consolidated/again.md");
  EXPECT_EQ(asked.waiting[0].kind, Question::Kind::wholesale);
}

TEST_P(Rows, AFileIsNotRenamedByAnEntryThatMovesIntoANewOne) {
  const std::string other = "consolidated/with others.md";
  const std::string one = entry_of("o1", "it stood alone in the file, once"), two = entry_of("o2", "it stood among others there");
  save(file, one);
  save(file, numbered(9) + one + two);
  save(file, numbered(9));
  save(other, one + two);
  ASSERT_EQ(save(file, numbered(3)).waiting.size(), 1u);
  std::filesystem::remove(folder / "vault" / file);
  std::filesystem::remove(folder / "vault" / other);
  write("consolidated/one.md", one);
  write("consolidated/two.md", two);
  perhaps_restart();
  const Understood asked = look({file, other, "consolidated/one.md", "consolidated/two.md"});
  ASSERT_EQ(asked.waiting.size(), 1u);
  EXPECT_EQ(asked.waiting[0].file, file);
  EXPECT_EQ(read("consolidated/one.md"), one);
}

// As an older version had it: the one that has more of the newest is the renamed one.
TEST_P(Rows, AFileIsNotRenamedByItsFirstEntryWhichMovesIntoANewOne) {
  save(file, numbered(1));
  loci_writes(file, numbered(5));
  look({file});
  std::filesystem::remove(folder / "vault" / file);
  const std::string moved = "# Moved\n\n" + numbered(1);
  write("consolidated/moved.md", moved);
  write("consolidated/renamed.md", numbered(4, {1}));
  perhaps_restart();
  look({file, "consolidated/moved.md", "consolidated/renamed.md"});
  EXPECT_EQ(settle().deleted, Ids{"e5"});
  EXPECT_EQ(read("consolidated/moved.md"), moved);
}

TEST_P(Rows, AnOldBufferThatWasRenamedGetsBackWhatWasWrittenSinceThoughANewFileHasItsNameNow) {
  save(file, numbered(6));
  loci_writes(file, numbered(9));
  std::filesystem::rename(folder / "vault" / file, folder / "vault/consolidated/renamed.md");
  write("consolidated/renamed.md", numbered(5) + "Typed in the buffer.\n");
  write(file, "# Memory\n\nA new one.\n");
  perhaps_restart();
  EXPECT_TRUE(memory->take_in({}));
  const Understood understood = settle();
  EXPECT_EQ(understood.deleted, Ids{"e6"});
  EXPECT_TRUE(understood.waiting.empty());
  for (const char* kept : {"fact number 7", "fact number 8", "fact number 9", "Typed in the buffer."})
    EXPECT_THAT(read("consolidated/renamed.md"), testing::HasSubstr(kept));
  EXPECT_EQ(read(file), "# Memory\n\nA new one.\n");
}

TEST_P(Rows, AnOldBufferThatLociWroteOverBeforeItWasUnderstoodGetsBackWhatWasWrittenSinceToo) {
  const std::string edited = "# Mine\n\n" + numbered(5);
  save(file, numbered(5));
  loci_writes(file, numbered(7));
  look();
  write(file, edited);
  loci_writes(file, edited + entry_of("e8", "fact number 8"));
  // Elsewhere.
  ASSERT_TRUE(append_tombstones(memory->vault(),
                                {{clock.now(), "e7", hash_of_text("fact number 7"), Tombstone::Reason::deleted, "user", {}}}));
  perhaps_restart();
  EXPECT_TRUE(settle().deleted.empty());
  EXPECT_TRUE(read(file).starts_with(edited));
  EXPECT_TRUE(read(file).contains("fact number 6"));
  EXPECT_FALSE(read(file).contains("fact number 7"));
  EXPECT_EQ(texts(*memory).size(), 7u);
}

TEST_F(EditsTest, WhatIsSavedAllTheTimeKeepsNothingElseFromBeingDecidedAndIsUnderstoodOnceItRests) {
  const std::string others = "consolidated/other.md", edited = "# Mine\n\n" + numbered(5);
  save(file, numbered(5));
  save(others, numbered(9, {1, 2, 3, 4, 5, 6}));
  loci_writes(file, numbered(6));
  look();
  write(others, numbered(9, {1, 2, 3, 4, 5, 6, 9}));
  look();
  write(file, edited);
  pass(std::chrono::minutes(11));
  int saves = 0;
  InterruptingFileSystem files([&](size_t, const std::string& call) {
    if (call.starts_with("exchange ") || call.starts_with("rename "))
      write(file, edited + std::string(static_cast<size_t>(++saves), '\n'));
  });
  {
    Memory interrupted = Memory::open(folder / "vault", environment_in(folder), files, clock).value();
    const auto understood = understand(interrupted);
    ASSERT_TRUE(understood);
    EXPECT_EQ(understood->deleted, Ids{"e9"});
    ASSERT_EQ(understood->waiting.size(), 1u);
    EXPECT_EQ(understood->waiting[0].kind, Question::Kind::stuck);
    EXPECT_FALSE(understood->waiting[0].why.empty());
  }
  ASSERT_GT(saves, 0);
  EXPECT_TRUE(look().waiting.empty());
  EXPECT_TRUE(settle().deleted.empty());
  EXPECT_TRUE(read(file).contains("fact number 6"));
}

TEST_P(Rows, AVaultThatIsGoneDeletesNothing) {
  save(file, numbered(2));
  std::filesystem::rename(folder / "vault", folder / "moved");
  EXPECT_EQ(understand(*memory, {file})->deleted, Ids{});
  std::filesystem::rename(folder / "moved", folder / "vault");
  perhaps_restart();
  EXPECT_TRUE(settle().waiting.empty());
}

TEST_P(Rows, AFileWithConflictMarkersIsLeftAlone) {
  save(file, numbered(9));
  save(file, "<<<<<<< HEAD\n" + numbered(2) + "=======\n" + numbered(3) + ">>>>>>> other\n");
  perhaps_restart();
  const Understood observed = settle();
  EXPECT_EQ(observed.deleted, Ids{});
  EXPECT_TRUE(observed.waiting.empty());
  EXPECT_TRUE(save(file, numbered(9)).waiting.empty());
}

TEST_P(Rows, WhatLociWroteInOneRunIsNoEdit) {
  save(file, numbered(9));
  for (int i = 1; i <= 9; ++i) settle_in_ledger("run", "e" + std::to_string(i), hash_of_text("folded " + std::to_string(i)));
  const Understood observed = save(file, numbered(9, {}, "folded "));
  EXPECT_TRUE(observed.waiting.empty());
  perhaps_restart();
  EXPECT_TRUE(settle().waiting.empty());
}

TEST_P(Rows, TextWithoutMetadataThatIsGoneLeavesNoTombstone) {
  save(file, numbered(5) + "my own words\n\nand others\n");
  save(file, numbered(5));
  perhaps_restart();
  EXPECT_EQ(settle().deleted, Ids{});
  EXPECT_EQ(tombstones().size(), 0u);
}

TEST_P(Rows, WhatWentWhileNobodyLookedIsNoticedLater) {
  save(file, numbered(5));
  write(file, numbered(5, {2}));
  restart();
  ASSERT_TRUE(memory->bring_up_to_date());
  EXPECT_EQ(look().again_in, std::chrono::minutes(10));
  EXPECT_EQ(settle().deleted, Ids{"e2"});
}

TEST_F(EditsTest, AClockThatJumpsBackStartsTheTimeAgain) {
  save(file, numbered(5));
  save(file, numbered(5, {2}));
  pass(std::chrono::minutes(9));
  clock.advance(-std::chrono::hours(24));
  save(file, numbered(5, {2}) + "mine\n");
  pass(std::chrono::minutes(9));
  EXPECT_EQ(look().deleted, Ids{});
  pass(std::chrono::minutes(1));
  EXPECT_EQ(look().deleted, Ids{"e2"});
}

TEST_F(EditsTest, ItNeedsNoProcessThatWaitsTenMinutes) {
  save(file, numbered(5));
  save(file, numbered(5, {2}));
  pass(std::chrono::minutes(9));
  restart();
  EXPECT_EQ(look().deleted, Ids{});
  pass(std::chrono::minutes(1));
  restart();
  EXPECT_EQ(look().deleted, Ids{"e2"});
}

TEST_F(EditsTest, WhenTheFileWasSavedCountsHoweverLateItIsLookedAt) {
  clock.set("2026-11-24T12:00:00Z");
  save(file, numbered(5));
  clock.advance(std::chrono::hours(24));
  write(file, numbered(5, {2}));
  set_saved_at(file, clock.now() - std::chrono::minutes(20));
  EXPECT_EQ(look({file}).deleted, Ids{"e2"});
}

TEST_F(EditsTest, StateThatIsLostOrBrokenMeansThatEverythingIsSeenForTheFirstTime) {
  save(file, numbered(5));
  save(file, numbered(5, {2}));
  const path state = memory->vault().state_folder() / "edits";
  ASSERT_TRUE(write_file(real_file_system(), state / "state.json", "{\"v\":1,\"files\":[{]"));
  restart();
  EXPECT_EQ(settle().deleted, Ids{});
  save(file, numbered(5, {2, 3}));
  EXPECT_EQ(settle().deleted, Ids{"e3"});
  std::filesystem::remove_all(state);
  restart();
  EXPECT_EQ(settle().deleted, Ids{});
}

TEST_F(EditsTest, LookingWritesNothingToTheVault) {
  save(file, numbered(9));
  save("MEMORY.md", "mine\n");
  write(file, numbered(9, {1, 2, 3, 4, 5, 6}));
  const auto before = folder.contents("vault");
  look({file});
  settle();
  EXPECT_EQ(folder.contents("vault"), before);
}

TEST_F(EditsTest, WhatKilledProcessesLeftOfTheirNotesIsGoneWithTheNextLook) {
  save(file, numbered(2));
  const pid_t killed = ::fork();
  if (killed == 0) ::_exit(0);
  ASSERT_EQ(::waitpid(killed, nullptr, 0), killed);
  const std::string name = ".tmp-" + std::to_string(killed);
  const path state = memory->vault().state_folder();
  path versions;
  for (const auto& item : std::filesystem::directory_iterator(state / "versions")) versions = item.path();
  const std::vector<path> left{state / "edits" / ("state.json" + name), versions / ("0123.md" + name)};
  for (const path& one : left) ASSERT_TRUE(write_file(real_file_system(), one, "half of"));
  save(file, numbered(3));
  for (const path& one : left) EXPECT_FALSE(std::filesystem::exists(one)) << one;
}

TEST_F(EditsTest, CopiesOfEntriesAreReadableForTheirOwnerOnly) {
  save(file, numbered(5));
  save(file, numbered(5, {2}));
  int copies = 0;
  for (const char* where : {"edits", "versions"})
    for (const auto& item : std::filesystem::recursive_directory_iterator(memory->vault().state_folder() / where)) {
      if (!item.is_regular_file()) continue;
      ++copies;
      EXPECT_EQ(item.status().permissions(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_write)
          << item.path();
    }
  EXPECT_GE(copies, 4);
}

// It left this file when it went to the other one, and what becomes of it there is another act, whose time begins then.
TEST_P(Rows, WhatWasMovedAndIsTakenOutOfItsNewPlaceWhileAnybodyLooksIsDeletedWithItsWords) {
  const std::string work = "consolidated/work.md", heading = "# Work\n\n";
  save(file, numbered(4));
  settle_in_ledger("run", "e2", hash_of_text("fact number 2"));
  std::string reworded = entry_of("e2", "fact number 2");
  reworded.replace(reworded.find("fact number 2"), 13, "My words.");
  write(work, heading + reworded);
  write(file, numbered(4, {2}));
  bool has_seen = false, has_gone = false;
  InterruptingFileSystem files([&](size_t, const std::string& call) {
    has_seen = has_seen || (call.starts_with("read_all ") && call.ends_with(work));
    if (!has_seen || has_gone || !call.starts_with("read_all ") || !call.ends_with(file)) return;
    has_gone = true;
    write(work, heading);
  });
  Memory interrupted = Memory::open(folder / "vault", environment_in(folder), files, clock).value();
  ASSERT_TRUE(understand(interrupted));
  ASSERT_TRUE(has_gone);
  perhaps_restart();
  pass(std::chrono::minutes(10));
  look();  // which finds that it is missing in its new place
  pass(std::chrono::minutes(10));
  EXPECT_EQ(look().deleted, Ids{"e2"});
  EXPECT_EQ(std::ranges::count(texts(*memory), "My words."), 0);
}

TEST_F(EditsTest, WhatWasRemovedByHandStaysDeletedAfterARebuildAndOnAnotherMachine) {
  save(file, numbered(5));
  save(file, numbered(5, {2}));
  EXPECT_EQ(settle().deleted, Ids{"e2"});
  write("archive/2026-11-20.md", entry_of("old", "fact number 2"));  // the same words, from before
  ASSERT_TRUE(memory->reindex(true));
  EXPECT_EQ(texts(*memory).size(), 4u);
  std::filesystem::copy(folder / "vault", folder / "clone", std::filesystem::copy_options::recursive);
  Environment other = environment_in(folder, "other");
  other.state_home = folder / "elsewhere";
  Memory clone = Memory::open(folder / "clone", other, real_file_system(), clock).value();
  EXPECT_EQ(texts(clone).size(), 4u);
}

// Of the two files that a move changes, the daemon may be told of one, and the other one be saved again before it looks there.
TEST_F(EditsTest, WhatWasMovedAndThenTakenOutIsDeletedThoughNobodyHadLookedWhereItWent) {
  save(file, numbered(5));
  write("consolidated/garden.md", "# Garden\n\n" + entry_of("e2", "fact number 2"));
  save(file, numbered(5, {2}));
  save("consolidated/garden.md", "# Garden\n");
  EXPECT_EQ(settle().deleted, Ids{"e2"});
}

TEST_F(EditsTest, WhatWasRemovedByHandCanBeRestored) {
  save(file, numbered(5));
  save(file, numbered(5, {2}));
  EXPECT_EQ(settle().deleted, Ids{"e2"});
  ASSERT_TRUE(restore(*memory, "e2"));
  look({file});
  EXPECT_EQ(settle().deleted, Ids{});
  EXPECT_EQ(texts(*memory).size(), 5u);
}

// --- a run that was taken back ---

// As `loci undo` leaves it behind: the run's entry is gone, and the ledger says so.
TEST_P(Rows, WhatWentWithAnUndoWasDeletedByNobody) {
  save(file, numbered(5));
  settle_in_ledger("run", "e2", hash_of_text("fact number 2"));
  undo_in_ledger("e2", {});
  save(file, numbered(5, {2}));
  perhaps_restart();
  EXPECT_EQ(settle().deleted, Ids{});
  EXPECT_EQ(tombstones().size(), 0u);
}

TEST_P(Rows, OfWhatCameBackAfterAnUndoAndWasRewordedTheOldWordsAreNotPendingAgain) {
  const std::string without = numbered(5, {2});
  save(file, without + entry_of("e2", "fact number 2", "f-e2"));
  settle_in_ledger("run", "e2", hash_of_text("fact number 2"));
  undo_in_ledger("e2", {});
  save(file, without);
  save(file, without + entry_of("e2", "fact number 2", "f-e2"));
  EXPECT_EQ(read_logs(memory->vault()).value().ledger.back().outcome, LedgerEntry::Outcome::undone);
  perhaps_restart();
  std::string reworded = entry_of("e2", "fact number 2", "f-e2");
  save(file, without + reworded.replace(reworded.find("fact number 2"), 13, "My own words."));
  const LedgerEntry last = read_logs(memory->vault()).value().ledger.back();
  EXPECT_EQ(last.fact, "f-e2");
  EXPECT_EQ(last.entry, "e2");
  EXPECT_EQ(last.outcome, LedgerEntry::Outcome::added);
}

TEST_P(Rows, WhatCameBackAfterAnUndoCanBeDeleted) {
  settle_in_ledger("run", "e2", hash_of_text("fact number 2"));
  undo_in_ledger("e2", {});
  clock.advance(std::chrono::seconds(1));
  settle_in_ledger("run again", "e2", hash_of_text("fact number 2"));
  settle_in_ledger("run again", "e3", hash_of_text("fact number 3"));
  save(file, numbered(5));
  save(file, numbered(5, {2}));
  perhaps_restart();
  EXPECT_EQ(settle().deleted, Ids{"e2"});
}

TEST_P(Rows, TheTextThatAnUndoBroughtBackIsNobodysEdit) {
  const auto changed = [](const std::string& text) {
    std::string bytes;
    for (int i = 1; i <= 5; ++i) bytes += entry_of("e" + std::to_string(i), text + std::to_string(i));
    return bytes;
  };
  save(file, changed("new "));
  for (int i = 1; i <= 5; ++i) undo_in_ledger("e" + std::to_string(i), hash_of_text("old " + std::to_string(i)));
  EXPECT_TRUE(save(file, changed("old ")).waiting.empty());  // five of five at once: a question, were it a person's
}

TEST_P(Rows, AnEntryThatWasMergedAndCameBackCanBeDeleted) {
  settle_in_ledger("run", "e2", {}, "e1");
  clock.advance(std::chrono::seconds(1));
  settle_in_ledger("undo", "e2", hash_of_text("fact number 2"));
  settle_in_ledger("undo", "e3", hash_of_text("fact number 3"));
  save(file, numbered(5));
  save(file, numbered(5, {2}));
  perhaps_restart();
  EXPECT_EQ(settle().deleted, Ids{"e2"});
}

// Whoever checks another commit out while edits are looked at: what was read of the one is not decided with the files of the other.
TEST_F(EditsTest, ABranchOfWhichThisOneHasEveryCommitIsNoOtherOne) {
  const auto git = [&](const std::string& command) {
    const std::string line = "cd '" + (folder / "vault").string() +
                             "' && GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 git -c user.name=a -c user.email=a@b " +
                             command;
    ASSERT_EQ(std::system(line.c_str()), 0) << line;
  };
  const auto commit = [&] {
    git("add -A");
    git("commit -q -m x");
  };
  save(file, numbered(5));
  git("init -q -b main");
  commit();
  look();
  git("checkout -q -b try");
  loci_writes(file, numbered(6));
  commit();
  EXPECT_EQ(look().why_not, "");
  git("checkout -q main");
  EXPECT_NE(look().why_not, "");
  git("merge -q --ff-only try");
  EXPECT_EQ(look().why_not, "");
  save(file, numbered(6, {2}));
  EXPECT_EQ(settle().deleted, Ids{"e2"});
}

TEST_F(EditsTest, WhatGitDoesInTheMiddleHasItLookedAtAgain) {
  write(".git/HEAD", "ref: refs/heads/main\n");
  save(file, numbered(3));
  write(file, numbered(3, {3}));
  bool is_armed = false, has_moved = false;
  InterruptingFileSystem files([&](size_t, const std::string& call) {
    if (!is_armed || has_moved || !call.starts_with("read_all ") || !call.ends_with("consolidated/memory.md")) return;
    has_moved = true;
    write(".git/index", "another commit");
  });
  Memory interrupted = Memory::open(folder / "vault", environment_in(folder), files, clock).value();
  is_armed = true;
  const auto understood = understand(interrupted);
  ASSERT_TRUE(understood);
  ASSERT_TRUE(has_moved);
  EXPECT_TRUE(understood->again_in);
  EXPECT_TRUE(EditState::peek(memory->vault())->front().absent.empty());
  look();
  EXPECT_EQ(EditState::peek(memory->vault())->front().absent.size(), 1u);
}

TEST_F(EditsTest, WhatStandsInTheFilesOfAnotherCommitForAMomentIsDeletedAllTheSame) {
  write(".git/HEAD", "ref: refs/heads/main\n");
  save(file, numbered(3));
  save(file, numbered(3, {3}));
  for (int which = 1; which <= 4; ++which) {  // of the times that it is read, so the one that counts is among them
    int reads = 0;
    bool is_armed = false;
    InterruptingFileSystem files([&](size_t, const std::string& call) {
      if (!is_armed || !call.starts_with("read_all ") || !call.ends_with("consolidated/memory.md") || ++reads != which) return;
      write(file, numbered(3));
      write(".git/index", "commit " + std::to_string(which));
    });
    Memory interrupted = Memory::open(folder / "vault", environment_in(folder), files, clock).value();
    is_armed = true;
    ASSERT_TRUE(understand(interrupted));
    is_armed = false;
    write(file, numbered(3, {3}));
    write(".git/index", "back from commit " + std::to_string(which));
    look();
  }
  pass(std::chrono::minutes(10));
  EXPECT_EQ(look().deleted, Ids{"e3"});
}

TEST_P(Rows, WhatWasSaidAgainStaysWhenAnEntryGoesThatSaidOtherwise) {
  const std::string day = "archive/2026-11-20.md";
  write(day, entry_of("f-e2", "Likes tea."));
  save(file, numbered(5, {2}) + entry_of("e2", "Likes tea.", "f-e2"));
  settle_in_ledger("r1", "e2", hash_of_text("Likes tea."));
  look({file, day});
  std::string bytes = read(file);
  save(file, bytes.replace(bytes.find("Likes tea."), 10, "Likes mint."));
  write(day, read(day) + entry_of("f9", "Likes tea."));
  look({day});
  perhaps_restart();
  save(file, numbered(5, {2}));
  EXPECT_EQ(settle().deleted, Ids{"e2"});
  EXPECT_EQ(texts(*memory), (Texts{"Likes tea.", "fact number 1", "fact number 3", "fact number 4", "fact number 5"}));
}

// git names the commit last.
TEST_F(EditsTest, WhatStandsInTheFilesOfABranchThatGitIsJustGoingToIsDeletedAllTheSame) {
  const auto git = [&](const std::string& command) {
    const std::string line = "git -C '" + (folder / "vault").string() + "' -c user.name=T -c user.email=t@t " + command;
    ASSERT_EQ(std::system(line.c_str()), 0) << line;
  };
  const auto commit = [&] {
    git("add -A");
    git("commit -q -m x");
  };
  save(file, numbered(3));
  settle_in_ledger("r1", "e3", hash_of_text("fact number 3"));
  git("init -q -b main");
  commit();
  git("branch side");
  const std::string index_there = read(".git/index");
  save(file, numbered(3, {3}));
  commit();
  look();
  const std::string index_here = read(".git/index");
  int times = 0;
  for (int which = 1; which <= times + 1; ++which) {  // of the calls
    ASSERT_EQ(EditState::peek(memory->vault())->front().absent.size(), 1u) << which;
    write(file, numbered(3));
    write(".git/index", index_there);
    int calls = 0;
    bool is_armed = false;
    InterruptingFileSystem files([&](size_t, const std::string&) {
      if (is_armed && ++calls == which) write(".git/HEAD", "ref: refs/heads/side\n");
    });
    Memory interrupted = Memory::open(folder / "vault", environment_in(folder), files, clock).value();
    is_armed = true;
    ASSERT_TRUE(understand(interrupted));
    is_armed = false;
    times = calls;
    write(".git/HEAD", "ref: refs/heads/main\n");
    write(file, numbered(3, {3}));
    write(".git/index", index_here);
    look();
  }
  EXPECT_GT(times, 4);
  pass(std::chrono::minutes(10));
  EXPECT_EQ(look().deleted, Ids{"e3"});
}

// The file as it stood before that save is no place where it stands.
TEST_F(EditsTest, WhatASaveTakesOutWhileAnotherAbsenceIsJudgedIsDeleted) {
  Ids gone;
  for (int which = 1; which <= 4; ++which) {  // of the times that its versions are read
    const std::string name = "consolidated/" + std::to_string(which) + ".md";
    const auto entries = [&](const std::vector<int>& numbers) {
      std::string bytes;
      for (const int i : numbers)
        bytes += entry_of(std::to_string(which) + "e" + std::to_string(i), name + " " + std::to_string(i));
      return bytes;
    };
    save(name, entries({1, 2, 3, 4}));
    save(name, entries({1, 3, 4}));
    write(name, entries({3, 1, 4}));
    int reads = 0, logs = 0;
    InterruptingFileSystem files([&](size_t, const std::string& call) {
      if (call.starts_with("read_all ") && call.ends_with(name)) ++reads;
      if (reads >= 3 && call.starts_with("read_all ") && call.ends_with("/log.jsonl") && ++logs == which)
        write(name, entries({3, 4}));
    });
    Memory interrupted = Memory::open(folder / "vault", environment_in(folder), files, clock).value();
    ASSERT_TRUE(understand(interrupted));
    write(name, entries({3, 4}));
    gone.push_back(std::to_string(which) + "e1");
    gone.push_back(std::to_string(which) + "e2");
  }
  Ids deleted = settle().deleted;
  std::ranges::sort(deleted);
  EXPECT_EQ(deleted, gone);
}

}  // namespace
}  // namespace loci
