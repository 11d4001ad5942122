// The stat sweep against what an index knows. Writes nothing.
#pragma once

#include <future>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "indexer/file_table.h"
#include "indexer/log_tables.h"

namespace loci {

struct Sweep {
  size_t files_seen = 0;
  std::map<std::string, std::optional<FileState>> changed;  // by path; none: gone
  std::vector<KnownFile> confirmed;  // racy when they were indexed, and now seen to be unchanged: indexed_at is new
  std::vector<std::string> changed_logs;
  std::vector<std::string> racy_logs;  // as confirmed
  std::vector<FileState> logs;
  std::vector<Problem> problems;
};

Result<Sweep> sweep(const Vault& vault, Database& database);
Result<Sweep> sweep(const Vault& vault, Database& database, std::future<Result<Scan>> walk);  // of a walk under way
// Only these files, and the logs.
Result<Sweep> sweep(const Vault& vault, Database& database, const std::vector<std::string>& paths);

}  // namespace loci
