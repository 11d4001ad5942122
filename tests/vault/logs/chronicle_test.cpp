#include "vault/logs/chronicle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/manual_clock.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_environment.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using Kind = Fate::Kind;
using Outcome = LedgerEntry::Outcome;
using Reason = Tombstone::Reason;

Instant day(int number) { return *parse_time("2026-11-01") + std::chrono::days(number); }
std::string hash(char digit) { return std::string(32, digit); }

Tombstone tombstone(const std::string& id, int at, Reason reason = Reason::deleted, char text = 'a') {
  return {day(at), id, hash(text), reason, "user", {}};
}

LedgerEntry settled(const std::string& fact, const std::string& entry, int at, Outcome outcome = Outcome::added) {
  return {1, "run-" + std::to_string(at), day(at), fact, hash('f'), outcome, entry, hash('e'), {}, {}};
}

// Two machines that have written what each list holds.
Chronicle chronicle(const std::vector<std::string>& here, const std::vector<std::string>& there = {},
                    const std::vector<std::string>& tombstones = {}) {
  const auto log = [](const std::string& path, const std::vector<std::string>& lines) {
    HostLog::File file{path, {}};
    for (const std::string& line : lines) file.bytes += line;
    return file;
  };
  return Chronicle(vault_logs_of({log(".loci/tombstones/aaaa.jsonl", tombstones)},
                                 {log(".loci/ledger/aaaa.jsonl", here), log(".loci/ledger/bbbb.jsonl", there)}));
}

Chronicle of_tombstones(std::vector<Tombstone> lines) {
  VaultLogs logs;
  logs.tombstones = std::move(lines);
  return Chronicle(std::move(logs));
}

Chronicle of_ledger(std::vector<LedgerEntry> lines) {
  VaultLogs logs;
  logs.ledger = std::move(lines);
  return Chronicle(std::move(logs));
}

TEST(ChronicleTest, AnIdThatNoLogNamesIsPending) {
  const Chronicle logs{VaultLogs{}};
  EXPECT_EQ(logs.fate_of("x").kind, Kind::pending);
  EXPECT_EQ(logs.generation(), 0);
  EXPECT_EQ(logs.latest_line("x"), nullptr);
  EXPECT_EQ(logs.tombstone_of("x"), nullptr);
  EXPECT_FALSE(logs.explains_removal("x"));
  EXPECT_THAT(logs.promoted(), IsEmpty());
}

TEST(ChronicleTest, TheLatestLineOfAnIdDecides) {
  const Chronicle logs = of_tombstones({tombstone("gone", 1), tombstone("back", 1), tombstone("back", 2, Reason::restored),
                                        tombstone("wrong", 1, Reason::corrected), tombstone("hidden", 1, Reason::demoted)});
  EXPECT_EQ(logs.fate_of("gone").kind, Kind::deleted);
  EXPECT_EQ(logs.fate_of("wrong").kind, Kind::corrected);
  EXPECT_EQ(logs.fate_of("back").kind, Kind::pending);
  EXPECT_EQ(logs.fate_of("back").tombstone->reason, Reason::restored);
  EXPECT_TRUE(logs.fate_of("hidden").demoted);
  EXPECT_EQ(logs.fate_of("hidden").kind, Kind::pending);
  EXPECT_THAT(logs.removed_ids(), ElementsAre("gone", "wrong"));
  EXPECT_THAT(logs.restored_ids(), ElementsAre("back"));
}

TEST(ChronicleTest, ALineOfTheCoreIsDemotedUntilItsEntryIsRestored) {
  const Chronicle logs =
      of_tombstones({tombstone("x", 1, Reason::demoted), tombstone("y", 1, Reason::demoted), tombstone("y", 2, Reason::restored)});
  EXPECT_TRUE(logs.is_demoted("x"));
  EXPECT_FALSE(logs.is_demoted("y"));
}

TEST(ChronicleTest, ALineStaysOutOfTheCoreThoughItsEntryWasDeletedSinceAndCameBack) {
  for (const Reason reason : {Reason::deleted, Reason::corrected}) {
    const Chronicle gone = of_tombstones({tombstone("x", 1, Reason::demoted), tombstone("x", 2, reason)});
    EXPECT_FALSE(gone.is_demoted("x")) << "nothing is left to show, and who says it again says something new";
    const Chronicle back =
        of_tombstones({tombstone("x", 1, Reason::demoted), tombstone("x", 2, reason), tombstone("x", 3, Reason::restored)});
    EXPECT_TRUE(back.is_demoted("x"));
    const Chronicle shown = of_tombstones({tombstone("x", 1, Reason::demoted), tombstone("x", 2, reason),
                                           tombstone("x", 3, Reason::restored), tombstone("x", 4, Reason::restored)});
    EXPECT_FALSE(shown.is_demoted("x"));
  }
}

TEST(ChronicleTest, ATextIsRemovedAsLongAsOneIdIsRemovedWithIt) {
  const Chronicle logs = of_tombstones(
      {tombstone("x", 1), tombstone("y", 2), tombstone("y", 3, Reason::restored), tombstone("z", 2, Reason::deleted, 'b')});
  EXPECT_EQ(logs.text_removed_at(hash('a')), day(1));
  EXPECT_EQ(logs.text_removed_at(hash('b')), day(2));
  EXPECT_EQ(logs.text_removed_at(hash('c')), std::nullopt);
}

TEST(ChronicleTest, AFactIsSettledIntoWhatItsEntryWasMergedInto) {
  LedgerEntry merge = settled("f", "c-one", 2, Outcome::merged);
  merge.into = "c-two";
  merge.entry_hash.clear();
  const Chronicle logs = of_ledger({settled("f", "c-one", 1), merge});
  EXPECT_EQ(logs.fate_of("f").kind, Kind::settled);
  EXPECT_EQ(logs.fate_of("f").into, "c-two");
  EXPECT_EQ(logs.fate_of("c-one").kind, Kind::merged);
  EXPECT_EQ(logs.fate_of("c-one").into, "c-two");
  EXPECT_TRUE(logs.explains_removal("c-one"));
  EXPECT_FALSE(logs.explains_removal("c-two"));
  EXPECT_THAT(logs.entries_made_of("f"), ElementsAre("c-one", "c-two"));
  EXPECT_EQ(logs.lines_of_entry("c-two").size(), 1u);
}

TEST(ChronicleTest, AnEntryThatGaveWayToTheSameWordsHasATwin) {
  LedgerEntry other = settled("g", "c-two", 1), merge = settled("f", "c-one", 3, Outcome::merged);
  other.entry_hash = hash('2');
  merge.into = "c-two";
  merge.entry_hash.clear();
  EXPECT_EQ(of_ledger({settled("f", "c-one", 1), other, merge}).twin_of("c-one"), "") << "it says something else";
  LedgerEntry again = settled("h", "c-one", 2);
  again.entry_hash = hash('2');
  const Chronicle logs = of_ledger({settled("f", "c-one", 1), other, again, merge});
  EXPECT_EQ(logs.twin_of("c-one"), "c-two");
  EXPECT_EQ(logs.twin_of("c-two"), "");
  EXPECT_EQ(of_ledger({again, other}).twin_of("c-one"), "") << "both stand";
}

TEST(ChronicleTest, AnotherTextOfAFactIsNotSettledByItsLine) {
  const Chronicle logs = of_ledger({settled("f", "c", 1)});
  EXPECT_EQ(logs.fate_of("f", hash('f')).kind, Kind::settled);
  EXPECT_EQ(logs.fate_of("f", hash('0')).kind, Kind::pending);
  EXPECT_EQ(logs.latest_line("f", hash('0')), nullptr);
}

TEST(ChronicleTest, WhatWasUndoneIsPendingAndItsEntryGone) {
  LedgerEntry undone = settled("f", "c", 2, Outcome::undone);
  undone.entry_hash.clear();
  const Chronicle logs = of_ledger({settled("f", "c", 1), undone});
  EXPECT_EQ(logs.fate_of("f").kind, Kind::pending);
  EXPECT_EQ(logs.fate_of("c").kind, Kind::undone);
  EXPECT_TRUE(logs.explains_removal("c"));
}

TEST(ChronicleTest, ATextIsExplainedByTheLineThatWroteItLast) {
  LedgerEntry first = settled("f", "c", 1), second = settled("g", "c", 2, Outcome::replaced);
  first.entry_hash = hash('1');
  second.entry_hash = hash('2');
  const Chronicle logs = of_ledger({first, second});
  EXPECT_FALSE(logs.explains_text("c", hash('1')));
  EXPECT_TRUE(logs.explains_text("c", hash('2')));
  EXPECT_FALSE(logs.explains_text("other", ""));
  EXPECT_THAT(logs.entries_of_run("run-1"), UnorderedElementsAre("c"));
  EXPECT_EQ(logs.last_run(), "run-2");
}

TEST(ChronicleTest, AGenerationCountsOnceItIsWhole) {
  LedgerEntry anew = settled("f", "c-new", 5);
  anew.generation = 2;
  const GenerationMark begun{2, "rebuild", day(4), false}, whole{2, "rebuild", day(6), true};
  const auto old = format(settled("f", "c-old", 1));
  const Chronicle half = chronicle({old, format(begun), format(anew)});
  EXPECT_EQ(half.generation(), 1);
  EXPECT_EQ(half.fate_of("f").into, "c-old");
  EXPECT_FALSE(half.explains_removal("c-old"));
  const Chronicle done = chronicle({old, format(begun), format(anew), format(whole)});
  EXPECT_EQ(done.generation(), 2);
  EXPECT_EQ(done.fate_of("f").into, "c-new");
  EXPECT_TRUE(done.explains_removal("c-old")) << "the rebuild left it behind";
  EXPECT_EQ(chronicle({old, format(anew)}).generation(), 2) << "without such lines a generation is whole";
}

TEST(ChronicleTest, TheLatestPromotionOfEachRefCountsWhicheverMachineWroteIt) {
  const PromotedLines here{1, "r1", day(1), {{"a", hash('1')}, {"b", hash('1')}}, std::vector<std::string>{}};
  const PromotedLines there{1, "r2", day(2), {{"b", hash('2')}, {"c", hash('1')}}, std::vector<std::string>{}};
  const Chronicle logs = chronicle({format(here)}, {format(there)});
  ASSERT_EQ(logs.promoted().size(), 3u);
  EXPECT_EQ(logs.promoted().at("a").line_hash, hash('1'));
  EXPECT_TRUE(logs.promoted().at("a").stands) << "the other machine did not take it out";
  EXPECT_EQ(logs.promoted().at("b").line_hash, hash('2'));
  EXPECT_TRUE(logs.ever_promoted("b", hash('1')));
  EXPECT_FALSE(logs.ever_promoted("b", hash('3')));
  EXPECT_FALSE(logs.only_followed("b", hash('1'))) << "a run wrote it";
  EXPECT_FALSE(logs.only_followed("b", hash('3'))) << "nobody did";
  EXPECT_FALSE(logs.explains_line_removal("a"));
  EXPECT_THAT(logs.newly_promoted(), UnorderedElementsAre("b", "c"));
  const PromotedLines followed{1, std::string(in_step_run) + "r3", day(3), {{"a", hash('3')}}, std::vector<std::string>{}};
  EXPECT_TRUE(chronicle({format(here), format(followed)}).only_followed("a", hash('3')));
}

TEST(ChronicleTest, ALineThatAPromotionTookOutIsExplained) {
  const PromotedLines first{1, "r1", day(1), {{"a", hash('1')}}, std::vector<std::string>{}};
  const PromotedLines second{1, "r2", day(2), {{"b", hash('1')}}, std::vector<std::string>{"a"}};
  EXPECT_TRUE(chronicle({format(first)}, {format(second)}).explains_line_removal("a"));
  const PromotedLines again{1, "r3", day(3), {{"a", hash('1')}}, std::vector<std::string>{}};
  EXPECT_FALSE(chronicle({format(first), format(again)}, {format(second)}).explains_line_removal("a"));
}

TEST(ChronicleTest, WhatAnOldLineDroppedIsSeenByTheLineBeforeIt) {
  const PromotedLines first{1, "r1", day(5), {{"a", hash('1')}, {"b", hash('1')}}};
  const PromotedLines second{1, "r2", day(2), {{"b", hash('1')}}};  // the clock had gone back
  const Chronicle logs = chronicle({format(first), format(second)});
  EXPECT_TRUE(logs.explains_line_removal("a"));
  EXPECT_FALSE(logs.explains_line_removal("b"));
}

TEST(ChronicleTest, ItIsReadAnewOnlyWhenALogChanged) {
  TemporaryFolder folder;
  ManualClock clock;
  std::filesystem::create_directories(folder / "vault");
  const auto vault = Vault::open(folder / "vault", environment_in(folder, "test"), real_file_system(), clock);
  ASSERT_TRUE(vault);
  KnownChronicle known;
  const auto empty = *known.of(*vault);
  EXPECT_EQ(*known.of(*vault), empty);
  ASSERT_TRUE(append_tombstones(*vault, {tombstone("x", 1)}));
  const auto grown = *known.of(*vault);
  EXPECT_NE(grown, empty);
  EXPECT_TRUE(grown->is_removed("x"));
  EXPECT_FALSE(empty->is_removed("x")) << "whoever holds it goes on with what it said";
}

}  // namespace
}  // namespace loci
