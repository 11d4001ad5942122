#include "consolidate/runs/store.h"

#include "consolidate/runs/failures.h"
#include "edits/decisions.h"
#include "edits/understand.h"
#include "memory/forget.h"
#include "memory/restore.h"
#include "parser/entry_edit.h"
#include "tests/consolidate/consolidate_fixture.h"
#include "tests/support/interrupting_file_system.h"

namespace loci {
namespace {

using Outcome = LedgerEntry::Outcome;
using Ids = std::vector<std::string>;

class StoreTest : public ConsolidateTest {};

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

}  // namespace
}  // namespace loci
