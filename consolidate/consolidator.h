// One run of consolidation, from the gates to the core of MEMORY.md. On the thread that calls it, in any process; the consolidation
// lock keeps runs apart. Design: consolidation page.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "consolidate/gates.h"
#include "consolidate/run_record.h"
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

struct Consolidated {
  GateVerdict gates;
  bool ran = false;
  std::optional<RunRecord> run;          // if it ran
  std::vector<ClusterPreview> previews;  // of a dry run
  std::int64_t calls = 0, tokens = 0;    // of a dry run: what a run would take
  size_t promoted = 0;                   // lines of the core
  std::vector<std::string> notes;        // for a person
  std::optional<Error> failure;          // a remote one: exit 6; what was done stays done
};

// `open_language_model` makes the configured model; asked only if the configuration names one and it is needed.
using OpenLanguageModel = std::function<Result<std::unique_ptr<LanguageModel>>()>;

class Consolidator {
 public:
  Consolidator(Memory& memory, OpenLanguageModel open_language_model)
      : memory_(memory), open_language_model_(std::move(open_language_model)) {}

  // What is known about the gates at this moment; brings the index up to date.
  Result<GateFacts> look();
  Result<Consolidated> run(const ConsolidateOptions& options);

 private:
  Memory& memory_;
  OpenLanguageModel open_language_model_;
};

}  // namespace loci
