#include "indexer/match_merge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>

namespace loci {
namespace {

using Positions = std::vector<int>;  // in the text in order, and behind them those in the context

PhraseRows list_of(const std::map<RowId, Positions>& rows) {
  PhraseRows list;
  for (const auto& [row, positions] : rows) {
    list.rows.push_back(row);
    list.positions.insert(list.positions.end(), positions.begin(), positions.end());
    list.ends.push_back(static_cast<std::uint32_t>(list.positions.size()));
  }
  return list;
}

std::string shown(const Matches::Cell& cell) {
  return std::to_string(cell.weight) + '/' + std::to_string(cell.in_context) + (cell.exact ? "e" : "") + (cell.leads ? "l" : "") +
         (cell.beside_next ? "b" : "") + ' ';
}

std::string shown(const Matches& matches) {
  std::string text;
  for (size_t match = 0; match < matches.rows.size(); ++match) {
    text += std::to_string(matches.rows[match]) + ": ";
    for (const Matches::Cell& cell : matches.of(match)) text += shown(cell);
    text += '\n';
  }
  return text;
}

// One row after the other, and every place of it beside every other, as the header says it.
class OneByOne {
 public:
  OneByOne(const std::vector<PhraseRows>& lists, const std::vector<PhraseMeaning>& meanings) : lists_(lists), meanings_(meanings) {}

  Matches merge() {
    Matches matches;
    std::set<RowId> rows;
    for (const PhraseRows& list : lists_) rows.insert(list.rows.begin(), list.rows.end());
    for (const PhraseMeaning& meaning : meanings_) matches.terms = std::max<size_t>(matches.terms, meaning.term + size_t{1});
    matches.rows.assign(rows.begin(), rows.end());
    for (const RowId row : rows)
      for (size_t term = 0; term < matches.terms; ++term) matches.cells.push_back(cell(row, term));
    return matches;
  }

 private:
  Positions positions_of(size_t list, RowId row) const {
    const PhraseRows& phrase = lists_[list];
    const auto found = std::ranges::find(phrase.rows, row);
    if (found == phrase.rows.end()) return {};
    const auto place = static_cast<size_t>(found - phrase.rows.begin());
    const auto all = phrase.positions.begin();
    return {all + (place > 0 ? phrase.ends[place - 1] : 0), all + phrase.ends[place]};
  }

  Positions own_places(RowId row, size_t term) const {
    Positions places;
    for (size_t list = 0; list < lists_.size(); ++list)
      if (meanings_[list].term == term && !meanings_[list].repeats)
        for (const int position : positions_of(list, row))
          if (position != PhraseRows::in_context) places.push_back(position);
    return places;
  }

  Matches::Cell cell(RowId row, size_t term) const {
    Matches::Cell cell;
    for (size_t list = 0; list < lists_.size(); ++list) {
      const PhraseMeaning& meaning = meanings_[list];
      if (meaning.term != term) continue;
      for (const int position : positions_of(list, row)) {
        if (position == PhraseRows::in_context) {
          if (!meaning.repeats) cell.in_context = static_cast<std::uint8_t>(std::min(255, cell.in_context + 1));
          continue;
        }
        cell.weight = static_cast<std::uint16_t>(std::min(65'535, cell.weight + meaning.weight));
        if (meaning.exact) cell.exact = true;
      }
    }
    const Positions own = own_places(row, term), next = own_places(row, term + 1);
    cell.leads = std::ranges::find(own, 0) != own.end();
    for (const int a : own)
      for (const int b : next)
        if (a != b && std::abs(a - b) <= 3) cell.beside_next = true;
    return cell;
  }

  const std::vector<PhraseRows>& lists_;
  const std::vector<PhraseMeaning>& meanings_;
};

class Lists {
 public:
  explicit Lists(std::uint64_t seed) : random_(seed) {
    const size_t terms = 1 + below(5);
    for (size_t term = 0; term < terms; ++term)
      for (size_t form = 0; form <= below(3); ++form) {
        meanings.push_back(
            {static_cast<std::uint8_t>(term), static_cast<std::uint8_t>(1 + below(20)), below(2) == 0, form > 0 && below(2) == 0});
        lists.push_back(list());
      }
  }

  std::vector<PhraseRows> lists;
  std::vector<PhraseMeaning> meanings;

 private:
  size_t below(size_t bound) { return random_() % bound; }

  // Some lie together, some far apart; a few rows have a word very often.
  PhraseRows list() {
    std::map<RowId, Positions> rows;
    const size_t spread = below(2) == 0 ? 1 : 700;
    RowId row = 0;
    for (size_t left = below(60); left > 0; --left) {
      row += static_cast<RowId>(1 + below(3) * below(spread));
      std::set<int> places;
      for (size_t word = below(30) == 0 ? 5'000 : below(4); word > 0; --word)
        places.insert(static_cast<int>(below(9'000) % (below(2) == 0 ? 12 : 9'000)));
      Positions positions(places.begin(), places.end());
      positions.insert(positions.end(), positions.empty() ? 1 : below(30) == 0 ? 300 : below(2), PhraseRows::in_context);
      rows.emplace(row, std::move(positions));
    }
    return list_of(rows);
  }

  std::mt19937_64 random_;
};

TEST(MergedLists, SayOfEveryRowWhatEachOfThemSaysOfIt) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Lists made(seed);
    EXPECT_EQ(shown(merge_lists(made.lists, made.meanings)), shown(OneByOne(made.lists, made.meanings).merge())) << "seed " << seed;
  }
}

TEST(MergedLists, MayHaveMoreTermsThanAQuestionHas) {
  std::vector<PhraseRows> lists;
  std::vector<PhraseMeaning> meanings;
  for (std::uint8_t term = 0; term < Matches::max_phrases; ++term) {
    lists.push_back(list_of({{term + RowId{1}, {term}}}));
    meanings.push_back({.term = term});
  }
  const Matches matches = merge_lists(lists, meanings);
  EXPECT_EQ(matches.terms, Matches::max_phrases);
  EXPECT_EQ(matches.rows.size(), Matches::max_phrases);
}

TEST(MergedLists, OfNothingAreNothing) { EXPECT_TRUE(merge_lists({}, {}).rows.empty()); }

}  // namespace
}  // namespace loci
