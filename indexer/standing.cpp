#include "indexer/standing.h"

namespace loci {
namespace {

// A text that a person changed after the deletion is a new statement, even under the old id.
bool hits_present_text(const Tombstone& tombstone, const StoredEntry& entry) {
  return tombstone.text_hash.empty() || tombstone.text_hash == entry.hash || entry.sum == SumState::same;
}

// Words that were deleted under whatever id stay deleted, unless they were said again later. A note's own date proves nothing:
// whoever wrote the note chose it.
bool hits_same_words(const Tombstone& tombstone, const StoredEntry& entry) {
  const bool said_later = entry.place != Place::note && entry.metadata.at && *entry.metadata.at > tombstone.at;
  return entry.metadata.from.empty() && !said_later;
}

const Tombstone* end_of(const StoredEntry& entry, const LogFindings& findings) {
  if (findings.tombstone && hits_present_text(*findings.tombstone, entry)) return &*findings.tombstone;
  if (findings.same_text && hits_same_words(*findings.same_text, entry)) return &*findings.same_text;
  if (findings.foundation) return &*findings.foundation;
  return nullptr;
}

}  // namespace

Standing standing_of(const StoredEntry& entry, const LogFindings& findings) {
  Standing standing;
  if (const auto* end = end_of(entry, findings)) {
    standing.active = false;
    standing.superseded_by = end->superseded_by;
  }
  const bool is_archive_fact = entry.place == Place::archive && entry.kind == EntryKind::fact;
  standing.pending = is_archive_fact && standing.active && !findings.outcome;
  standing.quarantined = standing.pending && findings.quarantined;
  const bool settled = findings.outcome && *findings.outcome != LedgerEntry::Outcome::ignored;
  standing.layer = layer_of(entry.place, entry.kind, settled);
  return standing;
}

}  // namespace loci
