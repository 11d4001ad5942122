// A whole sync: what a person did here is understood, then vault and remote exchange what they have, then what came is taken in,
// runs of two machines at once are settled, and what people did elsewhere is understood. `loci sync`, and the daemon from time to
// time.
#pragma once

#include "base/result.h"
#include "memory/memory.h"
#include "sync/exchange.h"
#include "sync/settle_runs.h"

namespace loci {

struct Synced {
  Exchanged exchanged;
  SettledRuns settled;
  std::vector<std::string> ended;     // entries that ended elsewhere, or were made of what did
  std::vector<std::string> restored;  // entries that were taken back last, and went with an end that came later
};

// Fails like exchange(). What cannot be understood or settled now is by the next sync, command or daemon.
Result<Synced> sync_vault(Memory& memory, const ExchangeOptions& options);

// {"v":1,"remote","branch","commit","sent","received","conflicts","removed","ended","restored","pending","tries","dry_run"}
Json synced_to_json(const Synced& synced, bool dry_run);

}  // namespace loci
