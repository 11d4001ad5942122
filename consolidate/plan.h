// From a checked decision to what is written: which entries change, with which metadata, and the lines of the ledger. The metadata
// is code's alone: ids, dates, days, sources, trust. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "consolidate/operations.h"
#include "parser/metadata.h"
#include "vault/logs.h"

namespace loci {

struct RunIdentity {
  std::string run;  // its id
  std::int64_t generation = 1;
  Instant at;
};

struct EntryChange {
  std::string id;
  std::string before_hash;  // of the text that stands there; empty: the entry is new
  std::string file;         // where it stands; empty: new
  bool removed = false;
  Metadata metadata;  // as it will stand; without `sum` and `end`
  std::string text;
};

struct Plan {
  std::vector<EntryChange> changes;
  std::vector<LedgerEntry> ledger;

  bool empty() const { return changes.empty() && ledger.empty(); }
};

// `decision` has passed check_decision(). Ids of new entries: "c-" and 20 hex digits of SHA-256 over the first fact's id; if an
// entry has that id already, over its id, a line end and its hash.
Plan make_plan(const Decision& decision, const Material& material, const Cluster& cluster, const RunIdentity& identity);

// Would the run, with this plan on top of what it did so far, lose at least 4 entries and more than 10 % of them, or shrink their
// text by more than 20 % and 2 KB? ErrorCode::refused says so, with the figures.
struct RunLosses {
  std::int64_t entries_before = 0, entries_lost = 0;
  std::int64_t bytes_before = 0, bytes_lost = 0;  // lost: net of what was added
};
Status check_losses(RunLosses& losses, const Plan& plan, const Material& material);

}  // namespace loci
