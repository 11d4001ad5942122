// The beginning of a text on one line, for timelines. Pure.
#pragma once

#include <string>
#include <string_view>

namespace loci {

// White space collapsed, cut to at most `most` code points, with an ellipsis where something is missing.
std::string excerpt(std::string_view text, size_t most);

// What of a text, from its beginning, ends with a sentence or a line within `most` code points; empty if none does.
std::string_view whole_sentences(std::string_view text, size_t most);

// Of the first line that is not blank the sentences that end within `most` code points, or the first one where that is at most
// three times as long; white space collapsed, with an ellipsis behind them where something is missing. What is one longer sentence,
// or none, is cut at a word's end.
std::string first_sentences(std::string_view text, size_t most);

}  // namespace loci
