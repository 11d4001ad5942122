#include "consolidate/runs/store.h"
#include "consolidate/runs/undo.h"
#include "edits/decisions.h"
#include "edits/understand.h"
#include "memory/correct.h"
#include "memory/forget.h"
#include "tests/consolidate/consolidate_fixture.h"

namespace loci {
namespace {

class RebuildTest : public ConsolidateTest {
 protected:
  void rebuild() {
    ASSERT_TRUE(memory->bring_up_to_date());
    RunRecord record = start();
    record.kind = "rebuild";
    ASSERT_TRUE(settle_unfinished(*memory));
    ASSERT_TRUE(file_edited_entries(*memory, identity_of(record), record));
    const auto all = read_rebuild_material(*memory);
    ASSERT_TRUE(all) << all.error().message;
    record.generation = all->next_generation;
    Plan plan = make_plan(Decision{add_all(all->material)}, all->material, everything(all->material), identity_of(record));
    settle_overruled(plan, all->material, all->overruled, identity_of(record));
    record.clusters.emplace_back();
    const auto done = apply_rebuild(*memory, plan, record);
    ASSERT_TRUE(done) << done.error().message;
    finish(record);
  }

  // A person makes Amazon of Google, a run files that, and the filed fact is corrected to Siemens.
  void correct_what_was_reworded() {
    say("Works at Google.");
    run_builtin();
    std::string bytes = read(file);
    write(file, bytes.replace(bytes.find("Google"), 6, "Amazon"));
    ASSERT_TRUE(memory->bring_up_to_date());
    RunRecord record = start();
    ASSERT_EQ(file_edited_entries(*memory, identity_of(record), record).value(), 1u);
    finish(record);
    ASSERT_TRUE(correct(*memory, entry_with("Works at Amazon.").from.back(), "Works at Siemens."));
  }
};

TEST_F(RebuildTest, GivesTheSameFactsAndKeepsWhatRestsOnNone) {
  write(file, "Mine.\n\n" + written("x-1", "Written by hand."));
  say("Likes tea.");
  say("Lives in Oslo.");
  say("Likes tea.");
  run_builtin();
  const Texts before = durable_texts();
  rebuild();
  EXPECT_EQ(durable_texts(), before);
  EXPECT_EQ(counts().pending, 0);
  EXPECT_EQ(ledger().back().generation, 2);
  EXPECT_TRUE(read(file).starts_with("Mine.\n\n" + written("x-1", "Written by hand.")));
}

TEST_F(RebuildTest, MakesWhatAModelMergedAnew) {
  say("Likes tea.");
  say("Likes coffee.");
  run([&](const Material& all) { return std::vector{to_add(all, {"Likes tea.", "Likes coffee."}, "Likes tea and coffee.")}; });
  rebuild();
  EXPECT_EQ(durable_texts(), (Texts{"Likes coffee.", "Likes tea."}));
}

TEST_F(RebuildTest, DoesNotBringBackWhatAPersonEdited) {
  const std::string old = say("Works at Google.");
  run_builtin();
  std::string bytes = read(file);
  bytes.replace(bytes.find("Google"), 6, "Amazon");
  write(file, bytes);
  rebuild();
  EXPECT_EQ(durable_texts(), Texts{"Works at Amazon."});
  EXPECT_EQ(counts().pending, 0);
  const auto from = entry_with("Works at Amazon.").from;
  EXPECT_NE(std::ranges::find(from, old), from.end());
  rebuild();
  EXPECT_EQ(durable_texts(), Texts{"Works at Amazon."});
}

// As one of a line in the core that says less than its entry.
TEST_F(RebuildTest, ACorrectionThatStandsAgainstAnEntryOverrulesNothingOfIt) {
  say("Works at Google, and lives in Oslo.");
  run_builtin();
  NewEntry correction;
  correction.metadata.source = Source::correction;
  correction.metadata.kind = EntryKind::fact;
  correction.metadata.corrects = entry_with("Works at Google, and lives in Oslo.").id;
  correction.text = "Works at Amazon.";
  ASSERT_TRUE(append_entries(memory->vault(), {correction}));
  ASSERT_TRUE(memory->bring_up_to_date());
  const Texts both{"Works at Amazon.", "Works at Google, and lives in Oslo."};
  rebuild();
  EXPECT_EQ(durable_texts(), both);
  ASSERT_TRUE(correct(*memory, entry_with("Works at Amazon.").id, "Works at Siemens."));
  rebuild();
  EXPECT_EQ(durable_texts(), (Texts{"Works at Google, and lives in Oslo.", "Works at Siemens."}));
}

TEST_F(RebuildTest, WhatWasOverruledByHandIsNotCorrectedWithWhatOverruledIt) {
  say("Works at Google.");
  run_builtin();
  std::string bytes = read(file);
  write(file, bytes.replace(bytes.find("Google"), 6, "Amazon"));
  write("notes/mine.md", "Works at Google.\n");
  rebuild();
  ASSERT_TRUE(correct(*memory, entry_with("Works at Amazon.").id, "Works at Apple."));
  rebuild();
  EXPECT_EQ(durable_texts(), Texts{"Works at Apple."});
  const auto notes = memory->reader().value()->list({}, 100).value();
  EXPECT_EQ(std::ranges::count(notes, "Works at Google.", &Entry::text), 1) << "a note of the person's own says it still";
  EXPECT_EQ(std::ranges::count(notes, "Works at Amazon.", &Entry::text), 0);
}

TEST_F(RebuildTest, WhatWasOverruledByHandStaysSoHoweverOftenThatIsCorrected) {
  correct_what_was_reworded();
  ASSERT_TRUE(correct(*memory, entry_with("Works at Siemens.").id, "Works at Apple."));
  rebuild();
  EXPECT_EQ(durable_texts(), Texts{"Works at Apple."});
  EXPECT_EQ(counts().pending, 0);
}

TEST_F(RebuildTest, WhatWasOverruledByHandStaysSoWhenTheCorrectionIsCorrectedAfterIt) {
  correct_what_was_reworded();
  rebuild();
  ASSERT_TRUE(correct(*memory, entry_with("Works at Siemens.").from.front(), "Works at Apple."));
  run_builtin();
  EXPECT_EQ(durable_texts(), Texts{"Works at Apple."});
  EXPECT_EQ(counts().pending, 0);
}

TEST_F(RebuildTest, WhatWasOverruledByHandDoesNotComeBackWhenTheLastOfManyWordingsIsForgotten) {
  correct_what_was_reworded();
  std::string bytes = read(file);
  write(file, bytes.replace(bytes.find("Siemens"), 7, "Apple"));
  rebuild();
  const Entry apple = entry_with("Works at Apple.");
  std::vector<std::string> filed;
  for (const std::string& fact : apple.from)
    if (find_entry(*memory, fact, true)->text == apple.text) filed.push_back(fact);
  ASSERT_EQ(filed.size(), 1u);
  ASSERT_TRUE(forget(*memory, filed, {}));
  run_builtin();
  EXPECT_EQ(durable_texts(), Texts{});
  EXPECT_EQ(counts().pending, 0);
}

TEST_F(RebuildTest, DoesNotBringBackWordsThatWereTakenBackAfterTheRunThatFiledThemWasUndone) {
  say("Works at Google.");
  run_builtin();
  ASSERT_TRUE(understand(*memory));
  const std::string before = read(file);
  write(file, std::string(before).replace(before.find("Google"), 6, "Amazon"));
  ASSERT_TRUE(understand(*memory));
  ASSERT_TRUE(memory->bring_up_to_date());
  RunRecord record = start();
  ASSERT_EQ(file_edited_entries(*memory, identity_of(record), record).value(), 1u);
  finish(record);
  ASSERT_TRUE(undo_run(*memory, record.run));
  write(file, before);
  ASSERT_TRUE(understand(*memory));
  rebuild();
  EXPECT_EQ(durable_texts(), Texts{"Works at Google."});
  rebuild();
  EXPECT_EQ(durable_texts(), Texts{"Works at Google."});
  EXPECT_EQ(counts().pending, 0);
}

TEST_F(RebuildTest, LeavesTogetherWhatAPersonPutTogether) {
  say("Anna sails.");
  say("Bert paints.");
  run_builtin();
  std::string bytes = read(file);
  write(file, bytes.insert(bytes.find("Anna sails.") + 11, " Bert paints."));
  rebuild();  // the edit is filed while the other entry stands there still
  const Entry gone = entry_with("Bert paints.");
  const Absence absence{gone.id, gone.hash, gone.from, clock.now(), {}};
  ASSERT_TRUE(merge_entries(*memory, {{absence, entry_with("Anna sails. Bert paints.").id}}));
  bytes = read(file);
  const size_t begin = bytes.rfind("<!--m", bytes.find("\nBert paints.\n"));
  write(file, bytes.erase(begin, bytes.find("Bert paints.\n", bytes.find("-->", begin)) + 13 - begin));
  rebuild();
  EXPECT_EQ(durable_texts(), Texts{"Anna sails. Bert paints."});
  EXPECT_EQ(counts().pending, 0);
}

// Its comment is gone, and what it was made of rests on the words.
TEST_F(RebuildTest, LeavesWhatAPersonSaysWithoutAComment) {
  say("Works at Google.");
  say("Likes tea.");
  run_builtin();
  ASSERT_TRUE(understand(*memory));
  std::string bytes = read(file);
  write(file, bytes.replace(bytes.find("Google"), 6, "Amazon"));
  ASSERT_TRUE(understand(*memory));
  const size_t words = bytes.find("Works at Amazon."), comment = bytes.rfind("<!--m", words);
  write(file, bytes.erase(comment, words - comment));
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(understand(*memory));
  for (int i = 0; i < 2; ++i) {
    rebuild();
    EXPECT_EQ(read(file).find("Google"), std::string::npos) << read(file);
    EXPECT_NE(read(file).find("Works at Amazon."), std::string::npos);
    EXPECT_EQ(counts().pending, 0);
  }
  bytes = read(file);
  write(file, bytes.erase(bytes.find("Works at Amazon."), 16));
  ASSERT_TRUE(understand(*memory));
  clock.advance(std::chrono::minutes(11));
  ASSERT_TRUE(understand(*memory));
  rebuild();
  EXPECT_EQ(durable_texts(), Texts{"Likes tea."});
  EXPECT_EQ(counts().deleted, 1);
}

TEST_F(RebuildTest, DoesNotBringBackWhatWasCorrectedOrForgotten) {
  say("The name is Jon.");
  say("Likes tea.");
  run_builtin();
  ASSERT_TRUE(correct(*memory, entry_with("The name is Jon.").id, "The name is John."));
  ASSERT_TRUE(forget(*memory, {entry_with("Likes tea.").id}, {}));
  rebuild();
  EXPECT_EQ(durable_texts(), Texts{"The name is John."});
}

TEST_F(RebuildTest, CanBeUndone) {
  say("Likes tea.");
  say("Likes coffee.");
  say("Hello.");
  run([&](const Material& all) {
    return std::vector{to_add(all, {"Likes tea.", "Likes coffee."}, "Likes tea and coffee."), to_ignore(all, {"Hello."})};
  });
  const std::string before = read(file);
  rebuild();
  ASSERT_EQ(durable_texts().size(), 3u);
  const auto undone = undo_run(*memory, list_runs(memory->vault()).value()[0].run);
  ASSERT_TRUE(undone) << undone.error().message;
  EXPECT_EQ(read(file), before);
  EXPECT_EQ(undone->pending, 0u);
  EXPECT_EQ(counts().pending, 0);  // each fact is where it was
  EXPECT_EQ(counts().settled, 3);
}

TEST_F(RebuildTest, OneThatChangedNothingIsUndoneWhole) {
  say("Likes tea.");
  say("Lives in Oslo.");
  run_builtin();
  const std::string before = read(file);
  rebuild();
  ASSERT_EQ(read(file), before);
  const auto undone = undo_run(*memory, list_runs(memory->vault()).value()[0].run);
  ASSERT_TRUE(undone) << undone.error().message;
  EXPECT_EQ(undone->kept, std::vector<std::string>{});
  EXPECT_EQ(undone->notes, std::vector<std::string>{});
  EXPECT_EQ(undone->entries.size(), 2u);
  EXPECT_EQ(undone->pending, 0u);
  EXPECT_EQ(counts().settled, 2);
  EXPECT_EQ(read(file), before);
}

TEST_F(RebuildTest, IsRefusedWhileTheArchiveCannotBeRead) {
  for (int i = 0; i < 20; ++i) say("Fact " + std::to_string(i) + ".");
  run_builtin();
  const std::string before = read(file);
  write(".lociignore", "archive/\n");
  ASSERT_TRUE(memory->bring_up_to_date());
  auto all = read_rebuild_material(*memory);
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().code, ErrorCode::refused);
  EXPECT_NE(all.error().message.find("20 of 20"), std::string::npos);
  EXPECT_EQ(read(file), before);
}

TEST_F(RebuildTest, IsRefusedWhileAFileOfTheArchiveIsTooLarge) {
  for (int i = 0; i < 20; ++i) say("Fact " + std::to_string(i) + ".");
  run_builtin();
  const std::string before = read(file);
  write(".loci/config.toml", "[vault]\nmax_file_bytes = 50000\n");
  folder.append("vault/archive/2026-11-21.md", "\n" + std::string(60'000, 'x') + "\n");
  memory.emplace(open());
  ASSERT_TRUE(memory->bring_up_to_date());
  const auto all = read_rebuild_material(*memory);
  ASSERT_FALSE(all);
  EXPECT_NE(all.error().message.find("archive/2026-11-21.md (too-large)"), std::string::npos) << all.error().message;
  EXPECT_EQ(read(file), before);
}

TEST_F(RebuildTest, OneThatIgnoresEverythingIsRefused) {
  for (int i = 0; i < 20; ++i) say("Fact " + std::to_string(i) + ".");
  run_builtin();
  const std::string before = read(file);
  const auto all = read_rebuild_material(*memory).value();
  const auto plan_that_ignores = [&](size_t ignored) {
    std::vector<Operation> operations = add_all(all.material);
    for (size_t i = 0; i < ignored; ++i) operations[i] = to_ignore(all.material, {all.material.facts[i].text});
    RunRecord record = start();
    record.generation = all.next_generation;
    return make_plan(Decision{std::move(operations)}, all.material, everything(all.material), identity_of(record));
  };
  for (const size_t ignored : {20, 4}) {
    RunRecord record = start();
    const auto refused = apply_rebuild(*memory, plan_that_ignores(ignored), record);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::refused);
    EXPECT_NE(refused.error().message.find(std::to_string(ignored) + " of 20"), std::string::npos);
    EXPECT_EQ(read(file), before);
  }
  RunRecord record = start();
  EXPECT_TRUE(apply_rebuild(*memory, plan_that_ignores(3), record));
  EXPECT_EQ(durable_texts().size(), 17u);
}

TEST_F(RebuildTest, EqualTextsMayFoldIntoOne) {
  for (int i = 0; i < 20; ++i) say("Likes tea number " + std::to_string(i % 10) + ".");
  run([](const Material& all) {
    std::vector<Operation> operations;
    for (size_t i = 0; i < all.facts.size(); ++i) {
      Operation operation;
      operation.facts = {i};
      operation.text = all.facts[i].text;
      operations.push_back(std::move(operation));
    }
    return operations;
  });
  rebuild();
  EXPECT_EQ(durable_texts().size(), 10u);
  EXPECT_EQ(counts().pending, 0);
}

TEST_F(RebuildTest, IsRefusedWhileAConflictWaits) {
  say("Likes tea.");
  run_builtin();
  folder.append("vault/" + std::string(file), "<<<<<<< HEAD\nhere\n=======\nthere\n>>>>>>> other\n");
  ASSERT_TRUE(memory->bring_up_to_date());
  const auto all = read_rebuild_material(*memory);
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().code, ErrorCode::refused);
}

}  // namespace
}  // namespace loci
