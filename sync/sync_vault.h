// A whole sync: what a person did here and what git brought already is understood, then vault and remote exchange what they have,
// then what came is understood, too (edits/what_came.h). `loci sync`, and the daemon from time to time.
#pragma once

#include "base/result.h"
#include "memory/memory.h"
#include "sync/exchange.h"

namespace loci {

struct Synced {
  Exchanged exchanged;
  std::vector<std::string> removed;   // entries that said what another one says, as two machines consolidated at once
  std::vector<std::string> pending;   // facts that are folded anew after that
  std::vector<std::string> ended;     // entries that ended elsewhere, or were made of what did
  std::vector<std::string> restored;  // entries that were taken back last, and went with an end that came later
};

// Fails like exchange(). What cannot be understood or settled now is by the next sync, command or daemon.
Result<Synced> sync_vault(Memory& memory, const ExchangeOptions& options);

// {"v":1,"remote","branch","commit","sent","received","conflicts","removed","ended","restored","pending","tries","dry_run"}
Json synced_to_json(const Synced& synced, bool dry_run);

}  // namespace loci
