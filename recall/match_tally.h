// What one pass over the index found, gathered for scoring: entries with their neighbours, threads, and how often each term and
// each pair of terms stands in them. Keeps its memory from one query to the next. One object belongs to one thread.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "recall/class_weights.h"
#include "recall/numbering.h"
#include "recall/relevance.h"

namespace loci {

class MatchTally {
 public:
  static constexpr std::uint32_t none = Numbering::none;

  struct Thread {
    ThreadId id = 0;
    double length = 0;
  };
  struct Neighbour {
    std::uint32_t match = none;
    double length = 0;  // 0: there is none
  };

  // Everything given has to live until the next call. Inactive entries are left out unless asked for.
  void gather(const RankingPlan& plan, const Matches& matches, const Statistics& statistics, ColumnSource& source, bool inactive);

  size_t terms() const { return terms_; }
  size_t pairs() const { return pairs_; }
  const ClassWeights& turns() const { return turns_; }
  const ClassWeights& rest() const { return rest_; }

  // The entries that match and, of turns, the two before and after each.
  std::vector<RankedEntry>& entries() { return entries_; }
  // Its row among the matches; none for a neighbour that does not match itself.
  std::uint32_t match_of(size_t entry) const { return match_of_[entry]; }
  // The two entries before and the two behind, in that order.
  std::array<Neighbour, 4> neighbours_of(const EntryColumns& columns);

  // Per term: in the text of a match; in its headings and tags.
  std::span<const std::uint32_t> counts(size_t match) const { return row(counts_, match, terms_); }
  std::span<const std::uint32_t> context_counts(size_t match) const { return row(context_counts_, match, terms_); }
  std::uint32_t pair_count(size_t match, size_t pair) const;
  bool begins_with(size_t match, size_t term) const;

  std::span<const Thread> threads() const { return threads_; }
  std::uint32_t number_of(ThreadId thread) const { return thread_numbers_.find(thread); }
  // Per term, headings and tags included with their weight; per pair.
  std::span<const std::uint32_t> thread_counts(size_t thread) const { return row(thread_counts_, thread, terms_); }
  std::span<const std::uint32_t> thread_pairs(size_t thread) const { return row(thread_pairs_, thread, pairs_); }

 private:
  static std::span<const std::uint32_t> row(const std::vector<std::uint32_t>& table, size_t number, size_t width) {
    return std::span(table).subspan(number * width, width);
  }

  void count_terms();
  void add_matches(bool inactive);
  void add_neighbours(size_t entry);
  std::uint32_t add_entry(RowId row, const EntryColumns& columns, std::uint32_t match);
  std::uint32_t add_thread(ThreadId thread);
  void tally_turn(ThreadId thread, size_t match);
  void tally_alone(size_t match);
  void weigh();

  const RankingPlan* plan_ = nullptr;
  const Matches* matches_ = nullptr;
  ColumnSource* source_ = nullptr;
  size_t terms_ = 0, pairs_ = 0;
  ClassWeights turns_, rest_;
  std::vector<RankedEntry> entries_;
  std::vector<std::uint32_t> match_of_, counts_, context_counts_;
  std::vector<Thread> threads_;
  std::vector<std::uint32_t> thread_counts_, thread_pairs_;
  Numbering entry_numbers_, thread_numbers_;
};

}  // namespace loci
