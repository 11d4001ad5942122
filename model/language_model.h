// A language model that is asked one question at a time: instructions and data in, one JSON text out. It has no tools and no memory
// of what was asked before. What it answers is a proposal; whoever asked checks it.
//
// One thread at a time may call ask(); the rest is const and may be called from any.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

#include "base/json.h"
#include "base/result.h"

namespace loci {

struct ModelRequest {
  std::string task;          // "consolidate/1": the prompt and its version, for logs
  std::string instructions;  // the system prompt
  std::string input;         // the user's message; text of memories stands in it fenced, as data
  Json schema;               // JSON schema of the answer: every property required, no additional ones
  std::int64_t max_output_tokens = 8'192;
};

struct TokenUse {
  std::int64_t input = 0, output = 0;

  std::int64_t total() const { return input + output; }
  bool operator==(const TokenUse&) const = default;
};

struct ModelAnswer {
  std::string text;  // as the model wrote it: JSON, perhaps with prose around it
  TokenUse tokens;   // as the provider counted them; estimated if it did not say
};

// What the last ask() left behind if it failed.
struct FailedAsk {
  TokenUse tokens;  // charged for an answer that cannot be used
  // The server asked to be left alone for so long, counted from now: come back then (after_failed_run() of model/model_use.h).
  std::optional<std::chrono::milliseconds> retry_after;
};

class LanguageModel {
 public:
  virtual ~LanguageModel() = default;

  // Waits for the whole answer, through retries. ErrorCode::remote if there is none: the server, a limit, a stop reason that is not
  // a normal end, or `stop`. Nothing was changed anywhere then, and it may be asked again.
  virtual Result<ModelAnswer> ask(const ModelRequest& request, std::stop_token stop) = 0;

  // The tokens that asking would send, counted over the body of the request (tokens/estimate.h).
  virtual std::int64_t tokens_to_send(const ModelRequest& request) const = 0;

  // "claude (anthropic, claude-sonnet-4-5)": for logs, status and the ledger. Never a key, never an address.
  virtual const std::string& name() const = 0;

  // Of the thread that asks.
  virtual FailedAsk last_failure() const { return {}; }
};

}  // namespace loci
