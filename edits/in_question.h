// What is missing from its file, while it is not certain yet whether a person took it out: the facts of such entries count as they
// did when the entries stood there. One thread.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "indexer/index_reader.h"
#include "memory/memory.h"

namespace loci {

// Ids.
Result<std::set<std::string>> facts_in_question(const Vault& vault);

// The entries of the files that a person is asked about, and what is missing from those: nobody knows yet what they are to say.
Result<std::set<std::string>> entries_in_question(Memory& memory);

// How many of them the index counts as pending, because their entry stands in no file.
Result<std::int64_t> pending_in_question(Memory& memory);

// What is too old is of no more use, but for what an answer may be about.
Status prune_versions_but_asked(const Vault& vault);

// What the index counts, with what is in question as settled. If that cannot be told, as it is.
FactCounts fact_counts(Memory& memory, FactCounts of_index);

}  // namespace loci
