#include "recall/rarity.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "recall/code_point.h"
#include "tokens/token_table.h"

namespace loci {
namespace {

constexpr double common_ranks = 1'000;

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

// A number and a character of a script without blanks are tokens without one in front of them; words begin with it.
bool stands_without_blank(std::string_view word) {
  const CodePoint first = code_point_at(word, 0);
  return first.kind == CharacterClass::cjk || (first.value >= U'0' && first.value <= U'9');
}

}  // namespace

double rarity_of(std::string_view word) {
  static const auto table = TokenTable::read(built_in_table("o200k_base"));
  if (!table || word.empty()) return 1;
  std::string token = (stands_without_blank(word) ? "" : " ") + std::string(word);
  std::uint32_t rank = std::min(table->size(), table->rank_of(token));
  const size_t first = token.size() - word.size();
  token[first] = upper(token[first]);
  rank = std::min(rank, table->rank_of(token));
  std::ranges::transform(token, token.begin(), upper);
  rank = std::min(rank, table->rank_of(token));
  return std::max(0.0, std::log((rank + 1) / common_ranks) / std::log((table->size() + 1) / common_ranks));
}

}  // namespace loci
