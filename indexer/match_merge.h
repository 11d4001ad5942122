// The lists of a question's phrases -> which rows match, and what of each term stands in them. Arithmetic alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "indexer/index_reader.h"

namespace loci {

// The rows of one phrase, in order, and where in each it stands.
struct PhraseRows {
  static constexpr int in_context = -1;  // in the place of a position, behind all of them

  std::vector<RowId> rows;
  std::vector<std::uint32_t> ends;  // of each row's positions
  std::vector<int> positions;       // in the text
};

// One meaning a list.
Matches merge_lists(std::span<const PhraseRows> lists, std::span<const PhraseMeaning> meanings);

}  // namespace loci
