#include "consolidate/runs/store.h"
#include "consolidate/runs/undo.h"
#include "edits/understand.h"
#include "memory/correct.h"
#include "memory/forget.h"
#include "memory/restore.h"
#include "tests/consolidate/consolidate_fixture.h"

namespace loci {
namespace {

class FileEditedEntries : public ConsolidateTest {
 protected:
  // A person writes Amazon over Google, a run files that as `filed`, and it is forgotten. Then the entry says Google again, as a
  // note does.
  void file_and_forget(std::string& filed) {
    say("Works at Google.");
    run_builtin();
    std::string bytes = read(file);
    write(file, bytes.replace(bytes.find("Google"), 6, "Amazon"));
    write("notes.md", "Works at Google.\n");
    ASSERT_TRUE(memory->bring_up_to_date());
    RunRecord record = start();
    ASSERT_EQ(file_edited_entries(*memory, identity_of(record), record).value(), 1u);
    finish(record);
    filed = entry_with("Works at Amazon.").from.back();
    ASSERT_TRUE(forget(*memory, {filed}, {}));
    run_builtin();
    ASSERT_EQ(durable_texts(), Texts{"Works at Google."});
  }
};

TEST_F(FileEditedEntries, APersonsEditOfAnEntryBecomesAFactThatItRestsOn) {
  const std::string fact = say("Works at Google.");
  run_builtin();
  const std::string id = entry_with("Works at Google.").id;
  std::string bytes = read(file);
  bytes.replace(bytes.find("Google"), 6, "Amazon");
  write(file, bytes);
  ASSERT_TRUE(memory->bring_up_to_date());
  RunRecord record = start();
  EXPECT_EQ(file_edited_entries(*memory, identity_of(record), record).value(), 1u);
  finish(record);
  const Entry entry = entry_with("Works at Amazon.");
  EXPECT_EQ(entry.id, id);
  EXPECT_EQ(entry.source, Source::user);
  EXPECT_FALSE(entry.edited);
  ASSERT_EQ(entry.from.size(), 2u);
  EXPECT_EQ(entry.from[0], fact);
  const auto filed = find_entry(*memory, entry.from[1]);
  ASSERT_TRUE(filed);
  EXPECT_EQ(filed->text, "Works at Amazon.");
  EXPECT_EQ(filed->corrects, id);
  EXPECT_FALSE(filed->pending);
  RunRecord again = start();
  EXPECT_EQ(file_edited_entries(*memory, identity_of(again), again).value(), 0u);
}

TEST_F(FileEditedEntries, AnEntryThatAnOldBufferBringsBackWithOtherWordsRestsOnNothingThatAnUndoTookFromIt) {
  const std::string fact = say("Works at Google.");
  const std::string run = run_builtin();
  std::string buffer = read(file);
  ASSERT_TRUE(undo_run(*memory, run));
  buffer.replace(buffer.find("Google"), 6, "Amazon");
  write(file, buffer);
  ASSERT_TRUE(memory->bring_up_to_date());
  RunRecord record = start();
  EXPECT_EQ(file_edited_entries(*memory, identity_of(record), record).value(), 1u);
  finish(record);
  const Entry theirs = entry_with("Works at Amazon.");
  EXPECT_EQ(theirs.from.size(), 1u);
  run_builtin();
  ASSERT_TRUE(forget(*memory, {theirs.id}, {}));
  EXPECT_EQ(durable_texts(), Texts{"Works at Google."});
  EXPECT_TRUE(find_entry(*memory, fact)->active);
}

TEST_F(FileEditedEntries, WordsThatWereFiledWhileTheirEntryWasMissingAreNotFiledAgainWhenItIsBack) {
  say("Works at Google.");
  run_builtin();
  ASSERT_TRUE(understand(*memory));
  const std::string id = entry_with("Works at Google.").id;
  std::string bytes = read(file);
  bytes.replace(bytes.find("Google"), 6, "Amazon");
  write(file, bytes);
  ASSERT_TRUE(understand(*memory));
  write(file, "# Empty\n");
  ASSERT_TRUE(understand(*memory));
  write(file, bytes);
  ASSERT_TRUE(understand(*memory));
  ASSERT_TRUE(memory->bring_up_to_date());
  RunRecord record = start();
  EXPECT_EQ(file_edited_entries(*memory, identity_of(record), record).value(), 1u);
  finish(record);
  EXPECT_EQ(entry_with("Works at Amazon.").id, id);
  EXPECT_EQ(entry_with("Works at Amazon.").from.size(), 2u);
  EXPECT_EQ(std::ranges::count(texts(*memory), "Works at Amazon."), 2);  // the entry and its one fact
}

TEST_F(FileEditedEntries, WordsThatARunFiledBeforeItWasCutOffAreOvertakenByThoseThatStandNow) {
  say("Works at Google.");
  run_builtin();
  const std::string id = entry_with("Works at Google.").id;
  const std::string filed = say("Works at Amazon.", Source::user, id);  // as a run leaves it that is killed here
  std::string bytes = read(file);
  bytes.replace(bytes.find("Google"), 6, "Siemens");
  write(file, bytes);
  ASSERT_TRUE(memory->bring_up_to_date());
  RunRecord record = start();
  EXPECT_EQ(file_edited_entries(*memory, identity_of(record), record).value(), 1u);
  finish(record);
  EXPECT_EQ(entry_with("Works at Siemens.").id, id);
  EXPECT_FALSE(find_entry(*memory, filed)->pending);
  EXPECT_TRUE(material().facts.empty());
}

TEST_F(FileEditedEntries, WordsThatARunFiledBeforeItWasCutOffGoWithTheirEntry) {
  say("Works at Google.");
  run_builtin();
  const std::string id = entry_with("Works at Google.").id;
  const std::string filed = say("Works at Amazon.", Source::user, id);
  ASSERT_TRUE(forget(*memory, {id}, {}));
  EXPECT_FALSE(find_entry(*memory, filed, true)->active);
}

TEST_F(FileEditedEntries, AndTheyStayOvertakenWhenTheirEntryIsForgottenAndRestored) {
  say("Works at Google.");
  run_builtin();
  const std::string id = entry_with("Works at Google.").id;
  const std::string filed = say("Works at Amazon.", Source::user, id);
  std::string bytes = read(file);
  write(file, bytes.replace(bytes.find("Google"), 6, "Siemens"));
  ASSERT_TRUE(memory->bring_up_to_date());
  ASSERT_TRUE(forget(*memory, {id}, {}));
  ASSERT_FALSE(find_entry(*memory, filed, true)->active);
  ASSERT_TRUE(restore(*memory, id));
  RunRecord record = start();
  EXPECT_EQ(file_edited_entries(*memory, identity_of(record), record).value(), 1u);
  finish(record);
  EXPECT_FALSE(find_entry(*memory, filed)->pending);
  run_builtin();
  EXPECT_EQ(durable_texts(), Texts{"Works at Siemens."});
}

// A person gave an entry other words, a run was killed when it had filed them, and the person took them back.
class FiledAndTakenBackTest : public ConsolidateTest {
 protected:
  void SetUp() override {
    ConsolidateTest::SetUp();
    said = say("Works at Google.");
    run_builtin();
    say("Works at Amazon.", Source::user, entry_with("Works at Google.").id);
  }
  std::string said;
};

TEST_F(FiledAndTakenBackTest, TheyAreNotSaidAgainOnceTheFactIsCorrected) {
  ASSERT_TRUE(correct(*memory, said, "Works at Siemens."));
  EXPECT_TRUE(material().facts.empty());
  run_builtin();
  EXPECT_EQ(durable_texts(), Texts{"Works at Siemens."});
}

TEST_F(FiledAndTakenBackTest, TheyAreNotSaidAgainOnceTheFactIsForgotten) {
  ASSERT_TRUE(forget(*memory, {said}, {}));
  run_builtin();
  EXPECT_EQ(durable_texts(), Texts{});
}

TEST_F(FileEditedEntries, WordsThatWereFiledAndTakenBackAreNotSaidAgainOnceTheirEntryIsTakenApart) {
  say("Works at Google.");
  const std::string other = say("Lives in Oslo.");
  run([&](const Material& all) {
    return std::vector{to_add(all, {"Works at Google.", "Lives in Oslo."}, "Works at Google and lives in Oslo.")};
  });
  say("Works at Amazon and lives in Oslo.", Source::user, entry_with("Works at Google and lives in Oslo.").id);
  ASSERT_TRUE(forget(*memory, {other}, {}));
  run_builtin();
  EXPECT_EQ(durable_texts(), Texts{"Works at Google."});
}

TEST_F(FileEditedEntries, WhatAPersonsWordsOverruledDoesNotComeBackWhenTheyAreForgotten) {
  say("Works at Google.");
  run_builtin();
  std::string bytes = read(file);
  bytes.replace(bytes.find("Google"), 6, "Amazon");
  write(file, bytes);
  ASSERT_TRUE(memory->bring_up_to_date());
  RunRecord record = start();
  ASSERT_TRUE(file_edited_entries(*memory, identity_of(record), record));
  finish(record);
  ASSERT_TRUE(forget(*memory, {entry_with("Works at Amazon.").from.back()}, {}));
  EXPECT_TRUE(material().facts.empty());
  EXPECT_EQ(durable_texts(), Texts{});
}

TEST_F(FileEditedEntries, NorWhenTheyAreRestoredAndCorrected) {
  say("Works at Google.");
  run_builtin();
  std::string bytes = read(file);
  write(file, bytes.replace(bytes.find("Google"), 6, "Amazon"));
  ASSERT_TRUE(memory->bring_up_to_date());
  RunRecord record = start();
  ASSERT_TRUE(file_edited_entries(*memory, identity_of(record), record));
  finish(record);
  ASSERT_TRUE(correct(*memory, entry_with("Works at Amazon.").from.back(), "Works at Acme."));  // the words that were filed
  const std::string id = entry_with("Works at Acme.").id;
  ASSERT_TRUE(forget(*memory, {id}, {}));
  ASSERT_TRUE(restore(*memory, id));
  ASSERT_EQ(settle_unfinished(*memory).value(), 0u);
  ASSERT_TRUE(correct(*memory, id, "Works at Initech."));
  EXPECT_EQ(settle_unfinished(*memory).value(), 0u);
  EXPECT_EQ(pending_texts(), Texts{});
  EXPECT_EQ(durable_texts(), Texts{"Works at Initech."});
}

// The words that they had overruled are said elsewhere, too, and stand again without them.
TEST_F(FileEditedEntries, WordsThatWereFiledAndForgottenAreFoldedAnewOnceTheyAreRestored) {
  std::string filed;
  ASSERT_NO_FATAL_FAILURE(file_and_forget(filed));
  ASSERT_TRUE(restore(*memory, filed));
  RunRecord next = start();
  EXPECT_EQ(file_edited_entries(*memory, identity_of(next), next).value(), 0u);
  finish(next);
  EXPECT_EQ(pending_texts(), Texts{"Works at Amazon."});
  run_builtin();
  const Texts texts = durable_texts();
  EXPECT_NE(std::ranges::find(texts, "Works at Amazon."), texts.end());
}

TEST_F(FileEditedEntries, AndBesideOtherWordsThatTheEntryHasBeenGivenSince) {
  std::string filed;
  ASSERT_NO_FATAL_FAILURE(file_and_forget(filed));
  std::string bytes = read(file);
  write(file, bytes.replace(bytes.find("Google"), 6, "Acme"));
  ASSERT_TRUE(memory->bring_up_to_date());
  ASSERT_TRUE(restore(*memory, filed));
  RunRecord next = start();
  EXPECT_EQ(file_edited_entries(*memory, identity_of(next), next).value(), 1u);
  finish(next);
  EXPECT_EQ(pending_texts(), Texts{"Works at Amazon."});
  run_builtin();
  EXPECT_EQ(durable_texts(), (Texts{"Works at Acme.", "Works at Amazon."}));
}

TEST_F(FileEditedEntries, ACopyOfAnEntryInAnotherFileGoesWithIt) {
  say("Works at Google.");
  run_builtin();
  write("consolidated/copies.md", "# Copies\n\n" + read(file).substr(read(file).find("<!--m")));
  ASSERT_TRUE(forget(*memory, {entry_with("Works at Google.").id}, {}));
  EXPECT_EQ((read(file) + read("consolidated/copies.md")).find("Google"), std::string::npos);
}

TEST_F(FileEditedEntries, WhileAPersonIsAskedAboutAFileItsEditsAreNotFiled) {
  const auto look = [&] {
    ASSERT_TRUE(memory->bring_up_to_date());
    ASSERT_TRUE(understand(*memory, {file}));
  };
  for (const char* what : {"one", "two", "three", "four", "five"}) say(std::string("Likes ") + what + ".");
  run_builtin();
  look();
  std::string bytes = read(file);
  for (size_t at = bytes.find("Likes "); at != std::string::npos; at = bytes.find("Likes ", at)) bytes.replace(at, 5, "Loves");
  write(file, bytes);
  look();
  ASSERT_EQ(waiting_questions(memory->vault()).value().size(), 1u);
  RunRecord record = start();
  EXPECT_EQ(file_edited_entries(*memory, identity_of(record), record).value(), 0u);
  EXPECT_FALSE(material().entries.at(0).writable);
  EXPECT_EQ(read(file), bytes);
}

}  // namespace
}  // namespace loci
