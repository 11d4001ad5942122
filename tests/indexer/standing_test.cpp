#include "indexer/standing.h"

#include <gtest/gtest.h>

namespace loci {
namespace {

const std::string present_hash(32, 'a');
const std::string other_hash(32, 'b');
const Instant noon = parse_time("2026-05-01T12:00:00Z").value();

StoredEntry archive_fact() {
  StoredEntry entry;
  entry.id = "f1";
  entry.hash = present_hash;
  entry.place = Place::archive;
  entry.metadata.at = entry.at = noon;
  return entry;
}

Tombstone tombstone(const std::string& hash, Instant at = noon + std::chrono::hours(1)) {
  Tombstone line;
  line.at = at;
  line.id = "f1";
  line.text_hash = hash;
  line.superseded_by = "f2";
  return line;
}

struct Row {
  const char* what;
  StoredEntry entry;
  LogFindings findings;
  bool active, pending;
  Layer layer;
};

StoredEntry with(StoredEntry entry, void (*change)(StoredEntry&)) {
  change(entry);
  return entry;
}

LogFindings of_id(const std::string& hash) {
  LogFindings findings;
  findings.tombstone = tombstone(hash);
  return findings;
}
LogFindings of_text(Instant at) {
  LogFindings findings;
  findings.same_text = tombstone(present_hash, at);
  return findings;
}
LogFindings of_foundation() {
  LogFindings findings;
  findings.foundation = tombstone(other_hash);
  return findings;
}
LogFindings saying_standing_fact(LogFindings findings) {
  findings.says_standing_fact = true;
  return findings;
}
LogFindings settled(LedgerEntry::Outcome outcome, EntryFate entry = EntryFate::unnamed) {
  LogFindings findings;
  findings.ledger = {{outcome, entry}};
  return findings;
}
LogFindings quarantined() { return settled(LedgerEntry::Outcome::quarantined); }
LogFindings settled_twice(LedgerFinding later, LedgerFinding earlier) {
  LogFindings findings;
  findings.ledger = {later, earlier};
  return findings;
}

TEST(Standing, APromotedLineOnlyShowsAnotherEntry) {
  const auto shown = with(archive_fact(), [](StoredEntry& e) { e.place = Place::core, e.metadata.ref = "c1"; });
  const Standing standing = standing_of(shown, {});
  EXPECT_FALSE(standing.active);
  EXPECT_EQ(standing.superseded_by, "c1");
}

TEST(Standing, FollowsFromTheEntryAndTheLogs) {
  using Outcome = LedgerEntry::Outcome;
  const auto fact = archive_fact();
  const auto turn = with(fact, [](StoredEntry& e) { e.kind = EntryKind::turn; });
  const auto note = with(fact, [](StoredEntry& e) { e.place = Place::note; });
  const auto undated = with(note, [](StoredEntry& e) { e.metadata.at.reset(); });
  const auto derived = with(note, [](StoredEntry& e) { e.place = Place::consolidated, e.metadata.from = {"f0"}; });
  const auto written = with(derived, [](StoredEntry& e) { e.sum = SumState::same; });
  const auto same = with(fact, [](StoredEntry& e) { e.sum = SumState::same; });
  const auto edited = with(fact, [](StoredEntry& e) { e.sum = SumState::differs; });
  const auto core = with(fact, [](StoredEntry& e) { e.place = Place::core; });
  const Instant before = noon - std::chrono::hours(1);
  const Row rows[] = {
      {"nothing is known of a fact", fact, {}, true, true, Layer::L1},
      {"nothing is known of a turn", turn, {}, true, false, Layer::L2},
      {"nothing is known of a note", note, {}, true, false, Layer::L1},
      {"what stands in MEMORY.md", core, {}, true, false, Layer::L0},

      {"its id was deleted with this text", fact, of_id(present_hash), false, false, Layer::L1},
      {"its id was purged", fact, of_id(""), false, false, Layer::L1},
      {"its id was deleted with another text", fact, of_id(other_hash), true, true, Layer::L1},
      {"its id was deleted with another text and it was edited", edited, of_id(other_hash), true, true, Layer::L1},
      {"its id was deleted with another text and nobody edited it", same, of_id(other_hash), false, false, Layer::L1},
      {"it was edited and then deleted", edited, of_id(present_hash), false, false, Layer::L1},

      {"its words were deleted later", fact, of_text(noon + std::chrono::hours(1)), false, false, Layer::L1},
      {"its words were deleted in the same moment", fact, of_text(noon), false, false, Layer::L1},
      {"its words were deleted before it was said", fact, of_text(before), true, true, Layer::L1},
      {"its words were deleted and it has no time", undated, of_text(before), false, false, Layer::L1},
      {"its words were deleted but it rests on facts", derived, of_text(noon), true, false, Layer::L1},

      {"a fact that it rests on was deleted", derived, of_foundation(), false, false, Layer::L1},
      {"a fact that it rests on was deleted, and it says what another one does", derived, saying_standing_fact(of_foundation()),
       true, false, Layer::L1},
      {"its id was deleted with another text, and it says what a fact does that stands", written,
       saying_standing_fact(of_id(other_hash)), true, false, Layer::L1},
      {"its id was deleted with this text, which a fact says that stands", written, saying_standing_fact(of_id(present_hash)),
       false, false, Layer::L1},
      {"its id was purged, and it says what a fact does that stands", written, saying_standing_fact(of_id("")), false, false,
       Layer::L1},

      {"it was added", fact, settled(Outcome::added), true, false, Layer::L2},
      {"it was a duplicate", fact, settled(Outcome::duplicate), true, false, Layer::L2},
      {"it was ignored", fact, settled(Outcome::ignored), true, false, Layer::L1},
      {"it was quarantined", fact, quarantined(), true, true, Layer::L1},

      {"its entry stands", fact, settled(Outcome::merged, EntryFate::stands), true, false, Layer::L2},
      {"its entry was deleted", fact, settled(Outcome::added, EntryFate::ended), true, false, Layer::L2},
      {"its entry is lost", fact, settled(Outcome::replaced, EntryFate::lost), true, true, Layer::L1},
      {"what says the same is lost", fact, settled(Outcome::duplicate, EntryFate::lost), true, true, Layer::L1},
      {"it was ignored for an entry that is lost", fact, settled(Outcome::ignored, EntryFate::lost), true, false, Layer::L1},
      {"its entry is lost and an earlier one stands", fact,
       settled_twice({Outcome::added, EntryFate::lost}, {Outcome::added, EntryFate::stands}), true, false, Layer::L2},
      {"its entry is lost and it was deleted", fact,
       [] {
         auto findings = of_id(present_hash);
         findings.ledger = settled(Outcome::added, EntryFate::lost).ledger;
         return findings;
       }(),
       false, false, Layer::L1},
  };
  for (const auto& row : rows) {
    const auto standing = standing_of(row.entry, row.findings);
    EXPECT_EQ(standing.active, row.active) << row.what;
    EXPECT_EQ(standing.pending, row.pending) << row.what;
    EXPECT_EQ(standing.layer, row.layer) << row.what;
    EXPECT_EQ(standing.superseded_by, row.active ? "" : "f2") << row.what;
  }
}

TEST(Standing, OfAQuarantinedFactSaysSoOnlyWhileItIsPending) {
  EXPECT_TRUE(standing_of(archive_fact(), quarantined()).quarantined);
  auto later = quarantined();
  later.ledger.insert(later.ledger.begin(), {LedgerEntry::Outcome::added, EntryFate::stands});
  EXPECT_FALSE(standing_of(archive_fact(), later).quarantined);
  EXPECT_FALSE(standing_of(archive_fact(), later).pending);
}

TEST(Standing, NoLineBeforeTheLatestUndoneSettlesAFact) {
  using Outcome = LedgerEntry::Outcome;
  const auto after = [](std::vector<LedgerFinding> latest_first) {
    LogFindings findings;
    findings.ledger = std::move(latest_first);
    return standing_of(archive_fact(), findings);
  };
  const LedgerFinding added{Outcome::added, EntryFate::stands}, undone{Outcome::undone, EntryFate::stands};
  const LedgerFinding ignored{Outcome::ignored, EntryFate::unnamed}, held_back{Outcome::quarantined, EntryFate::unnamed};
  EXPECT_TRUE(after({undone, added}).pending);
  EXPECT_EQ(after({undone, added}).layer, Layer::L1);
  EXPECT_TRUE(after({undone, ignored}).pending);
  EXPECT_TRUE(after({undone, added, undone, added}).pending);
  EXPECT_FALSE(after({added, undone, added}).pending);
  EXPECT_EQ(after({added, undone}).layer, Layer::L2);
  EXPECT_TRUE(after({undone}).pending);
  EXPECT_FALSE(after({undone, held_back}).quarantined);
  EXPECT_TRUE(after({held_back, undone, added}).quarantined);
}

TEST(Standing, OfADeletedFactIsNeverPending) {
  auto findings = quarantined();
  findings.tombstone = tombstone("");
  const auto standing = standing_of(archive_fact(), findings);
  EXPECT_FALSE(standing.active);
  EXPECT_FALSE(standing.pending);
  EXPECT_FALSE(standing.quarantined);
}

}  // namespace
}  // namespace loci
