// How far two words are apart, for "did you mean". Pure.
#pragma once

#include <cstddef>
#include <string_view>

namespace loci {

// Levenshtein: letters put in, left out or changed.
size_t edit_distance(std::string_view a, std::string_view b);

// The same, where `word` may be a part of `whole` that stands anywhere in it: what is left out at its ends costs nothing.
size_t distance_within(std::string_view word, std::string_view whole);

}  // namespace loci
