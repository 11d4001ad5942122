// What an import adds to a vault: told from what the vault has, and has removed. Nothing is written.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "memory/import.h"
#include "memory/import_own.h"
#include "vault/logs/chronicle.h"

namespace loci {

struct ImportPlan {
  std::vector<ExportedEntry> facts, consolidated;  // what is new: facts, turns and summaries; durable entries
  struct Update {
    ExportedEntry entry;  // under the id of this version
    std::string old;      // the version that it supersedes
  };
  std::vector<Update> updates;
  std::vector<ImportedText> own;    // for user.md and MEMORY.md
  std::vector<LedgerEntry> ledger;  // that settle facts, new or known, as they were where they come from
  std::vector<LeftOut> left_out;
  std::vector<NoRoom> no_room;  // those are among the facts
  size_t known = 0;
};

Result<ImportPlan> plan_import(Memory& memory, const std::vector<ExportedEntry>& entries, const std::set<std::string>& kept_out);

// It belongs into consolidated/: runs made it of facts.
bool is_durable(const Entry& entry);

}  // namespace loci
