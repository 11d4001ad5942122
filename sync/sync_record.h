// How the last sync of this machine went, and who else writes to the vault: sync/last.json in the state folder (0600), for
// `status`. Derived: without it nothing is known until the next one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "base/result.h"
#include "sync/exchange.h"
#include "vault/layout/problem.h"
#include "vault/purge/store.h"

namespace loci {

struct SyncRecord {
  std::optional<Instant> tried, done;  // the last one, and the last one that went well
  std::optional<Error> error;          // of the last one
  int failures = 0;                    // in a row
  std::string remote, branch, commit;
  GitDifference sent, received;  // of the last one that went well
  std::vector<GitPeer> peers;    // newest first; this machine, too

  void note(Instant at, const Result<Exchanged>& exchanged);
};

Result<SyncRecord> read_sync_record(const Vault& vault);
Status write_sync_record(const Vault& vault, const SyncRecord& record);

// {"tried","done","error","remote","branch","commit","sent","received","not_exchanged","peers":[{"host","name","seen","self"}]},
// null before the first sync. Asks git what waits to be exchanged.
Json sync_status(const Vault& vault);

// What git's rules from outside of the vault keep out of what is exchanged, and how to say whether that is meant; empty: nothing.
std::string what_git_keeps_out(const GitExchange& git);

// The last sync went wrong, git by hand will, git keeps memory out of it, or another tool left copies.
void add_sync_problem(const Vault& vault, std::vector<Problem>& problems);

Json difference_to_json(const GitDifference& difference);

extern const Store sync_store;

}  // namespace loci
