#include "indexer/standing.h"

#include <algorithm>
#include <span>

namespace loci {
namespace {

// Words that whoever deleted it did not know are a new statement, even under the old id: a person's, or those of a fact that went
// into it and has not ended.
bool hits_present_text(const Tombstone& tombstone, const StoredEntry& entry, const LogFindings& findings) {
  const bool knows_text = !tombstone.text_hash.empty() || !tombstone.loose.empty();
  const bool says_the_same = tombstone.text_hash == entry.hash || (!findings.loose.empty() && tombstone.loose == findings.loose);
  return !knows_text || says_the_same || (entry.sum == SumState::same && !findings.says_standing_fact);
}

// Words that were deleted under whatever id stay deleted, unless they were said again later. A note's own date proves nothing:
// whoever wrote the note chose it.
bool hits_same_words(const Tombstone& tombstone, const StoredEntry& entry) {
  const bool said_later = entry.place != Place::note && entry.metadata.at && *entry.metadata.at > tombstone.at;
  return entry.metadata.from.empty() && !said_later;
}

const Tombstone* end_of(const StoredEntry& entry, const LogFindings& findings) {
  if (findings.tombstone && hits_present_text(*findings.tombstone, entry, findings)) return &*findings.tombstone;
  if (findings.same_text && hits_same_words(*findings.same_text, entry)) return &*findings.same_text;
  // What a person wrote over it does not go with what loci had made of its facts, nor does what another one of them says.
  if (findings.foundation && entry.sum != SumState::differs && !findings.says_standing_fact) return &*findings.foundation;
  return nullptr;
}

using Outcome = LedgerEntry::Outcome;

// A fact is settled into an entry only as long as that entry says it. What was ignored went into none.
bool settles(const LedgerFinding& line) {
  if (line.outcome == Outcome::quarantined) return false;
  return line.outcome == Outcome::ignored || line.entry != EntryFate::lost;
}

}  // namespace

Standing standing_of(const StoredEntry& entry, const LogFindings& findings) {
  Standing standing;
  if (is_shown_line(entry)) {
    standing.active = false;
    standing.superseded_by = entry.metadata.ref;
  } else if (const auto* end = end_of(entry, findings)) {
    standing.active = false;
    standing.superseded_by = end->superseded_by;
  }
  const auto undone = std::ranges::find(findings.ledger, Outcome::undone, &LedgerFinding::outcome);  // the latest one
  const std::span counting(findings.ledger.begin(), undone);
  const auto settled = std::ranges::find_if(counting, settles);
  const bool is_archive_fact = entry.place == Place::archive && entry.kind == EntryKind::fact;
  standing.pending = is_archive_fact && standing.active && settled == counting.end();
  standing.quarantined =
      standing.pending && std::ranges::find(counting, Outcome::quarantined, &LedgerFinding::outcome) != counting.end();
  const bool is_consolidated = settled != counting.end() && settled->outcome != Outcome::ignored;
  standing.layer = layer_of(entry.place, entry.kind, is_consolidated);
  const bool is_state = entry.kind == EntryKind::task_summary && entry.metadata.category == working_state;
  if (is_state && standing.active) standing.layer = Layer::L0;
  return standing;
}

}  // namespace loci
