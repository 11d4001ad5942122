#include "tokens/merge.h"

#include <array>
#include <functional>
#include <queue>
#include <tuple>

namespace loci {
namespace {

constexpr size_t short_piece = 64;  // bytes; looking at all pairs again is faster than a heap

// Parts begin at `begins`; `ranks` of a part is that of its pair with the next one.
void merge_short(const TokenTable& table, std::string_view piece, std::vector<std::uint32_t>& out) {
  std::array<std::uint8_t, short_piece + 1> begins;
  std::array<std::uint32_t, short_piece + 1> ranks;
  size_t parts = piece.size();
  const auto pair_at = [&](size_t i) {
    return i + 2 > parts ? no_rank : table.rank_of(piece.substr(begins[i], begins[i + 2] - begins[i]));
  };
  for (size_t i = 0; i <= parts; ++i) begins[i] = static_cast<std::uint8_t>(i);
  ranks.fill(no_rank);
  for (size_t i = 0; i < parts; ++i) ranks[i] = pair_at(i);
  while (parts > 1) {
    size_t best = 0;
    for (size_t i = 1; i + 1 < parts; ++i)
      if (ranks[i] < ranks[best]) best = i;
    if (ranks[best] == no_rank) break;
    for (size_t i = best + 1; i < parts; ++i) {
      begins[i] = begins[i + 1];
      ranks[i] = ranks[i + 1];
    }
    --parts;
    ranks[best] = pair_at(best);
    if (best > 0) ranks[best - 1] = pair_at(best - 1);
  }
  for (size_t i = 0; i < parts; ++i) out.push_back(table.rank_of(piece.substr(begins[i], begins[i + 1] - begins[i])));
}

// Parts as a linked list in arrays, pairs in a heap; a pair whose parts have changed since is skipped.
class LongPiece {
 public:
  LongPiece(const TokenTable& table, std::string_view piece)
      : table_(table), piece_(piece), next_(piece.size()), previous_(piece.size()), length_(piece.size(), 1) {
    for (size_t i = 0; i < piece.size(); ++i) {
      next_[i] = i + 1;
      previous_[i] = i - 1;  // of the first: none
    }
    for (size_t i = 0; i + 1 < piece.size(); ++i) push(i);
  }

  void merge(std::vector<std::uint32_t>& out) {
    while (!pairs_.empty()) {
      const auto [rank, begin, length] = pairs_.top();
      pairs_.pop();
      const size_t second = next_[begin];
      if (length_[begin] == 0 || second >= piece_.size() || length_[begin] + length_[second] != length) continue;
      join(begin, second);
    }
    for (size_t i = 0; i < piece_.size(); i = next_[i]) out.push_back(table_.rank_of(piece_.substr(i, length_[i])));
  }

 private:
  void push(size_t begin) {
    const size_t second = next_[begin];
    if (second >= piece_.size()) return;
    const size_t length = length_[begin] + length_[second];
    if (const std::uint32_t rank = table_.rank_of(piece_.substr(begin, length)); rank != no_rank)
      pairs_.emplace(rank, begin, length);
  }

  void join(size_t begin, size_t second) {
    length_[begin] += length_[second];
    length_[second] = 0;
    next_[begin] = next_[second];
    if (next_[begin] < piece_.size()) previous_[next_[begin]] = begin;
    push(begin);
    if (begin > 0) push(previous_[begin]);
  }

  using Pair = std::tuple<std::uint32_t, size_t, size_t>;  // rank, beginning, length: the left one of equals comes first

  const TokenTable& table_;
  std::string_view piece_;
  std::vector<size_t> next_, previous_, length_;
  std::priority_queue<Pair, std::vector<Pair>, std::greater<>> pairs_;
};

}  // namespace

void merge(const TokenTable& table, std::string_view piece, std::vector<std::uint32_t>& ranks) {
  if (const std::uint32_t rank = table.rank_of(piece); rank != no_rank) return ranks.push_back(rank);
  if (piece.size() <= short_piece) return merge_short(table, piece, ranks);
  LongPiece(table, piece).merge(ranks);
}

}  // namespace loci
