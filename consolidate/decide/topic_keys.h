// Topic keys as a model writes them, in the one form in which they are kept and compared. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace loci {

inline constexpr size_t most_topic_keys = 5;
inline constexpr size_t longest_topic_key = 40;  // characters

// Lower case, no diacritics, single blanks; empty if it is too long or holds what no key needs (controls, markup).
std::string topic_key(std::string_view written);

// A list of strings -> its first keys, without repeats and those that are none. They are hints, so that a bad one is left out and
// costs nothing else. ErrorCode::refused if it is no list of strings; null counts as an empty one.
Result<std::vector<std::string>> topic_keys(const Json& list);

}  // namespace loci
