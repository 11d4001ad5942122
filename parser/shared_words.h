// How much of one text another one says. Pure.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace loci {

// Runs of word characters, folded, each once; a CJK character is a word of its own.
std::set<std::string> folded_words(std::string_view text);

// The share of the words of `text` (function words too) that `other` has as well; 0..1, 0 for a text without words.
double shared_words(std::string_view text, std::string_view other);

}  // namespace loci
