#include "edits/resolve.h"

#include "edits/take_back.h"
#include "memory/correct.h"
#include "memory/forget.h"
#include "memory/restore.h"
#include "tests/edits/edits_fixture.h"

namespace loci {
namespace {

using Ids = std::vector<std::string>;

constexpr const char* core = "MEMORY.md";

const ChooseSide nobody = [](const Disagreement&) { return std::nullopt; };

class ResolveTest : public EditsTest {
 protected:
  static std::string core_of(const std::string& lines, const std::string& mine = "Mine.") {
    return mine + "\n\n<!-- loci:core begin -->\n" + lines + "<!-- loci:core end -->\n";
  }
  static std::string line_of(int number, const std::string& text) {
    return "<!--m {\"ref\":\"e" + std::to_string(number) + "\"}-->\n- " + text + "\n";
  }
  static std::string lines(int first, int last) {
    std::string bytes;
    for (int i = first; i <= last; ++i) bytes += line_of(i, "fact number " + std::to_string(i));
    return bytes;
  }
};

TEST_F(ResolveTest, NothingIsAskedAboutAnUnchangedVault) {
  save(file, numbered(9));
  EXPECT_TRUE(open_questions(*memory).value().empty());
  EXPECT_EQ(keep_edits(*memory, file).error().code, ErrorCode::not_found);
  EXPECT_EQ(restore_entries(*memory, file).error().code, ErrorCode::not_found);
  EXPECT_EQ(merge_conflicts(*memory, file, {nobody}).error().code, ErrorCode::not_found);
}

TEST_F(ResolveTest, AQuestionTellsWhatItIsAbout) {
  save(file, numbered(9));
  std::string bytes = numbered(9, {1, 2, 3, 4});
  bytes.replace(bytes.find("fact number 5"), 13, "my own words");
  save(file, bytes + "a new one\n");
  const auto open = open_questions(*memory);
  ASSERT_TRUE(open);
  ASSERT_EQ(open->size(), 1u);
  const OpenQuestion& question = open->front();
  EXPECT_EQ(question.question.file, file);
  EXPECT_EQ(question.question.removed, 4u);
  EXPECT_EQ(question.question.changed, 1u);
  ASSERT_EQ(question.changes.size(), 6u);
  EXPECT_EQ(question.changes[0].before, "fact number 1");
  EXPECT_EQ(question.changes[0].after, "");
  EXPECT_EQ(question.changes[4].after, "my own words");
  EXPECT_EQ(question.changes[5].after, "a new one");
}

TEST_F(ResolveTest, WhatIsKeptIsDeletedAtOnceAndTheRestIsThePersons) {
  save(file, numbered(9));
  std::string bytes = numbered(9, {1, 2, 3, 4});
  bytes.replace(bytes.find("fact number 5"), 13, "my own words");
  save(file, bytes);
  const auto kept = keep_edits(*memory, file);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->deleted, (Ids{"e1", "e2", "e3", "e4"}));
  EXPECT_EQ(read(file), bytes);
  EXPECT_EQ(find_entry(*memory, "e5")->source, Source::user);
  EXPECT_TRUE(settle().waiting.empty());
  EXPECT_TRUE(open_questions(*memory).value().empty());
  ASSERT_TRUE(restore(*memory, "e2"));
  EXPECT_TRUE(find_entry(*memory, "e2"));
}

TEST_F(ResolveTest, WhatMovedIsNotAskedAbout) {
  save(file, numbered(9));
  write("consolidated/other.md", numbered(3));
  EXPECT_TRUE(save(file, numbered(9, {1, 2, 3, 4})).waiting.empty());
  EXPECT_EQ(settle().deleted, Ids{"e4"});
  EXPECT_EQ(texts(*memory).size(), 8u);
}

TEST_F(ResolveTest, WhatMovesWhileAQuestionWaitsIsNotDeletedByKeeping) {
  save(file, numbered(9));
  EXPECT_EQ(save(file, numbered(9, {1, 2, 3, 4})).waiting.size(), 1u);
  write("consolidated/other.md", numbered(3));
  const auto kept = keep_edits(*memory, file);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->deleted, Ids{"e4"});
  EXPECT_EQ(texts(*memory).size(), 8u);
}

TEST_F(ResolveTest, RestoringPutsTheEntriesBackAndKeepsWhatWasAdded) {
  save(file, "# Facts\n\n" + numbered(9));
  std::string bytes = "# Facts\n\n" + numbered(9, {1, 2, 3, 4});
  bytes.replace(bytes.find("fact number 5"), 13, "reformatted!!");
  save(file, bytes + "a new one\n");
  const auto restored = restore_entries(*memory, file);
  ASSERT_TRUE(restored);
  EXPECT_EQ(read(file), "# Facts\n\n" + numbered(9) + "a new one\n\n");
  EXPECT_TRUE(settle().waiting.empty());
  EXPECT_EQ(tombstones().size(), 0u);
  EXPECT_EQ(find_entry(*memory, "e5")->source, Source::agent);
}

TEST_F(ResolveTest, WhatMovedWhileAQuestionWaitsIsNotRestored) {
  save(file, numbered(9));
  EXPECT_EQ(save(file, numbered(9, {1, 2, 3, 4})).waiting.size(), 1u);
  write("consolidated/other.md", numbered(3));
  ASSERT_TRUE(restore_entries(*memory, file));
  EXPECT_EQ(read(file).find("fact number 3"), std::string::npos);
  EXPECT_NE(read(file).find("fact number 4"), std::string::npos);
}

TEST_F(ResolveTest, WhatWasForgottenMeanwhileIsNotRestored) {
  save(file, numbered(9));
  save(file, numbered(9, {1, 2, 3, 4}));
  ASSERT_TRUE(append_tombstones(memory->vault(), {{clock.now(), "e2", {}, Tombstone::Reason::deleted, "user", {}}}));
  ASSERT_TRUE(restore_entries(*memory, file));
  EXPECT_EQ(read(file).find("fact number 2"), std::string::npos);
  EXPECT_NE(read(file).find("fact number 3"), std::string::npos);
}

TEST_F(ResolveTest, WhatWasForgottenOrCorrectedInTheUserFileMeanwhileIsNotRestored) {
  save("user.md", numbered(9));
  EXPECT_EQ(save("user.md", numbered(9, {1, 2, 3, 4, 5})).waiting.size(), 1u);
  ASSERT_TRUE(forget(*memory, {"e9"}, {}));
  ASSERT_TRUE(correct(*memory, "e8", "somebody else's number 8"));
  ASSERT_TRUE(restore_entries(*memory, "user.md"));
  const std::string restored = read("user.md");
  EXPECT_EQ(restored.find("fact number 9"), std::string::npos) << restored;
  EXPECT_EQ(restored.find("fact number 8"), std::string::npos) << restored;
  EXPECT_NE(restored.find("fact number 1"), std::string::npos) << restored;
}

TEST_F(ResolveTest, ALineOfTheCoreThatWasForgottenMeanwhileIsNotRestored) {
  save(file, numbered(9));
  save(core, core_of(lines(1, 9)));
  save(core, core_of(lines(5, 9)));
  ASSERT_TRUE(forget(*memory, {"e9"}, {}));
  EXPECT_EQ(read(core).find("fact number 9"), std::string::npos);
  ASSERT_TRUE(restore_entries(*memory, core));
  EXPECT_EQ(read(core).find("fact number 9"), std::string::npos) << read(core);
  EXPECT_NE(read(core).find("fact number 1"), std::string::npos) << read(core);
}

TEST_F(ResolveTest, WhatACommandEditedMeanwhileStaysAsItSaysNow) {
  for (const char* each : {file, "user.md"}) {
    const std::string prefix = std::string(each) == file ? "e" : "u";
    std::string all, left;
    for (int i = 1; i <= 9; ++i) {
      const std::string entry = entry_of(prefix + std::to_string(i), prefix + " says number " + std::to_string(i));
      all += entry;
      if (i > 5) left += entry;
    }
    save(each, all);
    EXPECT_EQ(save(each, left).waiting.size(), 1u) << each;
    ASSERT_TRUE(edit(*memory, prefix + "7", {.text = "edited at last", .tags = {}})) << each;
    ASSERT_TRUE(restore_entries(*memory, each)) << each;
    const std::string restored = read(each);
    EXPECT_EQ(restored.find(prefix + " says number 7"), std::string::npos) << restored;
    EXPECT_NE(restored.find("edited at last"), std::string::npos) << restored;
    EXPECT_NE(restored.find(prefix + " says number 5"), std::string::npos) << restored;
  }
}

TEST_F(ResolveTest, WhatLociWroteMeanwhileIsPutBackWhereTheOldBufferIsSavedAgain) {
  const std::string buffer = numbered(9, {1, 2, 3, 4, 5});
  save(file, numbered(9));
  EXPECT_EQ(save(file, buffer).waiting.size(), 1u);
  ASSERT_TRUE(edit(*memory, "e7", {.text = "edited at last", .tags = {}}));
  EXPECT_EQ(save(file, buffer + "typed\n").waiting.size(), 1u);
  EXPECT_NE(read(file).find("edited at last"), std::string::npos) << read(file);
  ASSERT_TRUE(restore_entries(*memory, file));
  for (const char* text : {"edited at last", "typed", "fact number 1\n"})
    EXPECT_NE(read(file).find(text), std::string::npos) << text << " in " << read(file);
}

TEST_F(ResolveTest, ABufferFromBeforeTheQuestionIsLeftToTheAnswer) {
  save(file, numbered(3));
  loci_writes(file, numbered(9));
  look({file});
  const std::string asked_about = numbered(9) + entry_of("mine", "a person's");
  save(file, asked_about);
  EXPECT_EQ(save(file, asked_about.substr(asked_about.find("<!--m {\"id\":\"e6\""))).waiting.size(), 1u);
  ASSERT_TRUE(edit(*memory, "e7", {.text = "edited at last", .tags = {}}));
  EXPECT_EQ(save(file, numbered(3) + "typed\n").waiting.size(), 1u);
  EXPECT_EQ(read(file), numbered(3) + "typed\n");
  ASSERT_TRUE(restore_entries(*memory, file));
  EXPECT_NE(read(file).find("fact number 4"), std::string::npos) << read(file);
}

TEST_F(ResolveTest, AnAnswerThatWasTakenBackLeavesWhatWasWrittenMeanwhileKnown) {
  save(file, numbered(9));
  save(file, numbered(9, {1, 2, 3, 4, 5}));
  pass(std::chrono::milliseconds(10));
  ASSERT_TRUE(edit(*memory, "e7", {.text = "edited at last", .tags = {}}));
  pass(std::chrono::milliseconds(10));
  const auto answered = restore_entries(*memory, file);
  ASSERT_TRUE(answered);
  pass(std::chrono::milliseconds(10));
  ASSERT_TRUE(take_back(*memory, answered->act));
  ASSERT_TRUE(restore_entries(*memory, file));
  EXPECT_NE(read(file).find("edited at last"), std::string::npos) << read(file);
  EXPECT_EQ(read(file).find("fact number 7"), std::string::npos) << read(file);
  EXPECT_NE(read(file).find("fact number 1\n"), std::string::npos) << read(file);
}

TEST_F(ResolveTest, WhatAPersonTypedIntoALineOfTheCoreStaysWhenItsEntryIsForgottenMeanwhile) {
  save(file, numbered(9));
  PromotedLines promoted{1, "run", clock.now(), {}, {}};
  for (int i = 1; i <= 9; ++i)
    promoted.lines.emplace_back("e" + std::to_string(i), hash_of_text("fact number " + std::to_string(i)));
  ASSERT_TRUE(append_promotion(memory->vault(), promoted));
  save(core, core_of(lines(1, 9)));
  std::string reworded = core_of(lines(6, 9));
  for (int i = 1; i <= 5; ++i) reworded.insert(reworded.find("<!--m "), line_of(i, "my words " + std::to_string(i)));
  EXPECT_EQ(save(core, reworded).waiting.size(), 1u);
  ASSERT_TRUE(forget(*memory, {"e2"}, {}));
  EXPECT_NE(read(core).find("- my words 2\n"), std::string::npos) << read(core);
  EXPECT_EQ(read(core).find("\"e2\""), std::string::npos) << "it shows nothing any more";
  ASSERT_TRUE(keep_edits(*memory, core));
  EXPECT_NE(read(core).find("- my words 2\n"), std::string::npos) << read(core);
}

TEST_F(ResolveTest, WhatIsSaidAgainMeanwhileIsNotSaidTwice) {
  save(file, numbered(9));
  save(file, numbered(9, {1, 2, 3, 4, 5}));
  save(file, numbered(9, {1, 2, 3, 4, 5}) + entry_of("other", "fact number 2"));
  ASSERT_TRUE(restore_entries(*memory, file));
  const std::string restored = read(file);
  EXPECT_EQ(restored.find("fact number 2"), restored.rfind("fact number 2")) << restored;
}

TEST_F(ResolveTest, AFileThatIsGoneCanBeRestored) {
  save(file, numbered(2));
  std::filesystem::remove(folder / "vault" / file);
  EXPECT_EQ(look({file}).waiting.size(), 1u);
  ASSERT_TRUE(restore_entries(*memory, file));
  EXPECT_EQ(read(file), numbered(2));
  EXPECT_TRUE(settle().waiting.empty());
}

TEST_F(ResolveTest, AFileThatIsGoneForGoodDeletesItsEntries) {
  save(file, numbered(2));
  std::filesystem::remove(folder / "vault" / file);
  look({file});
  EXPECT_EQ(keep_edits(*memory, file)->deleted, (Ids{"e1", "e2"}));
  const Understood observed = settle();
  EXPECT_TRUE(observed.waiting.empty());
  EXPECT_EQ(observed.deleted, Ids{});
}

TEST_F(ResolveTest, LinesOfTheCoreAreDemotedAndCorrectedWhenKept) {
  save(file, numbered(9));
  save(core, core_of(lines(1, 9)));
  save(core, core_of(lines(1, 4) + line_of(5, "Otherwise.") + line_of(6, "Otherwise too.")));
  const auto kept = keep_edits(*memory, core);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->demoted, (Ids{"e7", "e8", "e9"}));
  EXPECT_EQ(kept->corrected, (Ids{"e5", "e6"}));
  EXPECT_FALSE(find_entry(*memory, "e5"));
  EXPECT_NE(read(core).find("- Otherwise.\n"), std::string::npos);
  EXPECT_NE(read(core).find("- Otherwise too.\n"), std::string::npos);
  EXPECT_TRUE(look({core}).waiting.empty());
  const Understood observed = settle();
  EXPECT_EQ(observed.corrected, Ids{});
  EXPECT_EQ(observed.demoted, Ids{});
}

TEST_F(ResolveTest, RestoringTheCoreLeavesThePersonsPartAlone) {
  save(file, numbered(9));
  save(core, core_of(lines(1, 9)));
  save(core, core_of(lines(1, 4) + "- My line.\n", "New words of mine."));
  ASSERT_TRUE(restore_entries(*memory, core));
  const std::string bytes = read(core);
  EXPECT_TRUE(bytes.starts_with("New words of mine.\n")) << bytes;
  EXPECT_NE(bytes.find("- My line.\n"), std::string::npos);
  EXPECT_NE(bytes.find("- fact number 9\n"), std::string::npos);
  EXPECT_EQ(bytes.find("Mine."), std::string::npos);
  EXPECT_TRUE(settle().waiting.empty());
}

TEST_F(ResolveTest, AConflictIsMergedEntryByEntry) {
  const std::string common = entry_of("a", "one");
  write("consolidated/memory.md",
        common + "<<<<<<< HEAD\n" + entry_of("b", "two") + "=======\n" + entry_of("c", "three") + ">>>>>>> branch\n");
  const auto open = open_questions(*memory);
  ASSERT_TRUE(open);
  ASSERT_EQ(open->size(), 1u);
  EXPECT_EQ(open->front().question.kind, Question::Kind::conflict);
  write(".git/HEAD", "x");
  write(".git/MERGE_HEAD", "x");  // it is resolved while the merge waits for it
  const auto resolved = merge_conflicts(*memory, file, {nobody});
  ASSERT_TRUE(resolved) << resolved.error().message;
  EXPECT_TRUE(resolved->rewritten);
  EXPECT_EQ(texts(*memory), (Texts{"one", "three", "two"}));
  EXPECT_EQ(read(file).find("<<<<"), std::string::npos);
  EXPECT_TRUE(open_questions(*memory).value().empty());
}

TEST_F(ResolveTest, AFileWithTwoConflictsIsAskedAboutOnce) {
  const std::string conflict = "<<<<<<< HEAD\nred\n=======\nblue\n>>>>>>> branch\n";
  write("notes/plan.md", conflict + "\nmid\n\n" + conflict);
  write("notes/other.md", conflict);
  const auto open = open_questions(*memory);
  ASSERT_TRUE(open);
  EXPECT_EQ(open->size(), 2u);
}

TEST_F(ResolveTest, WordsInConflictStandBesideThoseInTheirPlaceAndEntriesBesideThemselves) {
  const auto shown = [&](const char* name, const std::string& bytes) {
    write(name, bytes);
    std::vector<std::string> rows;
    const auto open = open_questions(*memory).value();
    for (const OpenQuestion& one : open)
      if (one.question.file == name)
        for (const EntryChange& change : one.changes) rows.push_back(change.id + ": " + change.before + " | " + change.after);
    return rows;
  };
  const auto conflict = [](const std::string& ours, const std::string& theirs) {
    return "<<<<<<< HEAD\n" + ours + "=======\n" + theirs + ">>>>>>> branch\n";
  };
  using Rows = std::vector<std::string>;
  EXPECT_EQ(shown("user.md", "# User\n\n" + conflict("Sails.\n", "Rows.\n") + "\nReads.\n\n" + conflict("", "Sings.\n")),
            (Rows{": Sails. | Rows.", ":  | Sings."}));
  EXPECT_EQ(shown("consolidated/memory.md", conflict(entry_of("a", "red") + "Mine.\n", entry_of("a", "blue") + "Yours.\n")),
            (Rows{": Mine. | Yours.", "a: red | blue"}));
  const std::string promoted = "My own.\n\n<!-- loci:core begin -->\n<!--m {\"ref\":\"a\"}-->\n";
  EXPECT_EQ(shown("MEMORY.md", promoted + conflict("- red\n", "- blue\n") + "<!-- loci:core end -->\n"),
            (Rows{"a: - red | - blue"}));
}

TEST_F(ResolveTest, AnEntryThatOneSideDeletedAndTheOtherRewordedCountsOnceThatSideIsChosen) {
  write(file, entry_of("a", "one"));
  ASSERT_TRUE(memory->bring_up_to_date());
  ASSERT_TRUE(forget(*memory, {"a"}, {}));
  const std::string reworded = "<!--m {\"id\":\"a\"}-->\nuno\n\n";
  const std::string conflict = entry_of("b", "two") + "<<<<<<< HEAD\n=======\n" + reworded + ">>>>>>> branch\n";
  write(file, conflict);
  ASSERT_TRUE(merge_conflicts(*memory, file, {[](const Disagreement&) { return Side::theirs; }}));
  EXPECT_EQ(texts(*memory), (Texts{"two", "uno"}));
  EXPECT_TRUE(after_forget(*memory).value().empty());  // nobody is asked about it once more
}

TEST_F(ResolveTest, WhatOneSideForgotGoesThoughTheOtherOneIsChosenThatHasNotHeardOfIt) {
  for (const Side side : {Side::ours, Side::theirs, Side::both}) {
    const std::string id = "a" + std::to_string(static_cast<int>(side)), text = "said by " + id;
    write(file, entry_of(id, text));
    ASSERT_TRUE(memory->bring_up_to_date());
    ASSERT_TRUE(forget(*memory, {id}, {}));
    write(file,
          "<<<<<<< HEAD\n" + entry_of("b", "blue") + entry_of(id, text) + "=======\n" + entry_of("b", "red") + ">>>>>>> branch\n");
    ASSERT_TRUE(merge_conflicts(*memory, file, {[&](const Disagreement& one) {
      EXPECT_NE(one.id, id);  // nobody is asked about it
      return side;
    }}));
    EXPECT_FALSE(read(file).contains(text)) << read(file);
    EXPECT_EQ(std::ranges::count(texts(*memory), text), 0);
  }
}

TEST_F(ResolveTest, AConflictAboutOneEntryWritesNothingUntilSomebodyChooses) {
  const std::string bytes = "<!--m {\"id\":\"a\"}-->\n<<<<<<< HEAD\nred\n=======\nblue\n>>>>>>> branch\n";
  write("archive/2026-11-21.md", bytes);
  const auto open = merge_conflicts(*memory, "archive/2026-11-21.md", {nobody});
  ASSERT_TRUE(open);
  EXPECT_FALSE(open->rewritten);
  ASSERT_EQ(open->undecided.size(), 1u);
  EXPECT_EQ(read("archive/2026-11-21.md"), bytes);
  ASSERT_TRUE(merge_conflicts(*memory, "archive/2026-11-21.md", {[](const Disagreement&) { return Side::theirs; }}));
  EXPECT_EQ(texts(*memory), Texts{"blue"});
}

TEST_F(ResolveTest, WhatAnswersAConflictIsSaidToWhoeverGivesAnotherAnswer) {
  for (const char* name : {file, "notes/plan.md"}) {
    write(name, "<<<<<<< HEAD\nred\n=======\nblue\n>>>>>>> branch\n");
    for (const auto& answered : {keep_edits(*memory, name), restore_entries(*memory, name)}) {
      EXPECT_EQ(answered.error().code, ErrorCode::refused);
      EXPECT_THAT(answered.error().message, testing::HasSubstr("conflict markers stand in '" + std::string(name)));
      EXPECT_EQ(answered.error().hint, "--ours, --theirs, --both or --text");
    }
  }
}

}  // namespace
}  // namespace loci
