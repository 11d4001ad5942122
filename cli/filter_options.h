// The options that choose entries, shared by search, list and recent.
#pragma once

#include <array>

#include "cli/command.h"
#include "indexer/index_reader.h"
#include "memory/filter_values.h"

namespace loci::cli {

inline constexpr auto filter_options = std::to_array<OptionSpec>({
    {"--layer", "LAYER", ValueKind::layer, "only this layer", true},
    {"--tag", "TAG", ValueKind::tag, "only with this tag", true},
    {"--project", "NAME", ValueKind::project, "only of this project"},
    {"--source", "SOURCE", ValueKind::source, "only said by", true},
    {"--kind", "KIND", ValueKind::kind, "only this kind", true},
    {"--since", "DATE", ValueKind::date, "from this date on"},
    {"--until", "DATE", ValueKind::date, "up to and with this date"},
});

// Fills a filter from those options; their values were checked before.
EntryFilter filter_from(const Arguments& arguments);

// --limit, or what stands in its place; `most` if it is more. ErrorCode::usage for 0.
Result<size_t> limit_from(const Arguments& arguments, size_t otherwise, size_t most = most_listed);

}  // namespace loci::cli
