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
  static_assert(none == RelevanceScorer::no_match);

  struct Thread {
    ThreadId id = 0;
    double length = 0;
  };
  struct Neighbour {
    bool exists = false;
    std::uint32_t match = none;
    EntryColumns columns;
  };

  // Everything given has to live until the next call. Inactive entries are left out unless asked for.
  void gather(const RankingPlan& plan, const Matches& matches, const Statistics& statistics, ColumnSource& source, bool inactive);
  void shrink();

  size_t terms() const { return terms_; }
  const ClassWeights& turns() const { return turns_; }
  const ClassWeights& rest() const { return rest_; }
  EntryColumns columns(RowId row) const { return source_->entry(row); }

  // The entries that match and, of turns, the two before and after each.
  std::vector<RankedEntry>& entries() { return entries_; }
  // Role times time of each that has no thread; of a turn 0.
  std::span<const double> fits() const { return fits_; }
  // The two entries before and the two behind, in that order.
  std::array<Neighbour, 4> neighbours_of(const EntryColumns& columns) const;

  std::span<const Matches::Cell> cells(size_t match) const { return matches_->of(match); }

  std::span<const Thread> threads() const { return threads_; }
  std::uint32_t number_of(ThreadId thread) const { return thread_numbers_.find(thread); }
  // Per term, headings and tags included with their weight; per pair, whether its terms stand near each other somewhere.
  std::span<const float> thread_counts(size_t thread) const { return std::span(thread_counts_).subspan(thread * terms_, terms_); }
  std::span<const std::uint8_t> thread_pairs(size_t thread) const {
    return std::span(thread_pairs_).subspan(thread * pairs_, pairs_);
  }

 private:
  void add_matches(bool inactive);
  bool add_match(size_t match, const EntryColumns& columns);
  void add_entry(RowId row, std::uint32_t match, double fit);
  void add_neighbours(const EntryColumns& columns);
  std::uint32_t add_thread(ThreadId thread);
  void tally_turn(const EntryColumns& columns, std::span<const Matches::Cell> cells);
  void tally_alone(std::span<const Matches::Cell> cells);
  void weigh(std::span<const double> term_weights);

  const RankingPlan* plan_ = nullptr;
  const Matches* matches_ = nullptr;
  ColumnSource* source_ = nullptr;
  size_t terms_ = 0, pairs_ = 0;
  ClassWeights turns_, rest_;
  std::vector<RankedEntry> entries_;
  std::vector<double> fits_;
  std::vector<Thread> threads_;
  std::vector<float> thread_counts_;
  std::vector<std::uint8_t> thread_pairs_;
  Numbering turn_numbers_, thread_numbers_;  // of turns: their numbers among turn_matches_
  std::vector<std::uint32_t> turn_matches_;
};

}  // namespace loci
