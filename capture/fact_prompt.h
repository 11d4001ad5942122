// The question which facts a conversation holds, and the strict reading of what a model answers. Memory text is fenced as data.
// Pure.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/language_model.h"

namespace loci {

struct ProposedFact {
  enum class Kind : std::uint8_t { fact, preference, correction };
  std::int64_t turn = 0;  // of a gap-fill: where it was said
  std::string text;
  std::vector<std::string> about;
  Kind kind = Kind::fact;
  std::string quote;
};

// Tasks "extract/1" and "gap-fill/1". `said`: lines of one turn, of a window of turns; `known`: texts of facts.
ModelRequest extract_request(std::string_view said, const std::vector<std::string>& known);
ModelRequest gap_fill_request(std::string_view said, const std::vector<std::string>& known);

// What was answered, whole or not at all: ErrorCode::remote if any part of it is not as it was asked for. `turns`: those that were
// shown, of a gap-fill; empty for an extraction.
Result<std::vector<ProposedFact>> parse_facts(std::string_view answer, const std::set<std::int64_t>& turns = {});

// Does the user's text hold the quote (case and white space aside), and the quote a word of the fact that carries meaning?
bool user_said(const ProposedFact& fact, std::string_view user);

inline constexpr size_t most_proposed_facts = 50, longest_proposed_fact = 1'000;

}  // namespace loci
