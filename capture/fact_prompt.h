// The question which facts a conversation holds, and the strict reading of what a model answers. Memory text is fenced as data.
// Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "capture/known_facts.h"
#include "model/language_model.h"

namespace loci {

struct ProposedFact {
  enum class Kind : std::uint8_t { fact, preference, correction };
  std::int64_t turn = 0;  // of a gap-fill: where it was said
  std::string text;
  std::vector<std::string> about;
  Kind kind = Kind::fact;
  std::string quote;
  std::optional<KnownFact> corrects = {};  // the known fact that it names as wrong
};

// Tasks "extract/2" and "gap-fill/2". `said`: lines of one turn, of a window of turns.
ModelRequest extract_request(std::string_view said, const std::vector<KnownFact>& known);
ModelRequest gap_fill_request(std::string_view said, const std::vector<KnownFact>& known);

// What was answered, whole or not at all: ErrorCode::remote if any part of it is not as it was asked for. `known` and `turns`:
// those that were shown; an extraction shows one turn, and gives none.
Result<std::vector<ProposedFact>> parse_facts(std::string_view answer, const std::vector<KnownFact>& known,
                                              const std::set<std::int64_t>& turns = {});

inline constexpr size_t most_proposed_facts = 50, longest_proposed_fact = 1'000;

}  // namespace loci
