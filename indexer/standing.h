// What is still true: whether an entry is active, pending, and in which layer, from what it says and what the logs say about it.
// A pure function; a table test holds it.
#pragma once

#include <optional>
#include <string>

#include "indexer/stored_entry.h"
#include "vault/logs.h"

namespace loci {

// The lines of the logs that concern one entry.
struct LogFindings {
  // The latest line of its id, if that deletes or corrects it.
  std::optional<Tombstone> tombstone;
  // Of all ids that are deleted or corrected with a line that carries this text's hash: the one with the latest `at`.
  std::optional<Tombstone> same_text;
  // Of the ids that it rests on (`from`), the first one that is deleted or corrected.
  std::optional<Tombstone> foundation;
  // The latest line of the ledger's highest generation for this id and text that is not `quarantined`.
  std::optional<LedgerEntry::Outcome> outcome;
  bool quarantined = false;  // there is one that is
};

struct Standing {
  bool active = true;
  bool pending = false;
  bool quarantined = false;
  Layer layer = Layer::L1;
  std::string superseded_by;  // of an inactive entry, if known

  bool operator==(const Standing&) const = default;
};

Standing standing_of(const StoredEntry& entry, const LogFindings& findings);

}  // namespace loci
