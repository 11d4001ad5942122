// A run's record as the JSON that is kept, and back. Pure.
#pragma once

#include <optional>

#include "consolidate/runs/run_record.h"

namespace loci {

// All but the clusters, and those: two files, because only few who look at runs want to know what was in them.
Json head_to_json(const RunRecord& record);
Json clusters_to_json(const RunRecord& record);

// None if it is no record. Members that are missing are empty.
std::optional<RunRecord> run_record_from(const Json& head);
void take_in_clusters(RunRecord& record, const Json& clusters);

}  // namespace loci
