#include "indexer/match_merge.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

namespace loci {
namespace {

constexpr int nearness = 3;  // of neighbouring terms: two words may stand between them

template <typename Number>
void add_up(Number& sum, unsigned value) {
  sum = static_cast<Number>(std::min<unsigned>(sum + value, std::numeric_limits<Number>::max()));
}

std::uint64_t bit_of(size_t number) { return std::uint64_t{1} << number % 64; }

// Both in order.
bool stand_near(std::span<const int> positions, std::span<const int> others) {
  auto first = others.begin();
  for (const int position : positions) {
    while (first != others.end() && *first < position - nearness) ++first;
    for (auto other = first; other != others.end() && *other <= position + nearness; ++other)
      if (*other != position) return true;
  }
  return false;
}

// Goes over all lists at once, as many rows at a time as lie in a window: what is known of those is small enough to stay near the
// processor, and each list costs what stands in it, however many there are.
class Merger {
 public:
  Merger(std::span<const PhraseRows> lists, std::span<const PhraseMeaning> meanings) {
    size_t longest = 0;
    for (const PhraseMeaning& meaning : meanings) matches_.terms = std::max<size_t>(matches_.terms, meaning.term + size_t{1});
    lists_of_term_.resize(matches_.terms);
    for (size_t i = 0; i < lists.size(); ++i) {
      if (lists[i].rows.empty()) continue;
      if (!meanings[i].repeats) lists_of_term_[meanings[i].term].push_back(lists_.size());
      lists_.push_back({&lists[i], &meanings[i], 0, std::vector<std::uint32_t>(window)});
      longest = std::max(longest, lists[i].rows.size());
    }
    cells_.resize(window * matches_.terms);
    matches_.rows.reserve(longest);
    matches_.cells.reserve(longest * matches_.terms);
  }

  Matches merge() {
    while (begin_window()) {
      for (List& list : lists_) add_rows(list);
      take_rows();
    }
    return std::move(matches_);
  }

 private:
  static constexpr size_t window = 512;

  struct List {
    const PhraseRows* phrase;
    const PhraseMeaning* meaning;
    size_t next;                        // row of the list
    std::vector<std::uint32_t> places;  // by row of the window: where it is in the list, if it is there

    bool is_over() const { return next == phrase->rows.size(); }
    std::span<const int> positions(size_t place) const {
      const std::uint32_t begin = place > 0 ? phrase->ends[place - 1] : 0;
      return std::span(phrase->positions).subspan(begin, phrase->ends[place] - begin);
    }
    // In the text of a row; none if the list does not have it.
    std::span<const int> text_positions(RowId row, size_t in_window) const {
      const size_t place = places[in_window];
      if (phrase->rows[place] != row) return {};
      auto found = positions(place);
      while (!found.empty() && found.back() == PhraseRows::in_context) found = found.first(found.size() - 1);
      return found;
    }
  };

  // False: there is no row left.
  bool begin_window() {
    bool any = false;
    first_row_ = std::numeric_limits<RowId>::max();
    for (const List& list : lists_) {
      if (list.is_over()) continue;
      any = true;
      first_row_ = std::min(first_row_, list.phrase->rows[list.next]);
    }
    return any;
  }

  void add_rows(List& list) {
    const PhraseRows& phrase = *list.phrase;
    for (; !list.is_over() && phrase.rows[list.next] - first_row_ < window; ++list.next) {
      const size_t row = phrase.rows[list.next] - first_row_;
      taken_[row / 64] |= bit_of(row);
      list.places[row] = static_cast<std::uint32_t>(list.next);
      Matches::Cell& cell = cells_[row * matches_.terms + list.meaning->term];
      for (const int position : list.positions(list.next))
        if (add_occurrence(*list.meaning, position, cell)) terms_[row] |= bit_of(list.meaning->term);
    }
  }

  // True: it may stand near one of another term.
  static bool add_occurrence(const PhraseMeaning& meaning, int position, Matches::Cell& cell) {
    if (position == PhraseRows::in_context) {
      if (!meaning.repeats) add_up(cell.in_context, 1);
      return false;
    }
    add_up(cell.weight, meaning.weight);
    if (meaning.exact) cell.exact = true;
    if (meaning.repeats) return false;
    if (position == 0) cell.leads = true;
    return true;
  }

  void take_rows() {
    for (size_t word = 0; word < taken_.size(); ++word)
      for (std::uint64_t left = std::exchange(taken_[word], 0); left != 0; left &= left - 1)
        take_row(word * 64 + static_cast<size_t>(std::countr_zero(left)));
  }

  void take_row(size_t row) {
    const std::span cells = std::span(cells_).subspan(row * matches_.terms, matches_.terms);
    const std::uint64_t terms = std::exchange(terms_[row], 0);
    for (std::uint64_t left = terms & terms >> 1; left != 0; left &= left - 1) {
      const auto term = static_cast<size_t>(std::countr_zero(left));
      cells[term].beside_next = is_beside_next(term, row);
    }
    matches_.rows.push_back(first_row_ + static_cast<RowId>(row));
    matches_.cells.insert(matches_.cells.end(), cells.begin(), cells.end());
    std::ranges::fill(cells, Matches::Cell{});
  }

  bool is_beside_next(size_t term, size_t row) const {
    const RowId number = first_row_ + static_cast<RowId>(row);
    for (const size_t list : lists_of_term_[term]) {
      const auto positions = lists_[list].text_positions(number, row);
      for (const size_t other : lists_of_term_[term + 1])
        if (stand_near(positions, lists_[other].text_positions(number, row))) return true;
    }
    return false;
  }

  Matches matches_;
  std::vector<List> lists_;                         // those that have rows
  std::vector<std::vector<size_t>> lists_of_term_;  // whose occurrences are its own
  // The window: a row is known by how far behind the first it is.
  RowId first_row_ = 0;
  std::array<std::uint64_t, window / 64> taken_{};  // bits: some list has it
  std::array<std::uint64_t, window> terms_{};       // bits: it has that term in its text; questions have at most 64
  std::vector<Matches::Cell> cells_;
};

}  // namespace

Matches merge_lists(std::span<const PhraseRows> lists, std::span<const PhraseMeaning> meanings) {
  return Merger(lists, meanings).merge();
}

}  // namespace loci
