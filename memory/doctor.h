// A thorough look at a vault: the index against a fresh scan, every problem with file and line, the state folder. Repairs what is
// derived and nothing else: the index, permissions of the state folder, leftovers of our own unfinished writes.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "indexer/indexer.h"
#include "memory/memory.h"
#include "vault/layout/problem.h"
#include "vault/purge/store.h"

namespace loci {

struct DoctorReport {
  std::vector<Difference> differences;  // of the index; empty after a repair that helped
  std::vector<Problem> problems;        // what a person has to look at
  std::vector<std::string> repaired;    // what was mended, for a person
  // By file, how many of its entries [privacy] never_send keeps from agents: a mark that counts for more than its writer meant is
  // seen by that.
  std::map<std::string, size_t> kept_from_agents;
  Freshness freshness;

  bool healthy() const { return differences.empty() && problems.empty(); }
};

// `stores`: whose files are looked at (daemon/stores.h has all).
Result<DoctorReport> examine_vault(Memory& memory, bool repair, std::span<const Store> stores,
                                   const ProgressCallback& progress = {});

}  // namespace loci
