// One run of consolidation, from the gates to the core of MEMORY.md. On the thread that calls it, in any process; the consolidation
// lock keeps runs apart. Design: consolidation page.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "consolidate/decide/material.h"
#include "consolidate/gates.h"
#include "consolidate/runs/run_record.h"
#include "memory/memory.h"
#include "model/language_model.h"

namespace loci {

struct ConsolidateOptions {
  bool force = false;
  bool dry_run = false;
  bool rebuild = false;
  std::stop_token stop;
  ProgressCallback progress;  // clusters
};

// What one call would be, for --dry-run and --explain.
struct ClusterPreview {
  std::vector<std::string> facts, writable, shown;  // ids
  std::int64_t tokens = 0;                          // to send
  std::string prompt;                               // what would be asked; empty for builtin
};

// Of a dry run: what is asked of a model; the answers about.
struct AskingEstimate {
  std::int64_t calls = 0, tokens = 0;  // sent
  std::int64_t tokens_written = 0;     // by the model
};

struct Consolidated {
  GateVerdict gates;
  bool ran = false;
  std::optional<RunRecord> run;          // if it ran
  std::vector<ClusterPreview> previews;  // of a dry run
  AskingEstimate asking;                 // of a dry run, if the model's answers can be used as they are
  AskingEstimate mending;                // likewise: about as much more if a few of them are sent back
  std::optional<double> cost;            // of the run, or what a dry run says of `asking`; none if no price is set
  size_t promoted = 0;                   // lines of the core
  std::vector<std::string> notes;        // for a person
  std::optional<Error> failure;          // a remote one: exit 6; what was done stays done
};

// Makes the configured model; called only if the configuration names one and it is needed.
using OpenLanguageModel = std::function<Result<std::unique_ptr<LanguageModel>>()>;

inline constexpr std::string_view builtin_model = "builtin";
// The outcome of a run whose files could not all be written: the next look at the gates lets another one finish it.
inline constexpr std::string_view run_interrupted = "interrupted";
// These are tried again sooner than after `min_hours` (gates.h).
inline constexpr std::string_view run_failed = "failed", run_stopped = "stopped";
// By a shutdown or a kill: as if it had not been, but for what it settled.
inline constexpr std::string_view run_cancelled = "cancelled";

// What is known about the gates at this moment, from the index as it is, and the settings that they are held against.
Result<GateFacts> gate_facts(Memory& memory);
GateLimits gate_limits(const Vault& vault);

// Gives up a rebuild that is not done, with all that was answered for it. False: there is none. ErrorCode::locked while it runs.
Result<bool> abandon_rebuild(const Vault& vault);

// Brings the index up to date, looks at the gates, and runs if they are open. Failing clusters are in the record and in `failure`;
// an Error is something that kept the run from being made at all, or that stopped it in the middle: what was settled before stays.
Result<Consolidated> consolidate(Memory& memory, const OpenLanguageModel& open_language_model, const ConsolidateOptions& options);

}  // namespace loci
