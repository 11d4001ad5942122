// One pass over the list of each phrase: an FTS5 auxiliary function that writes down, for each matching row, how much of each term
// stands in it, whether the text begins with it, and which terms stand near each other. Everything else that ranking needs is
// arithmetic on that.
#pragma once

#include <span>
#include <string>

#include "indexer/index_reader.h"
#include "indexer/kept_lists.h"
#include "indexer/sqlite.h"

namespace loci {

Status register_term_collector(Database& database);

// The expression is phrases joined by OR. `meanings` are theirs, from the left; without them each phrase is a term. Fails with
// ErrorCode::usage if `expression` is no FTS5 query or has too many phrases. Lists that are kept are not read again.
Result<Matches> collect_matches(Database& database, KeptLists& kept, const std::string& expression,
                                std::span<const PhraseMeaning> meanings);

}  // namespace loci
