// What is still true: whether an entry is active, pending, and in which layer, from what it says and what the logs say about it.
// A pure function; a table test holds it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "indexer/stored_entry.h"
#include "vault/logs/logs.h"

namespace loci {

// What became of the consolidated entry that a line of the ledger names.
enum class EntryFate : std::uint8_t {
  unnamed,  // the line names none
  stands,   // it has a place in the vault, or what it was merged into has one
  ended,    // it was deleted or corrected, or words that were filed of it since overruled the line's fact: somebody meant it to go;
            // or it had been merged into a text without a comment, and that is gone
  lost,     // it is in no file, and nobody said so: an old buffer was saved over it
};

// A line of the ledger's highest generation for an entry's id and text.
struct LedgerFinding {
  LedgerEntry::Outcome outcome = LedgerEntry::Outcome::added;
  EntryFate entry = EntryFate::unnamed;
};

// The lines of the logs that concern one entry; those of the ledger from the latest on.
struct LogFindings {
  // The latest line of its id, if that deletes or corrects it.
  std::optional<Tombstone> tombstone;
  // Of all ids that are deleted or corrected with a line that ends its text and carries this text's hash or its loose one: the one
  // with the latest `at`. For a correction only of those that are deleted; for what was restored only of those that were removed
  // after that.
  std::optional<Tombstone> same_text;
  // Of the ids that it rests on (`from`), the first one that is deleted or corrected.
  std::optional<Tombstone> foundation;
  // Another one has not ended, and says what the entry says.
  bool says_standing_fact = false;
  std::vector<LedgerFinding> ledger;
  std::string loose = {};  // the loose hash of the entry's own text; empty if there are no tombstones
};

// The category of a task's working state: L0 as long as it counts, so that every session can begin with it.
inline constexpr std::string_view working_state = "working-state";

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
