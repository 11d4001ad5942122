// One pass over what matches: an FTS5 auxiliary function that writes down, for each matching row, how often each phrase of the
// expression stands in it. Everything else that ranking needs is arithmetic on that.
#pragma once

#include <string>

#include "indexer/index_reader.h"
#include "indexer/sqlite.h"

namespace loci {

Status register_term_collector(Database& database);

// Fails with ErrorCode::usage if `expression` is no FTS5 query or has more than Matches::max_phrases phrases.
Result<Matches> collect_matches(Database& database, const std::string& expression);

}  // namespace loci
