// English words that are one word to a person and several to a stemmer: "went" is "go", "children" are a "child", "colour" is
// "color", "pics" are "photos". Pure; thread-safe.
#pragma once

#include <string_view>
#include <vector>

namespace loci {

// The other forms of a folded word; empty for a regular one. They include regular inflections where an irregular form needs them.
std::vector<std::string_view> other_forms(std::string_view folded);

}  // namespace loci
