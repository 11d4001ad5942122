// A long text -> the sentences around what was asked for. Pure but for the counting.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "context/similarity.h"
#include "tokens/token_counter.h"

namespace loci {

inline constexpr std::int64_t longest_text = 300;  // tokens

// Sentences end at . ! ? with a blank or a line end behind it, at their CJK forms, and at line ends. Without white space at the
// ends; none is empty.
std::vector<std::string_view> sentences_of(std::string_view text);

// The text as data on one line (context/data_text.h): whole if it has at most longest_text tokens, else the sentence with the most
// stems of `wanted` and as many around it as fit, with "…" where something is left out. Of a sentence that is too long by itself
// the beginning.
std::string line_around_match(std::string_view text, const StemCounts& wanted, const TokenCounter& counter);

}  // namespace loci
