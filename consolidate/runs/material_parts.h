// What a Material is read from, for those parts of consolidation that need only some of it. The index has been brought up to date;
// one thread.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "consolidate/decide/material.h"
#include "memory/memory.h"
#include "memory/vault_logs.h"
#include "vault/logs/chronicle.h"

namespace loci {

// Its failures, quarantine, privacy and earlier versions are not known.
Fact fact_of(Entry&& entry);
// What it took the place of, by its own word (`corrects`) and by the tombstones, and what that took the place of.
Result<std::vector<FactVersion>> earlier_versions(Memory& memory, const Chronicle& chronicle, const Fact& fact);

// Entries of consolidated/ that have metadata, inactive ones too, by file and line.
Result<std::vector<Entry>> consolidated_entries(Memory& memory);

// Whether entries stand in consolidated/ that a forgotten fact ended while others of their facts still hold: those are settled into
// nothing that anybody sees until settle_unfinished() lets go of them.
Result<bool> has_entries_to_take_apart(Memory& memory);

// git's conflict markers or bytes that are not UTF-8, which a rewrite would lose, stand in them, or a question to a person waits.
Result<std::set<std::string>> files_to_leave_alone(Memory& memory);

// Sorted ids of everything that was deleted or corrected, and of the entries that are inactive for another reason.
std::vector<std::string> ended_ids(const VaultLogs& logs, const std::vector<Entry>& entries);

// As if none of `facts` was settled, beside those entries of `standing` that rest on no fact: none of them is writable.
Result<Material> read_material_of_rebuild(Memory& memory, std::vector<Entry> facts, std::vector<Entry> standing,
                                          const Chronicle& chronicle);

}  // namespace loci
