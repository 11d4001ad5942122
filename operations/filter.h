// The parameters that choose entries, shared by search, list and recent.
#pragma once

#include "memory/filter_values.h"
#include "operations/parameter.h"
#include "operations/values.h"

namespace loci {

inline constexpr auto filter_parameters = std::to_array<Parameter>({
    {"--layer", "LAYER", ValueKind::layer, "only this layer", true},
    {"--tag", "TAG", ValueKind::tag, "only with this tag", true, "tags"},
    {"--project", "NAME", ValueKind::project, "only of this project"},
    {"--source", "SOURCE", ValueKind::source, "only said by", true},
    {"--kind", "KIND", ValueKind::kind, "only this kind", true},
    {"--since", "DATE", ValueKind::date, "from this date on"},
    {"--until", "DATE", ValueKind::date, "up to and with this date"},
    {"--session", "ID", ValueKind::session, "only of this session"},
    {"--task", "ID", ValueKind::task, "only of this task"},
});

// ErrorCode::usage names the value that means nothing. `now`: what "7d" counts back from.
Result<EntryFilter> filter_from(const Values& values, Instant now);

}  // namespace loci
