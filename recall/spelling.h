// A word that stands nowhere in the memory, read as its nearest neighbour there.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "indexer/index_reader.h"

namespace loci {

// The word that most entries have of those at one edit's distance: a letter put in, left out, changed, or two swapped. The first
// two letters count as right, where errors are rare (Pollock and Zamora, Automatic spelling correction in scientific and scholarly
// text, 1984), so that a look costs a few hundred terms. None for words of less than five letters or with anything but letters.
Result<std::optional<std::string>> nearest_word(IndexReader& reader, std::string_view folded);

}  // namespace loci
