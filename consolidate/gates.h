// Whether consolidation may run now. A pure function over what is known; a table test holds it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json.h"

namespace loci {

struct GateFacts {
  Instant now;
  bool enabled = true;
  bool is_consolidating_host = true;     // [consolidation] hosts and the vault's primary
  std::string consolidating_host;        // who it is instead
  bool can_replace = true;               // the file system can exchange two files
  std::string unwritable;                // a folder that entries are written to and may not be; empty: none
  std::optional<Instant> rebuild_begun;  // one that is not done, and that this run does not go on with
  std::string git_operation;             // "MERGE_HEAD"; empty: none
  std::string other_branch;              // why nothing is written on this branch of git; empty: it is the right one
  std::int64_t pending = 0;              // quarantined facts not counted
  std::int64_t quarantined = 0;
  std::int64_t in_question = 0;  // facts of entries that a person may have taken out: not pending
  std::string questions;         // the files that `loci resolve` asks about; empty: none
  std::optional<Instant> oldest_pending;
  std::optional<Instant> last_run;
  int failed_runs = 0;  // the latest ones, in a row
  // It was killed, the disk failed, or a fact was forgotten since that ended an entry of several: what that left is finished
  // whatever the time and the volume.
  bool is_unfinished = false;
  bool uses_model = false;
  std::int64_t tokens_today = 0, tokens_a_day = 0;  // of the model; limit 0: none
  std::optional<Instant> put_off_until;             // by the model's server, or by the breaker
  std::string put_off_reason;
  std::optional<std::string> lock_holder;  // who has the consolidation lock
};

struct GateLimits {
  double min_hours = 24;
  std::int64_t min_facts = 20;
  std::int64_t max_days = 14;
};

struct Gate {
  std::string name;    // "disabled", "host", "file system", "permissions", "rebuild", "git", "nothing pending", "question", "failed
                       // before", "time", "volume", "budget", "put off", "lock"
  std::string reason;  // for a person: "12 of 20 facts are pending"
  std::optional<Instant> opens_at;  // when it may open by itself, if that is known
};

struct GateVerdict {
  std::vector<Gate> closed;  // in the order in which they are checked, all of them

  bool open() const { return closed.empty(); }
};

// After runs that failed the next one waits 1, 2, 4 … 24 hours instead of `min_hours`, and for no further facts. `force` passes
// time, volume, "failed before" and "put off"; never the host, the lock, the budget, a rebuild or git. With force, facts that are
// quarantined count as pending.
GateVerdict check_gates(const GateFacts& facts, const GateLimits& limits, bool force);

// {"open":…,"closed_by":[{"gate","reason","opens_at"}]}
Json gates_to_json(const GateVerdict& verdict);

}  // namespace loci
