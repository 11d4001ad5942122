// The piece of a text that shows why it was found. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace loci {

inline constexpr size_t snippet_length = 200;  // code points, without the marks of omission

// On one line: the whole text if it is short, else the stretch with the most different words, "…" where something is left out.
// `words` are folded beginnings of words ("passphras"), or whole runs of a script without blanks between words.
std::string snippet_of(std::string_view text, const std::vector<std::string>& words);

}  // namespace loci
