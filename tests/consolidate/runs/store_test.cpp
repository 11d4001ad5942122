#include "consolidate/runs/store.h"

#include "consolidate/runs/failures.h"
#include "consolidate/runs/undo.h"
#include "edits/decisions.h"
#include "edits/understand.h"
#include "memory/correct.h"
#include "memory/forget.h"
#include "memory/restore.h"
#include "parser/entry_edit.h"
#include "parser/parser.h"
#include "tests/consolidate/consolidate_fixture.h"
#include "tests/support/interrupting_file_system.h"
#include "vault/logs/chronicle.h"

namespace loci {
namespace {

using Outcome = LedgerEntry::Outcome;
using Ids = std::vector<std::string>;

class StoreTest : public ConsolidateTest {};

// --- read_material ---

TEST_F(StoreTest, PendingFactsAndDurableEntriesAreTheMaterial) {
  const std::string first = say("Likes tea.", Source::user);
  write(file, written("c-1", "Lives in Oslo.", {"f0"}) + "A person's own text.\n");
  const Material material = this->material();
  ASSERT_EQ(material.facts.size(), 1u);
  EXPECT_EQ(material.facts[0].id, first);
  EXPECT_EQ(material.facts[0].hash, stored_text_hash("Likes tea."));
  EXPECT_EQ(material.facts[0].source, Source::user);
  EXPECT_EQ(material.facts[0].day, "2026-11-21");
  ASSERT_EQ(material.entries.size(), 1u);
  EXPECT_EQ(material.entries[0].id, "c-1");
  EXPECT_EQ(material.entries[0].from, Ids{"f0"});
  EXPECT_TRUE(material.entries[0].writable);
}

TEST_F(StoreTest, EntriesOfAFileWithConflictMarkersAreNotWritable) {
  write(file, written("c-1", "Lives in Oslo.") + "<<<<<<< HEAD\nhere\n=======\nthere\n>>>>>>> other\n");
  ASSERT_EQ(material().entries.size(), 1u);
  EXPECT_FALSE(material().entries[0].writable);
}

TEST_F(StoreTest, WhatIsForgottenIsNoMaterialAndItsIdIsTaken) {
  say("Likes tea.");
  run_builtin();
  const std::string id = entry_with("Likes tea.").id;
  ASSERT_TRUE(forget(*memory, {id}, {}));
  EXPECT_EQ(material().facts.size(), 0u);
  EXPECT_EQ(material().entries.size(), 0u);
  EXPECT_TRUE(std::ranges::binary_search(material().ended, id));
}

TEST_F(StoreTest, WhatMustNotBeSentIsPrivateAndSoIsWhatRestsOnIt) {
  write(".loci/config.toml", "[privacy]\nnever_send = [\"#health\"]\n");
  memory.emplace(open());
  say("Has asthma. #health");
  say("Likes tea.");
  run([&](const Material& all) {
    return std::vector{to_add(all, {"Has asthma. #health", "Likes tea."}, "Has asthma and likes tea.")};
  });
  say("Takes a spray. #health");
  const Material material = this->material();
  EXPECT_TRUE(material.facts.at(0).is_private);
  EXPECT_TRUE(material.entries.at(0).is_private);
}

// --- copies: one entry in several places ---

class CopyTest : public StoreTest {
 protected:
  static constexpr const char* other_file = "consolidated/copies.md";

  // An entry that stands in two files.
  std::string copied(const std::string& text) {
    say(text);
    run_builtin();
    const std::string id = entry_with(text).id;
    const size_t begin = read(file).find("<!--m");
    const std::string block = read(file).substr(begin);
    write(other_file, "# Copies\n\n" + block);
    EXPECT_TRUE(memory->take_in({other_file}));
    return id;
  }
  size_t times(const std::string& text) {
    size_t count = 0;
    for (const std::string& bytes : {read(file), read(other_file)})
      for (const ParsedEntry& entry : parse(bytes).entries) count += entry.text == text ? 1 : 0;
    return count;
  }
};

TEST_F(CopyTest, WhatARunSaysAnewItSaysInAllOfThem) {
  const std::string id = copied("Works at Google.");
  ASSERT_EQ(times("Works at Google."), 2u);
  say("Works at Microsoft now.");
  run([&](const Material& all) {
    return std::vector{to_replace(all, "Works at Google.", {"Works at Microsoft now."}, "Works at Microsoft; before at Google")};
  });
  EXPECT_EQ(times("Works at Google."), 0u);
  EXPECT_EQ(times("Works at Microsoft; before at Google"), 2u);
  EXPECT_EQ(entry_with("Works at Microsoft; before at Google").id, id);
}

TEST_F(CopyTest, WhatARunMadeAndAPersonCopiedGoesFromAllOfThemWithItsUndo) {
  copied("Likes tea.");
  write(file, read(file) + "\nA person's own text.\n");
  EXPECT_TRUE(memory->take_in({file}));
  ASSERT_TRUE(undo_run(*memory, std::string(Chronicle::read(memory->vault())->last_run())));
  EXPECT_EQ(times("Likes tea."), 0u);
  EXPECT_EQ(times("A person's own text."), 1u);
}

TEST_F(CopyTest, WhatIsMergedIntoAnotherGoesFromAllOfThemAndComesBackWithAnUndo) {
  copied("Likes tea.");
  say("Drinks green tea.");
  run_builtin();
  const std::string before = read(file), before_other = read(other_file);
  const std::string merge = run([&](const Material& all) {
    return std::vector{to_remove(all, "Likes tea.", "Drinks green tea."),
                       to_replace(all, "Drinks green tea.", {}, "Likes tea, and drinks green tea.")};
  });
  EXPECT_EQ(durable_texts(), Texts{"Likes tea, and drinks green tea."});
  EXPECT_EQ(times("Likes tea."), 0u);
  ASSERT_TRUE(undo_run(*memory, merge));
  EXPECT_EQ(read(file), before);
  EXPECT_EQ(read(other_file), before_other);
}

// --- apply_plan ---

TEST_F(StoreTest, AFactBecomesAnEntryThatRestsOnIt) {
  const std::string fact = say("Likes tea.", Source::user);
  run_builtin();
  const Entry entry = entry_with("Likes tea.");
  EXPECT_EQ(entry.from, Ids{fact});
  EXPECT_EQ(entry.source, Source::user);
  EXPECT_EQ(entry.first_seen, "2026-11-21");
  EXPECT_EQ(entry.updated, "2026-11-21");
  EXPECT_EQ(entry.sources, Ids{"2026-11-21"});
  EXPECT_FALSE(entry.edited);
  const auto lines = ledger();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].fact, fact);
  EXPECT_EQ(lines[0].outcome, Outcome::added);
  EXPECT_EQ(lines[0].entry, entry.id);
  EXPECT_EQ(lines[0].entry_hash, entry.hash);
  EXPECT_EQ(counts().pending, 0);
  EXPECT_EQ(counts().settled, 1);
}

TEST_F(StoreTest, TheArchiveStaysByteForByte) {
  say("Likes tea.");
  const std::string before = read("archive/2026-11-21.md");
  run_builtin();
  EXPECT_EQ(read("archive/2026-11-21.md"), before);
}

TEST_F(StoreTest, WhatNoOperationNamesStaysByteForByte) {
  const std::string mine = "# Mine\n\nNot loci's.\n\n" + written("c-1", "Lives in Oslo.", {"f0"}) + "- a\n- b\n";
  write(file, mine);
  say("Likes tea.");
  run_builtin();
  EXPECT_TRUE(read(file).starts_with(mine)) << read(file);
}

TEST_F(StoreTest, AFileWithCarriageReturnsKeepsThem) {
  write(file, "# Mine\r\n\r\nNot loci's.\r\n");
  say("Likes tea.");
  run_builtin();
  const std::string bytes = read(file);
  EXPECT_EQ(std::ranges::count(bytes, '\n'), std::ranges::count(bytes, '\r'));
  EXPECT_EQ(durable_texts(), (Texts{"Likes tea.", "Not loci's."}));
}

TEST_F(StoreTest, AFullFileGoesOnInTheNext) {
  std::string bytes;
  while (bytes.size() + 200 < size_t{1} << 20) bytes += std::string(100, 'x') + "\n\n";
  write(file, bytes);
  say("Likes tea.");
  say(std::string(300, 'y'));
  run_builtin();
  EXPECT_EQ(read(file), bytes);
  EXPECT_EQ(entry_with("Likes tea.").places[0].file, "consolidated/memory-2.md");
  say("Likes coffee.");
  run_builtin();
  EXPECT_EQ(entry_with("Likes coffee.").places[0].file, "consolidated/memory-2.md");
}

TEST_F(StoreTest, AChangeKeepsIdAndDatesAndTakesTheNewFactsIn) {
  const std::string google = say("Works at Google as an SRE.", Source::user);
  run_builtin();
  const std::string id = entry_with("Works at Google as an SRE.").id;
  clock.advance(std::chrono::hours(24));
  const std::string microsoft = say("Just joined Microsoft.", Source::user);
  run([&](const Material& all) {
    return std::vector{to_replace(all, "Works at Google as an SRE.", {"Just joined Microsoft."},
                                  "Works at Microsoft; previously at Google as an SRE.")};
  });
  const Entry entry = entry_with("Works at Microsoft; previously at Google as an SRE.");
  EXPECT_EQ(entry.id, id);
  EXPECT_EQ(entry.from, (Ids{google, microsoft}));
  EXPECT_EQ(entry.sources, (Ids{"2026-11-21", "2026-11-22"}));
  EXPECT_EQ(entry.first_seen, "2026-11-21");
  EXPECT_EQ(entry.updated, "2026-11-22");
  EXPECT_EQ(durable_texts().size(), 1u);
  EXPECT_EQ(counts().settled, 2);
}

TEST_F(StoreTest, AnEditIsDatedByTheDayOnWhichItWasSeenAndNotByTheRunThatFilesIt) {
  say("Costs 8.90 EUR.", Source::user);
  run_builtin();
  ASSERT_TRUE(understand(*memory));
  clock.advance(std::chrono::hours(24));
  std::string bytes = read(file);
  write(file, bytes.replace(bytes.find("8.90"), 4, "9.40"));
  ASSERT_TRUE(memory->bring_up_to_date());
  ASSERT_TRUE(understand(*memory));
  clock.advance(std::chrono::days(30));
  RunRecord record = start();
  EXPECT_EQ(file_edited_entries(*memory, identity_of(record), record).value(), 1u);
  const Entry entry = entry_with("Costs 9.40 EUR.");
  EXPECT_EQ(entry.source, Source::user);
  EXPECT_EQ(entry.updated, "2026-11-22");
}

TEST_F(StoreTest, MetadataThatCodeDoesNotKnowStays) {
  const std::string text = "Lives in Oslo.";
  write(file, R"(<!--m {"id":"c-1","sum":")" + sum_from_hash(text_hash(text)) +
                  R"(","source":"agent","category":"home","from":["f0"],"mood":"good"}-->)" + "\n" + text + "\n");
  say("Moved to Bergen.");
  run([&](const Material& all) {
    return std::vector{to_replace(all, text, {"Moved to Bergen."}, "Lives in Bergen; before in Oslo.")};
  });
  EXPECT_NE(read(file).find(R"("mood":"good")"), std::string::npos) << read(file);
  EXPECT_EQ(entry_with("Lives in Bergen; before in Oslo.").category, "home");
}

TEST_F(StoreTest, WhatIsMergedGoesAndItsFactsSayWhere) {
  const std::string a = say("Likes green tea."), b = say("Drinks tea every day.");
  run_builtin();
  const std::string gone = entry_with("Drinks tea every day.").id, into = entry_with("Likes green tea.").id;
  const std::string c = say("Has tea at five.");
  run([&](const Material& all) {
    return std::vector{to_replace(all, "Likes green tea.", {"Has tea at five."}, "Drinks green tea every day at five."),
                       to_remove(all, "Drinks tea every day.", "Likes green tea.")};
  });
  EXPECT_EQ(durable_texts(), Texts{"Drinks green tea every day at five."});
  EXPECT_EQ(entries()[0].from, (Ids{a, c, b}));
  const auto lines = ledger();
  const auto merged = std::ranges::find(lines, Outcome::merged, &LedgerEntry::outcome);
  ASSERT_NE(merged, lines.end());
  EXPECT_EQ(merged->fact, b);
  EXPECT_EQ(merged->fact_hash, stored_text_hash("Drinks tea every day."));
  EXPECT_EQ(merged->entry, gone);
  EXPECT_EQ(merged->into, into);
  EXPECT_EQ(counts().settled, 3);
}

TEST_F(StoreTest, ACorrectionBuriesTheFactsThatItOverrules) {
  const std::string jon = say("The name is Jon.");
  run_builtin();
  const std::string john = say("The name is John, not Jon.", Source::correction);
  run([&](const Material& all) {
    return std::vector{to_replace(all, "The name is Jon.", {"The name is John, not Jon."}, "The name is John.", true)};
  });
  EXPECT_EQ(durable_texts(), Texts{"The name is John."});
  EXPECT_EQ(entries()[0].from, Ids{john});
  const auto wrong = find_entry(*memory, jon, true);
  ASSERT_TRUE(wrong);
  EXPECT_FALSE(wrong->active);
  EXPECT_EQ(wrong->superseded_by, john);
  EXPECT_EQ(counts().deleted, 1);
  EXPECT_EQ(counts().settled, 1);
}

TEST_F(StoreTest, WhatWasRestoredAndTakenOutByHandSinceIsNotPendingWhileThatIsNotDecided) {
  say("Likes tea.");
  run_builtin();
  const std::string id = entry_with("Likes tea.").id;
  ASSERT_TRUE(forget(*memory, {id}, {}));
  ASSERT_TRUE(restore(*memory, id));
  std::string bytes = read(file);
  write(file, bytes.replace(bytes.find("tea"), 3, "coffee"));
  ASSERT_TRUE(understand(*memory));
  RunRecord record = start();
  ASSERT_EQ(file_edited_entries(*memory, identity_of(record), record).value(), 1u);
  finish(record);
  ASSERT_TRUE(understand(*memory));
  write(file, read(file).substr(0, read(file).find("<!--m ")));
  ASSERT_TRUE(understand(*memory));
  EXPECT_EQ(settle_unfinished(*memory).value(), 0u);
  clock.advance(std::chrono::minutes(20));
  EXPECT_EQ(understand(*memory)->deleted, Ids{id});
  EXPECT_TRUE(material().facts.empty());
}

TEST_F(StoreTest, WhatWasRestoredAndMergedByHandIntoAnotherEntryStaysThere) {
  say("Likes tea.");
  run_builtin();
  say("Lives in Oslo.");
  run_builtin();
  const std::string id = entry_with("Likes tea.").id;
  ASSERT_TRUE(forget(*memory, {id}, {}));
  ASSERT_TRUE(restore(*memory, id));
  ASSERT_TRUE(understand(*memory));
  std::string bytes = read(file);
  bytes = remove_entry(bytes, id).value();
  bytes.replace(bytes.find("Lives in Oslo."), 14, "Lives in Oslo. Likes tea.");
  write(file, bytes);
  ASSERT_TRUE(understand(*memory));
  clock.advance(std::chrono::minutes(20));
  ASSERT_TRUE(understand(*memory));
  EXPECT_EQ(settle_unfinished(*memory).value(), 0u);
  EXPECT_TRUE(material().facts.empty());
}

TEST_F(StoreTest, WhatWasRestoredAndOverruledAfterThatIsNotPendingAgain) {
  const std::string tea = say("Likes tea.");
  run_builtin();
  const std::string id = entry_with("Likes tea.").id;
  ASSERT_TRUE(forget(*memory, {id}, {}));
  ASSERT_TRUE(restore(*memory, id));
  clock.advance(std::chrono::hours(24));
  std::string bytes = read(file);
  write(file, bytes.replace(bytes.find("tea"), 3, "coffee"));
  ASSERT_TRUE(understand(*memory));
  RunRecord record = start();
  ASSERT_EQ(file_edited_entries(*memory, identity_of(record), record).value(), 1u);
  finish(record);
  bytes = read(file);  // the entry rests on the newer fact alone
  write(file, bytes.erase(bytes.find(tea) - 1, tea.size() + 3));
  EXPECT_EQ(settle_unfinished(*memory).value(), 0u);
  EXPECT_TRUE(pending_texts().empty());
  EXPECT_EQ(durable_texts(), Texts{"Likes coffee."});
}

TEST_F(StoreTest, AFactThatACorrectionOverruledIsPendingOnceItIsRestored) {
  const std::string jon = say("The name is Jon.");
  run_builtin();
  say("The name is John, not Jon.", Source::correction);
  run([&](const Material& all) {
    return std::vector{to_replace(all, "The name is Jon.", {"The name is John, not Jon."}, "The name is John.", true)};
  });
  ASSERT_TRUE(restore(*memory, jon));
  EXPECT_EQ(pending_texts(), Texts{"The name is Jon."});
}

TEST_F(StoreTest, ADuplicateJoinsItsEntry) {
  say("Likes tea.");
  run_builtin();
  const std::string bytes = read(file);
  clock.advance(std::chrono::hours(24));
  const std::string again = say("Likes tea.", Source::user);
  run_builtin();
  const Entry entry = entry_with("Likes tea.");
  EXPECT_EQ(entry.from.size(), 2u);
  EXPECT_EQ(entry.from.back(), again);
  EXPECT_EQ(entry.source, Source::user);
  EXPECT_EQ(entry.sources, (Ids{"2026-11-21", "2026-11-22"}));
  EXPECT_EQ(ledger().back().outcome, Outcome::duplicate);
}

TEST_F(StoreTest, WhatIsIgnoredIsSettledWithoutAnEntry) {
  say("Hello.");
  run([&](const Material& all) { return std::vector{to_ignore(all, {"Hello."})}; });
  EXPECT_EQ(counts().pending, 0);
  EXPECT_EQ(ledger().at(0).why, "small talk");
  EXPECT_EQ(durable_texts(), Texts{});
}

TEST_F(StoreTest, AnEntryThatAPersonSavedMeanwhileIsLeftAlone) {
  say("Works at Google.");
  run_builtin();
  say("Joined Microsoft.");
  const Material before = material();
  std::string bytes = read(file);
  bytes.replace(bytes.find("Google"), 6, "Goggle");
  write(file, bytes);
  RunRecord record = start();
  const auto done =
      carry_out_decision(before, {to_replace(before, "Works at Google.", {"Joined Microsoft."}, "Works at Microsoft.")}, record);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::refused);
  EXPECT_EQ(read(file), bytes);
  EXPECT_EQ(counts().pending, 1);
}

TEST_F(StoreTest, IfASecondFileCannotBeReplacedTheFirstIsPutBack) {
  const std::string a = say("Likes green tea."), b = say("Drinks tea every day.");
  write(file, written("c-a", "Likes green tea.", {a}));
  write("consolidated/other.md", written("c-b", "Drinks tea every day.", {b}));
  ASSERT_TRUE(memory->bring_up_to_date());
  ASSERT_EQ(settle_unfinished(*memory).value(), 2u);
  const std::string before = read(file), mine = "Saved at that very moment.\n";
  int exchanges = 0;
  InterruptingFileSystem files([&](size_t, const std::string& call) {
    if (call.starts_with("exchange") && ++exchanges == 2) folder.write("vault/consolidated/other.md", mine);
  });
  say("Has tea at five.");
  memory.emplace(Memory::open(folder / "vault", environment_in(folder), files, clock).value());
  const Material all = material();
  RunRecord record = start();
  const auto done = carry_out_decision(all,
                                       {to_replace(all, "Likes green tea.", {"Has tea at five."}, "Drinks green tea at five."),
                                        to_remove(all, "Drinks tea every day.", "Likes green tea.")},
                                       record);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::refused);
  EXPECT_EQ(read(file), before);
  EXPECT_EQ(read("consolidated/other.md"), mine);
  EXPECT_TRUE(record.clusters.back().entries.empty());
  EXPECT_EQ(ledger().size(), 2u);
}

TEST_F(StoreTest, ATextThatWasNeverSaidBecomesAFactBeforeItIsChanged) {
  write(file, written("c-1", "Works at Google.", {}, Source::user));
  const std::string fact = say("Joined Microsoft.", Source::user);
  run([&](const Material& all) {
    return std::vector{to_replace(all, "Works at Google.", {"Joined Microsoft."}, "Works at Microsoft; previously at Google.")};
  });
  const Entry entry = entry_with("Works at Microsoft; previously at Google.");
  ASSERT_EQ(entry.from.size(), 2u);
  const auto old = find_entry(*memory, entry.from[0]);
  ASSERT_TRUE(old);
  EXPECT_EQ(old->text, "Works at Google.");
  EXPECT_EQ(old->source, Source::user);
  EXPECT_FALSE(old->pending);
  EXPECT_EQ(entry.from[1], fact);
  EXPECT_EQ(counts().pending, 0);
}

TEST_F(StoreTest, AFactThatFailedThreeTimesIsQuarantined) {
  say("Likes tea.");
  for (int failures = 0; failures < 3; ++failures) {
    const Material all = material();
    EXPECT_EQ(all.facts[0].failures, failures);
    EXPECT_FALSE(all.facts[0].quarantined);
    const auto quarantined = note_failures(memory->vault(), all.facts, identity_of(start()), "the model refused");
    ASSERT_TRUE(quarantined);
    EXPECT_EQ(*quarantined, failures == 2 ? 1u : 0u);
  }
  EXPECT_TRUE(material().facts.at(0).quarantined);
  EXPECT_EQ(counts().pending, 1);
  ASSERT_TRUE(clear_failures(memory->vault(), {material().facts.at(0).id}));
  EXPECT_EQ(material().facts.at(0).failures, 0);
}

TEST_F(StoreTest, TheLockKeepsRunsApartAndIsFreeAgainAfterwards) {
  EXPECT_FALSE(consolidation_lock_holder(memory->vault()));
  {
    const auto lock = take_consolidation_lock(memory->vault());
    ASSERT_TRUE(lock);
    EXPECT_TRUE(consolidation_lock_holder(memory->vault()));
    const auto second = take_consolidation_lock(memory->vault());
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, ErrorCode::locked);
  }
  EXPECT_FALSE(consolidation_lock_holder(memory->vault()));
}

// --- file_edited_entries ---

TEST_F(StoreTest, APersonsEditOfAnEntryBecomesAFactThatItRestsOn) {
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

TEST_F(StoreTest, AnEntryThatAnOldBufferBringsBackWithOtherWordsRestsOnNothingThatAnUndoTookFromIt) {
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

TEST_F(StoreTest, WordsThatWereFiledWhileTheirEntryWasMissingAreNotFiledAgainWhenItIsBack) {
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

TEST_F(StoreTest, WordsThatARunFiledBeforeItWasCutOffAreOvertakenByThoseThatStandNow) {
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

TEST_F(StoreTest, WordsThatARunFiledBeforeItWasCutOffGoWithTheirEntry) {
  say("Works at Google.");
  run_builtin();
  const std::string id = entry_with("Works at Google.").id;
  const std::string filed = say("Works at Amazon.", Source::user, id);
  ASSERT_TRUE(forget(*memory, {id}, {}));
  EXPECT_FALSE(find_entry(*memory, filed, true)->active);
}

// A person gave an entry other words, a run was killed when it had filed them, and the person took them back.
class FiledAndTakenBackTest : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
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

TEST_F(StoreTest, WordsThatWereFiledAndTakenBackAreNotSaidAgainOnceTheirEntryIsTakenApart) {
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

TEST_F(StoreTest, WhatAPersonsWordsOverruledDoesNotComeBackWhenTheyAreForgotten) {
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

TEST_F(StoreTest, ACopyOfAnEntryInAnotherFileGoesWithIt) {
  say("Works at Google.");
  run_builtin();
  write("consolidated/copies.md", "# Copies\n\n" + read(file).substr(read(file).find("<!--m")));
  ASSERT_TRUE(forget(*memory, {entry_with("Works at Google.").id}, {}));
  EXPECT_EQ((read(file) + read("consolidated/copies.md")).find("Google"), std::string::npos);
}

TEST_F(StoreTest, WhileAPersonIsAskedAboutAFileItsEditsAreNotFiled) {
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

// --- settle_unfinished ---

TEST_F(StoreTest, AFactThatStandsInAnEntryIsSettledThere) {
  const std::string fact = say("Likes tea.");
  write(file, written("c-1", "Likes tea.", {fact}));
  ASSERT_TRUE(memory->bring_up_to_date());
  EXPECT_EQ(settle_unfinished(*memory).value(), 1u);
  EXPECT_EQ(counts().pending, 0);
  EXPECT_EQ(ledger().at(0).entry, "c-1");
  EXPECT_EQ(settle_unfinished(*memory).value(), 0u);
}

TEST_F(StoreTest, AFactThatWasEditedSinceItWasSettledStaysPending) {
  say("Likes tea.");
  run_builtin();
  std::string bytes = read("archive/2026-11-21.md");
  bytes.replace(bytes.find("tea"), 3, "gin");
  write("archive/2026-11-21.md", bytes);
  ASSERT_TRUE(memory->bring_up_to_date());
  EXPECT_EQ(settle_unfinished(*memory).value(), 0u);
  EXPECT_EQ(pending_texts(), Texts{"Likes gin."});
}

TEST_F(StoreTest, AnEntryWhoseFactIsForgottenLetsTheOthersGo) {
  const std::string secret = say("Earns 70,000."), harmless = say("Works at Google.");
  run([&](const Material& all) {
    return std::vector{to_add(all, {"Earns 70,000.", "Works at Google."}, "Earns 70,000 at Google.")};
  });
  ASSERT_TRUE(forget(*memory, {secret}, {}));
  EXPECT_EQ(durable_texts(), Texts{});
  EXPECT_EQ(pending_texts(), Texts{"Works at Google."});
  EXPECT_EQ(read(file).find("70,000"), std::string::npos);
  EXPECT_EQ(settle_unfinished(*memory).value(), 0u);
  run_builtin();
  EXPECT_EQ(durable_texts(), Texts{"Works at Google."});
  EXPECT_EQ(counts().deleted, 1);
}

// --- files that are not rewritten ---

TEST_F(ConsolidateTest, AFileThatIsNotUtf8StaysByteForByte) {
  say("Likes tea.");
  run_builtin();
  folder.append("vault/" + std::string(file), "\nEin Abs\xe4tz.\n");
  const std::string before = read(file);
  say("Lives in Oslo.");
  const Material all = material();
  EXPECT_FALSE(all.entries.at(entry_saying(all, "Likes tea.")).writable);
  run_builtin();
  EXPECT_EQ(counts().pending, 0);
  EXPECT_EQ(read(file), before);
  EXPECT_EQ(read_rebuild_material(*memory).error().code, ErrorCode::refused);
  std::string edited = before;
  edited.replace(edited.find("tea"), 3, "ale");
  write(file, edited);
  ASSERT_TRUE(memory->bring_up_to_date());
  RunRecord record = start();
  EXPECT_EQ(file_edited_entries(*memory, identity_of(record), record).value(), 0u);
  EXPECT_EQ(read(file), edited);
}

TEST_F(ConsolidateTest, NothingIsAddedThroughALinkOutOfTheVault) {
  say("Likes tea.");
  folder.write("elsewhere.md", "Not here.\n");
  std::filesystem::create_directories(memory->vault().file("consolidated"));
  std::filesystem::create_symlink("../../elsewhere.md", memory->vault().file(file));
  run_builtin();
  EXPECT_EQ(counts().pending, 0);
  EXPECT_EQ(folder.read("elsewhere.md"), "Not here.\n");
  EXPECT_NE(read("consolidated/memory-2.md").find("Likes tea."), std::string::npos);
}

// --- rebuild ---

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
  say("Works at Google.");
  run_builtin();
  std::string bytes = read(file);
  write(file, bytes.replace(bytes.find("Google"), 6, "Amazon"));
  ASSERT_TRUE(memory->bring_up_to_date());
  RunRecord record = start();
  ASSERT_EQ(file_edited_entries(*memory, identity_of(record), record).value(), 1u);
  finish(record);
  ASSERT_TRUE(correct(*memory, entry_with("Works at Amazon.").from.back(), "Works at Siemens."));
  ASSERT_TRUE(correct(*memory, entry_with("Works at Siemens.").id, "Works at Apple."));
  rebuild();
  EXPECT_EQ(durable_texts(), Texts{"Works at Apple."});
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
  ASSERT_TRUE(merge_entry(*memory, {gone.id, gone.hash, gone.from, clock.now(), {}}, entry_with("Anna sails. Bert paints.").id));
  bytes = read(file);
  const size_t begin = bytes.rfind("<!--m", bytes.find("\nBert paints.\n"));
  write(file, bytes.erase(begin, bytes.find("Bert paints.\n", bytes.find("-->", begin)) + 13 - begin));
  rebuild();
  EXPECT_EQ(durable_texts(), Texts{"Anna sails. Bert paints."});
  EXPECT_EQ(counts().pending, 0);
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
