// The values of the options that choose entries, shared by search, list and recent (operations/filter.h declares them).
#pragma once

#include "cli/command.h"
#include "indexer/index_reader.h"
#include "memory/filter_values.h"

namespace loci::cli {

// Fills a filter from those options; their values were checked before. `now`: what "7d" counts back from.
EntryFilter filter_from(const Arguments& arguments, Instant now);

// --limit, or what stands in its place; `most` if it is more. ErrorCode::usage for 0.
Result<size_t> limit_from(const Arguments& arguments, size_t otherwise, size_t most = most_listed);

}  // namespace loci::cli
