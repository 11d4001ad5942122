// What nobody knows yet. Of what is missing from its file it is not certain whether a person took it out: the facts of such entries
// count as they did when the entries stood there. Of what stands between git's conflict markers in the archive a person has yet to
// choose one side. One thread.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "indexer/index_reader.h"
#include "memory/memory.h"

namespace loci {

// Ids.
Result<std::set<std::string>> facts_in_question(Memory& memory);

// The files of the archive in which git's conflict markers stand, as the index knows them.
Result<std::set<std::string>> archive_files_in_conflict(Memory& memory);

// The entries of the files that a person is asked about, and what is missing from those: nobody knows yet what they are to say.
Result<std::set<std::string>> entries_in_question(Memory& memory);

// How many of them the index counts as pending.
Result<std::int64_t> pending_in_question(Memory& memory);

// What is too old is of no more use, but for what an answer may be about.
Status prune_versions_but_asked(const Vault& vault);

// What the index counts, with what is in question as settled. If that cannot be told, as it is.
FactCounts fact_counts(Memory& memory, FactCounts of_index);

}  // namespace loci
