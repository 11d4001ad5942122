// Everything that is known about one entry: its versions before and after, what it rests on, who deleted or settled it.
#pragma once

#include <string>
#include <vector>

#include "memory/former_states.h"
#include "memory/memory.h"
#include "memory/vault_logs.h"

namespace loci {

struct EntryHistory {
  Entry entry;
  std::vector<Entry> older;           // what it replaces, latest first
  std::vector<Entry> newer;           // what replaces it, in order
  std::vector<FormerState> former;    // what it said before its changes, the latest last
  std::vector<Entry> facts;           // of a consolidated entry: what it rests on
  std::vector<Tombstone> tombstones;  // of all these ids, by time
  std::vector<LedgerEntry> settled;   // ledger lines of these ids, by time
};

// Inactive entries too, also those that were taken out of their file. Fails like find_entry.
Result<EntryHistory> history_of(Memory& memory, const std::string& id_or_prefix);

}  // namespace loci
