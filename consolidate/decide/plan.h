// From a checked decision to what is written: which entries change, with which metadata, and the lines of the ledger. The metadata
// is code's alone: ids, dates, days, sources, trust. Pure.
//
// What the material does not hold is left empty, and is looked up when the plan is applied: the hashes of facts that were settled
// before this run (`fact_hash` of lines with the outcome `merged` or `undone`, `text_hash` of tombstones).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "consolidate/decide/operations.h"
#include "parser/metadata.h"
#include "vault/logs/logs.h"

namespace loci {

struct RunIdentity {
  std::string run;  // its id
  std::int64_t generation = 1;
  Instant at;
};

// A fact as it stood when it was decided about.
struct FactCited {
  std::string id, hash, text, day;
  Source source = Source::user;
};

// An entry of consolidated/ before and after.
struct PlannedEntry {
  std::string id;
  std::string before_hash;  // of the text that stands there; empty: the entry is new
  std::string file;         // where it stands; empty: new
  bool removed = false;
  std::string into;   // of one that is removed: the entry that took it in
  Metadata metadata;  // as it will stand; without `sum` and `end`
  std::string text;
  std::vector<FactCited> facts;  // why
};

struct Plan {
  std::vector<PlannedEntry> changes;  // each id once
  std::vector<LedgerEntry> ledger;
  std::vector<Tombstone> tombstones;  // of what a correction overrules

  bool empty() const { return changes.empty() && ledger.empty(); }
};

// `decision` has passed check_operations(). Ids of new entries: "c-" and 20 hex digits of SHA-256 over the first fact's id; if an
// entry has that id already, or had it and was deleted, over its id, a line end and its hash.
//
// `source` is the lowest trust among the facts that the text rests on; equal texts count once, with the highest. Of an entry that
// is replaced every new fact counts, and if there are none it keeps its own; what is merged into it counts likewise.
// `updated` is the newest day said by a fact that ranks at least as the entry then does; never the day of the run.
// A correction rests on nothing but its own facts; those that the entry rested on are overruled with it (tombstones).
Plan make_plan(const Decision& decision, const Material& material, const Cluster& cluster, const RunIdentity& identity);

}  // namespace loci
