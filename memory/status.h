// The state of a vault in numbers, with everything that a person should look at.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "memory/json_shapes.h"
#include "memory/memory.h"
#include "vault/layout/problem.h"
#include "vault/rewrite/user_file.h"

namespace loci {

// What loci keeps outside the vault for this machine: the index, and what may be lost without losing a memory.
struct StateUse {
  std::string folder;
  std::uint64_t bytes = 0;  // of all its files
};

struct StatusReport {
  std::string vault, host, host_name, primary;
  LayerCounts entries;
  FactCounts facts;
  UserFileUse user_file;
  // Of files, of logs, of the settings; conflict files, the limit of user.md and what came back to the archive among them.
  std::vector<Problem> problems;
  IndexState index;
  StateUse state;
};

// The problems of the vault that one can know without building an index: settings, folders and files that cannot be read, folders
// that cannot be written, a full disk, conflict files, user.md over its limit, markers of MEMORY.md, what of it does not fit the
// prompt, torn logs, a git operation that does not end.
Result<std::vector<Problem>> vault_problems(const Vault& vault);

// What stands in the place of a file: "a folder", "no regular file"; empty: the file, or nothing.
std::string what_stands_instead_of(const path& file);

Result<StatusReport> status(Memory& memory, const Freshness& freshness);

Json layers_to_json(const LayerCounts& counts);
Json facts_to_json(const FactCounts& counts);
Json status_to_json(const StatusReport& report);

}  // namespace loci
