// Which entries stand in the core of MEMORY.md, which is in every prompt. Falling out of it changes nothing else.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "consolidate/decide/material.h"
#include "model/language_model.h"
#include "parser/core_file.h"
#include "vault/layout/vault.h"
#include "vault/logs/recall_log.h"

namespace loci {

struct PromotedLine {
  std::string ref;   // the entry
  std::string text;  // one line, without its bullet

  bool operator==(const PromotedLine&) const = default;
};

struct PromotionInput {
  const std::vector<DurableEntry>& entries;
  const RecallCounts& recalls;
  std::vector<std::string> barred;      // ids and hashes of texts: a person took their line out: not offered
  size_t most_lines = 200;              // loci's own lines
  std::vector<std::string> shown = {};  // refs in the core now: what took a place there, an agent's update say, keeps it
  std::string today = {};               // for the prompt; empty: not told
};

inline constexpr size_t most_promoted_characters = 4'000;

// Few and useful: corrections and what a person told to do from now on, then what was recalled on two days and more, then a
// person's preferences, then what is shown already. The rest waits until it is looked up. Within a kind by days, recalls, trust,
// date. Of two entries that contradict each other (`against`) the newer alone. Nothing that may not be sent to a model; each text
// once; at most `most_lines` and most_promoted_characters. Pure.
std::vector<PromotedLine> builtin_promotion(const PromotionInput& input);

// False: a model need not be asked.
bool is_anything_offered(const PromotionInput& input);

ModelRequest promotion_request(const PromotionInput& input);  // task "promote/1"
// Unknown ids are dropped, so is what is too long; the order is the model's.
Result<std::vector<PromotedLine>> parse_promotion(std::string_view answer, const PromotionInput& input);

// ErrorCode::refused while git's conflict markers stand in MEMORY.md: nobody knows yet which lines it has.
Status check_no_conflict(std::string_view core_file);

// Puts the lines between the markers of MEMORY.md, behind those that a person added there, and the promotion into the ledger. A
// line that a person changed since it was promoted stays as it is. ErrorCode::refused, with the file as it was, if the markers are
// not in order, by check_no_conflict(), or if it was saved and that is not understood yet. False: nothing to change. `to_leave`:
// entries that get no line, and keep the one that they have.
Result<bool> write_promotion(const Vault& vault, const std::vector<PromotedLine>& lines, const std::string& run,
                             std::int64_t generation, const std::set<std::string>& to_leave = {});

}  // namespace loci
