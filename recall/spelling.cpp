#include "recall/spelling.h"

#include <algorithm>

#include "indexer/tokens.h"

namespace loci {
namespace {

constexpr size_t shortest_word = 5, right_letters = 2;

bool has_only_letters(std::string_view word) {
  return std::ranges::all_of(word, [](char c) { return (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80; });
}

// Whether one edit makes `a` of `b`: they are the same up to it and behind it.
bool is_one_edit_away(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > 1 || a == b) return false;
  const size_t same = static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  if (a.size() < b.size()) return a.substr(same) == b.substr(same + 1);
  if (a.substr(same + 1) == b.substr(same + 1)) return true;
  return same + 1 < a.size() && a[same] == b[same + 1] && a[same + 1] == b[same] && a.substr(same + 2) == b.substr(same + 2);
}

}  // namespace

Result<std::optional<std::string>> nearest_word(IndexReader& reader, std::string_view folded) {
  if (folded.size() < shortest_word || !has_only_letters(folded)) return std::nullopt;
  const std::string beginning(folded.substr(0, right_letters));
  const auto stems = reader.tokens_of(folded);
  if (stems.size() != 1) return std::nullopt;
  std::optional<std::string> nearest;
  std::uint64_t most = 0;
  // Inflected words stand in the index as they were written, too; of the others the stem is the word.
  for (const auto& [mark, word] : {std::pair{std::string(1, original_mark), std::string(folded)}, {std::string(), stems[0]}}) {
    const auto terms = TRY(reader.terms_beginning_with(mark + beginning));
    for (const auto& [term, rows] : terms) {
      const std::string_view known = std::string_view(term).substr(mark.size());
      if (rows <= most || !is_one_edit_away(word, known)) continue;
      most = rows;
      nearest = known;
    }
    if (nearest) break;
  }
  return nearest;
}

}  // namespace loci
