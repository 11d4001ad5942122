// A whole index from nothing, into a file that nobody else knows yet: without journal and sync, indexes last.
#pragma once

#include "base/result.h"
#include "indexer/indexer.h"
#include "indexer/sqlite.h"

namespace loci {

// On failure the file is gone. On success it is complete, in WAL mode and not yet synced.
Result<ReconcileReport> build_index(const Vault& vault, const path& file, const ProgressCallback& progress);

// What the sweep itself found, kept for problems().
void write_scan_problems(Database& database, const std::vector<Problem>& problems);
std::vector<Problem> read_scan_problems(Database& database);

}  // namespace loci
