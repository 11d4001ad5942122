// A run's record as JSON and back. Pure.
#pragma once

#include <optional>

#include "consolidate/run_record.h"

namespace loci {

// Everything, as it is kept.
Json to_json(const RunRecord& record);
// None if it is no record. Members that are missing are empty.
std::optional<RunRecord> run_record_from(const Json& json);

}  // namespace loci
