// A text that is longer than a prompt, in few words: window by window, then the parts together, in several levels if need be.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "indexer/indexer.h"
#include "model/language_model.h"

namespace loci {

struct SummaryTask {
  std::string task;    // "digest/1"
  std::string prompt;  // its file, "digest-1.md"
  std::string name;    // of the fence around a window
  std::string before;  // fenced too: what stands in front of every window; may be empty
};

struct ModelSummary {
  std::string text;
  std::int64_t calls = 0;
  TokenUse tokens;
};

// `lines` are made with fenced() and end with a line end; there is at least one. A window has at most window_tokens.
// ErrorCode::remote if the model fails, or answers something else than it was asked for. Each level at least halves the parts, so
// it comes to an end.
Result<ModelSummary> summarise(LanguageModel& model, const SummaryTask& task, const std::vector<std::string>& lines,
                               const std::stop_token& stop, const ProgressCallback& progress = {});

inline constexpr size_t longest_summary = 8'000;  // code points; what is longer is cut at a sentence's end

}  // namespace loci
