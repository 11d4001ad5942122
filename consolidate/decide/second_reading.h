// What code cannot know of an operation a model reads: whether a text still means what was said. It sees operations of several
// clusters at once, without the reasons of the first answer and without who gave it. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "consolidate/decide/operations.h"
#include "model/language_model.h"

namespace loci {

inline constexpr const char* verify_prompt_version = "verify/2";
inline constexpr size_t most_read_operations = 40;      // of one call
inline constexpr size_t most_read_characters = 16'000;  // likewise

// An operation of a decision; both outlive it.
struct OperationToRead {
  const Decision* decision = nullptr;
  size_t operation = 0;
};

// Those that say something in other words: each ADD but of one fact word for word, each REPLACE with its REMOVEs, each DUPLICATE of
// other words.
std::vector<OperationToRead> operations_to_read(const Decision& decision, const Material& material);

// In portions of one call each.
std::vector<std::vector<OperationToRead>> portions_to_read(const std::vector<OperationToRead>& operations,
                                                           const Material& material);

//   {"problems":[{"op":2,"what":"certainty changed","why":"the fact says might"}]}
//
// `op` counts the operations of the request from 1. What is not named is in order.
ModelRequest verify_request(const std::vector<OperationToRead>& operations, const Material& material);

// By operation of the request; ErrorCode::refused: another shape, or a number of nothing.
Result<Violations> parse_problems(std::string_view answer, size_t operations);

}  // namespace loci
