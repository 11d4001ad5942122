#include "consolidate/runs/undo.h"

#include "consolidate/promote/promotion.h"
#include "edits/in_question.h"
#include "edits/understand.h"
#include "memory/forget.h"
#include "tests/consolidate/consolidate_fixture.h"
#include "tests/support/faulty_file_system.h"
#include "vault/logs/chronicle.h"

namespace loci {
namespace {

using Ids = std::vector<std::string>;

class UndoTest : public ConsolidateTest {
 protected:
  Undone undo(const std::string& run) {
    EXPECT_TRUE(memory->bring_up_to_date());
    auto undone = undo_run(*memory, run);
    clock.advance(std::chrono::seconds(1));
    if (undone) return *undone;
    ADD_FAILURE() << undone.error().message;
    return {};
  }
};

TEST_F(UndoTest, BringsTheBytesAndThePendingFactsBack) {
  write(file, "# Mine\n\n" + written("c-1", "Lives in Oslo.", {"f0"}));
  say("Likes tea.");
  say("Moved to Bergen.");
  const std::string before = read(file);
  const std::string run = this->run([&](const Material& all) {
    return std::vector{to_add(all, {"Likes tea."}, "Likes tea."),
                       to_replace(all, "Lives in Oslo.", {"Moved to Bergen."}, "Lives in Bergen; previously in Oslo.")};
  });
  EXPECT_EQ(counts().pending, 0);
  const Undone undone = undo(run);
  EXPECT_EQ(read(file), before);
  EXPECT_EQ(undone.pending, 2u);
  EXPECT_EQ(undone.kept, Ids{});
  EXPECT_EQ(pending_texts(), (Texts{"Likes tea.", "Moved to Bergen."}));
  EXPECT_EQ(read_run(memory->vault(), run).value().outcome, "undone");
  const auto runs = list_runs(memory->vault()).value();
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].kind, "undo");
  EXPECT_EQ(runs[0].undoes, run);
  EXPECT_EQ(runs[1].undone_by, runs[0].run);
}

TEST_F(UndoTest, IsNotDoneTwiceNorUndoneItself) {
  say("Likes tea.");
  const std::string run = run_builtin();
  undo(run);
  EXPECT_EQ(undo_run(*memory, run).error().code, ErrorCode::refused);
  EXPECT_EQ(undo_run(*memory, list_runs(memory->vault()).value()[0].run).error().code, ErrorCode::refused);
  EXPECT_EQ(undo_run(*memory, "no-such-run").error().code, ErrorCode::not_found);
}

TEST_F(UndoTest, WhatWasUndoneCanBeSettledAgain) {
  say("Likes tea.");
  const std::string run = run_builtin();
  undo(run);
  EXPECT_EQ(settle_unfinished(*memory).value(), 0u);
  run_builtin();
  EXPECT_EQ(durable_texts(), Texts{"Likes tea."});
  EXPECT_EQ(counts().pending, 0);
}

TEST_F(UndoTest, LeavesTheFactsOfWhatAPersonHasTakenOutSettled) {
  say("Likes tea.");
  const std::string run = run_builtin();
  ASSERT_TRUE(understand(*memory));
  std::string bytes = read(file);
  bytes.erase(bytes.find("<!--m "));
  write(file, bytes);
  const Undone undone = undo(run);
  EXPECT_EQ(undone.pending, 0u);
  EXPECT_EQ(undone.kept.size(), 1u);
}

TEST_F(UndoTest, TakesAnEntryBackOfWhichAPersonHasTakenOutOnlyTheLine) {
  write("MEMORY.md", "<!-- loci:core begin -->\n<!-- loci:core end -->\n");
  say("Likes tea.");
  const std::string run = run_builtin();
  std::string bytes = read(file);
  const size_t at = bytes.find("\"id\":\"") + 6;
  const std::string id = bytes.substr(at, bytes.find('"', at) - at);
  write("MEMORY.md", "<!-- loci:core begin -->\n<!--m {\"ref\":\"" + id + "\"}-->\n- Likes tea.\n<!-- loci:core end -->\n");
  ASSERT_TRUE(understand(*memory));
  write("MEMORY.md", "<!-- loci:core begin -->\n<!-- loci:core end -->\n");
  ASSERT_TRUE(understand(*memory));
  EXPECT_TRUE(facts_in_question(*memory)->empty());
  const Undone undone = undo(run);
  EXPECT_EQ(undone.pending, 1u);
  EXPECT_EQ(undone.kept, Ids{});
  EXPECT_EQ(pending_texts(), Texts{"Likes tea."});
}

// Of lines that went, and of lines that say something else.
TEST_F(UndoTest, WaitsForTheAnswerAboutLinesOfTheCoreThatShowWhatTheRunWrote) {
  const auto core_of = [](const std::string& lines) { return "<!-- loci:core begin -->\n" + lines + "<!-- loci:core end -->\n"; };
  write("MEMORY.md", core_of(""));
  for (int i = 0; i < 4; ++i) say("Likes tea number " + std::to_string(i) + ".");
  const std::string run = run_builtin();
  std::string lines, reworded;
  for (const Entry& entry : entries()) {
    const std::string comment = "<!--m {\"ref\":\"" + entry.id + "\"}-->\n- ";
    lines += comment + entry.text + "\n";
    reworded += comment + "My own words of " + entry.id + "\n";
  }
  for (const std::string& changed : {std::string(), reworded}) {
    SCOPED_TRACE(changed);
    write("MEMORY.md", core_of(lines));
    ASSERT_TRUE(understand(*memory));
    ASSERT_TRUE(waiting_questions(memory->vault())->empty());
    write("MEMORY.md", core_of(changed));
    ASSERT_TRUE(understand(*memory));
    ASSERT_EQ(waiting_questions(memory->vault())->size(), 1u);
    const auto undone = undo_run(*memory, run);
    ASSERT_FALSE(undone);
    EXPECT_EQ(undone.error().code, ErrorCode::refused);
    EXPECT_EQ(waiting_questions(memory->vault())->size(), 1u);
  }
}

TEST_F(UndoTest, TakesOutWhatAPersonTookOutAndPutIntoAnotherFile) {
  say("Likes tea.");
  const std::string run = run_builtin();
  ASSERT_TRUE(understand(*memory));
  std::string bytes = read(file);
  const std::string entry = bytes.substr(bytes.find("<!--m "));
  write(file, bytes.substr(0, bytes.find("<!--m ")));
  ASSERT_TRUE(understand(*memory));
  write("consolidated/garden.md", "# Garden\n\n" + entry);
  const Undone undone = undo(run);
  EXPECT_EQ(undone.pending, 1u);
  EXPECT_EQ(undone.kept.size(), 0u);
  clock.advance(std::chrono::minutes(20));
  ASSERT_TRUE(understand(*memory));
  EXPECT_EQ(pending_texts(), Texts{"Likes tea."});
}

TEST_F(UndoTest, IsRefusedWhileAPersonIsAskedAboutItsFile) {
  for (const char* fact : {"Likes tea.", "Lives in Oslo.", "Plays chess.", "Has a dog.", "Owns a boat."}) say(fact);
  const std::string run = run_builtin();
  ASSERT_TRUE(understand(*memory));
  std::string bytes = read(file);
  bytes.erase(bytes.find("<!--m "));
  write(file, bytes);
  EXPECT_EQ(undo_run(*memory, run).error().code, ErrorCode::refused);
  EXPECT_EQ(read(file), bytes);
}

TEST_F(UndoTest, KeepsWhatAPersonHasChangedSince) {
  say("Likes tea.");
  say("Lives in Oslo.");
  const std::string run = run_builtin();
  std::string bytes = read(file);
  bytes.replace(bytes.find("Oslo"), 4, "Bergen");
  write(file, bytes);
  const Undone undone = undo(run);
  EXPECT_EQ(undone.kept.size(), 1u);
  EXPECT_EQ(undone.entries.size(), 1u);
  EXPECT_EQ(durable_texts(), Texts{"Lives in Bergen."});
  EXPECT_EQ(pending_texts(), Texts{"Likes tea."});
}

TEST_F(UndoTest, TakesOnlyItsOwnEntriesOutOfAFileThatWentOn) {
  say("Likes tea.");
  const std::string first = run_builtin();
  say("Lives in Oslo.");
  run_builtin();
  folder.append("vault/" + std::string(file), "\nMine.\n");
  undo(first);
  EXPECT_EQ(durable_texts(), (Texts{"Lives in Oslo.", "Mine."}));
  EXPECT_EQ(pending_texts(), Texts{"Likes tea."});
}

TEST_F(UndoTest, WhatWasMergedStandsAgainAndItsFactsWithIt) {
  say("Likes green tea.");
  say("Drinks tea every day.");
  run_builtin();
  const std::string gone = entry_with("Drinks tea every day.").id;
  const std::string before = read(file);
  say("Has tea at five.");
  const std::string run = this->run([&](const Material& all) {
    return std::vector{to_replace(all, "Likes green tea.", {"Has tea at five."}, "Drinks green tea every day at five."),
                       to_remove(all, "Drinks tea every day.", "Likes green tea.")};
  });
  EXPECT_TRUE(Chronicle::read(memory->vault()).value().explains_removal(gone));
  undo(run);
  EXPECT_EQ(read(file), before);
  EXPECT_EQ(pending_texts(), Texts{"Has tea at five."});
  EXPECT_EQ(counts().settled, 2);
  EXPECT_FALSE(Chronicle::read(memory->vault()).value().explains_removal(gone));  // whoever takes it out now means it
}

TEST_F(UndoTest, TheCoreShowsAgainWhatItShowedBefore) {
  write("MEMORY.md", "Mine.\n<!-- loci:core begin -->\n<!-- loci:core end -->\n");
  say("Likes green tea.");
  say("Drinks tea every day.");
  const auto show = [&](const std::string& run) {
    std::vector<PromotedLine> lines;
    for (const DurableEntry& entry : material().entries) lines.push_back({entry.id, entry.text});
    std::ranges::sort(lines, {}, &PromotedLine::text);
    ASSERT_TRUE(write_promotion(memory->vault(), lines, run, 1));
    clock.advance(std::chrono::seconds(1));
  };
  const auto shown = [&] {
    Texts texts;
    const auto core = read_core(read("MEMORY.md"));
    for (const CoreLine& line : core.value().lines) texts.push_back(as_core_line(line.text));
    return texts;
  };
  show(run_builtin());
  EXPECT_EQ(shown(), (Texts{"Drinks tea every day.", "Likes green tea."}));
  say("Has tea at five.");
  const std::string run = this->run([&](const Material& all) {
    return std::vector{to_replace(all, "Likes green tea.", {"Has tea at five."}, "Drinks green tea every day at five."),
                       to_remove(all, "Drinks tea every day.", "Likes green tea.")};
  });
  show(run);
  EXPECT_EQ(shown(), (Texts{"Drinks green tea every day at five."}));
  undo(run);
  EXPECT_EQ(shown(), (Texts{"Likes green tea.", "Drinks tea every day."}));
}

TEST_F(UndoTest, WhatACorrectionOverruledHoldsAgain) {
  const std::string jon = say("The name is Jon.");
  run_builtin();
  say("The name is John, not Jon.", Source::correction);
  const std::string run = this->run([&](const Material& all) {
    return std::vector{to_replace(all, "The name is Jon.", {"The name is John, not Jon."}, "The name is John.", true)};
  });
  EXPECT_FALSE(find_entry(*memory, jon));
  undo(run);
  EXPECT_EQ(durable_texts(), Texts{"The name is Jon."});
  EXPECT_TRUE(find_entry(*memory, jon));
  EXPECT_EQ(pending_texts(), Texts{"The name is John, not Jon."});
  EXPECT_EQ(counts().deleted, 0);
}

TEST_F(UndoTest, AnEntryThatAPersonMovedToAnotherFileIsTheSameEntryThere) {
  say("Likes tea.");
  say("Lives in Oslo.");
  const std::string run = run_builtin();
  const std::string bytes = read(file);
  const size_t tea = bytes.rfind("<!--m", bytes.find("Likes tea.")), end = bytes.find("Likes tea.") + 11;
  write("consolidated/drinks.md", bytes.substr(tea, end - tea));
  write(file, bytes.substr(0, tea) + bytes.substr(end));
  EXPECT_EQ(undo(run).pending, 2u);
  EXPECT_EQ(durable_texts(), Texts{});
  run_builtin();
  EXPECT_EQ(durable_texts(), (Texts{"Likes tea.", "Lives in Oslo."}));
}

// A copy of the entry that says this, in another file, changed on the way there.
class UndoCopyTest : public UndoTest {
 protected:
  std::string copy_of(const std::string& text, const std::string& what, const std::string& with) {
    const std::string bytes = read(file);
    const size_t begin = bytes.rfind("<!--m", bytes.find(text));
    std::string copy = bytes.substr(begin, bytes.find(text) + text.size() + 1 - begin);
    copy.replace(copy.find(what), what.size(), with);
    write("consolidated/drinks.md", copy);
    return copy;
  }
};

TEST_F(UndoCopyTest, AnEntryThatAPersonMarkedInOneOfItsPlacesStaysInAllOfThem) {
  say("Likes tea.");
  say("Lives in Oslo.");
  const std::string run = run_builtin();
  const std::string copy = copy_of("Likes tea.", "}-->", R"(,"tags":["drinks"]}-->)");
  EXPECT_EQ(undo(run).pending, 1u);
  EXPECT_NE(read(file).find("Likes tea."), std::string::npos);
  EXPECT_EQ(read("consolidated/drinks.md"), copy);
  EXPECT_EQ(read(file).find("Lives in Oslo."), std::string::npos);
}

TEST_F(UndoCopyTest, ACopyWithOtherWordsIsAPersonsOwnAndStays) {
  say("Likes tea.");
  const std::string run = run_builtin();
  copy_of("Likes tea.", "tea.", "black tea.");
  EXPECT_EQ(undo(run).pending, 1u);
  EXPECT_EQ(durable_texts(), Texts{"Likes black tea."});
  EXPECT_EQ(pending_texts(), Texts{"Likes tea."});
}

TEST_F(UndoTest, BlanksAtTheEndOfALineAreNoChange) {
  say("Likes tea.");
  const std::string run = run_builtin();
  std::string bytes = read(file);
  bytes.insert(bytes.find("Likes tea.") + 10, "  ");
  write(file, bytes);
  EXPECT_EQ(undo(run).pending, 1u);
  EXPECT_EQ(durable_texts(), Texts{});
}

TEST_F(UndoTest, WhatWasForgottenSinceDoesNotComeBack) {
  say("Likes tea.");
  run_builtin();
  say("Likes green tea.");
  const std::string run = this->run([&](const Material& all) {
    return std::vector{to_replace(all, "Likes tea.", {"Likes green tea."}, "Likes tea, and green tea most.")};
  });
  ASSERT_TRUE(forget(*memory, {entry_with("Likes tea, and green tea most.").id}, {}));
  undo(run);
  EXPECT_EQ(durable_texts(), Texts{});
  EXPECT_EQ(counts().deleted, 2);
  EXPECT_EQ(counts().pending, 0);
}

TEST_F(UndoTest, TheLogsExplainWhatItTookOut) {
  say("Likes tea.");
  const std::string run = run_builtin();
  const std::string id = entry_with("Likes tea.").id;
  EXPECT_FALSE(Chronicle::read(memory->vault()).value().explains_removal(id));
  undo(run);
  EXPECT_TRUE(Chronicle::read(memory->vault()).value().explains_removal(id));
  run_builtin();
  EXPECT_FALSE(Chronicle::read(memory->vault()).value().explains_removal(id));
}

TEST_F(UndoTest, OfWhatWasIgnoredMakesItPending) {
  say("Hello.");
  const std::string run = this->run([&](const Material& all) { return std::vector{to_ignore(all, {"Hello."})}; });
  undo(run);
  EXPECT_EQ(pending_texts(), Texts{"Hello."});
}

TEST_F(UndoTest, AClockThatWasSetBackMakesNoDifference) {
  say("Likes tea.");
  const std::string run = run_builtin();
  clock.set("2026-11-20T00:00:00Z");
  undo(run);
  EXPECT_EQ(counts().pending, 1);
  run_builtin();
  EXPECT_EQ(counts().pending, 0);
}

}  // namespace
}  // namespace loci
