// Byte-pair encoding of one piece: neighbours merge, the pair of the lowest rank first, the left one of equals, until no pair is a
// token (Sennrich et al., Neural Machine Translation of Rare Words with Subword Units, 2016). Pure.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tokens/token_table.h"

namespace loci {

// Appends the ranks of the piece's tokens. O(n log n) in its bytes.
void merge(const TokenTable& table, std::string_view piece, std::vector<std::uint32_t>& ranks);

}  // namespace loci
