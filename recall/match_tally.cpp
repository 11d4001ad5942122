#include "recall/match_tally.h"

namespace loci {
namespace {

// A heading over a conversation is indexed with one of its turns only and stands for all of them.
constexpr std::uint32_t thread_heading_weight = 5;

}  // namespace

void MatchTally::gather(const RankingPlan& plan, const Matches& matches, const Statistics& statistics, ColumnSource& source,
                        bool inactive) {
  plan_ = &plan;
  matches_ = &matches;
  source_ = &source;
  terms_ = plan.terms.size();
  pairs_ = plan.pairs.size();
  for (auto* table : {&match_of_, &thread_counts_, &thread_pairs_}) table->clear();
  entries_.clear();
  threads_.clear();
  entry_numbers_.clear();
  thread_numbers_.clear();
  turns_.begin_turns(statistics.turns, terms_, pairs_);
  rest_.begin_rest(statistics.rest, terms_, pairs_);
  count_terms();
  add_matches(inactive);
  weigh();
}

void MatchTally::count_terms() {
  counts_.assign(matches_->rows.size() * terms_, 0);
  context_counts_.assign(matches_->rows.size() * terms_, 0);
  for (size_t match = 0; match < matches_->rows.size(); ++match)
    for (size_t t = 0; t < terms_; ++t)
      for (const size_t phrase : plan_->terms[t].phrases) {
        const size_t at = match * matches_->phrases + phrase;
        counts_[match * terms_ + t] += matches_->counts[at];
        context_counts_[match * terms_ + t] += matches_->context_counts[at];
      }
}

std::uint32_t MatchTally::pair_count(size_t match, size_t pair) const {
  const size_t at = match * matches_->phrases + plan_->pairs[pair];
  return std::uint32_t{matches_->counts[at]} + matches_->context_counts[at];
}

bool MatchTally::begins_with(size_t match, size_t term) const {
  const auto& leading = plan_->terms[term].leading;
  return leading && matches_->counts[match * matches_->phrases + *leading] > 0;
}

void MatchTally::add_matches(bool inactive) {
  entries_.reserve(matches_->rows.size());
  match_of_.reserve(matches_->rows.size());
  for (size_t match = 0; match < matches_->rows.size(); ++match) {
    const EntryColumns columns = source_->entry(matches_->rows[match]);
    if (!columns.active && !inactive) continue;
    add_entry(matches_->rows[match], columns, static_cast<std::uint32_t>(match));
    if (columns.thread != 0)
      tally_turn(columns.thread, match);
    else
      tally_alone(match);
  }
  const size_t found = entries_.size();
  for (size_t entry = 0; entry < found; ++entry)
    if (entries_[entry].columns.thread != 0) add_neighbours(entry);
}

std::uint32_t MatchTally::add_entry(RowId row, const EntryColumns& columns, std::uint32_t match) {
  entries_.push_back({row, columns, 0, 0});
  match_of_.push_back(match);
  return entry_numbers_.add(row);
}

// The two entries before and behind a match: its words are said around them.
void MatchTally::add_neighbours(size_t entry) {
  for (RowId EntryColumns::* direction : {&EntryColumns::previous, &EntryColumns::next}) {
    RowId row = entries_[entry].columns.*direction;
    for (int distance = 0; distance < 2 && row != 0; ++distance) {
      std::uint32_t number = entry_numbers_.find(row);
      if (number == none) {
        const EntryColumns columns = source_->entry(row);
        if (!columns.active || columns.thread != entries_[entry].columns.thread) break;
        number = add_entry(row, columns, none);
      }
      row = entries_[number].columns.*direction;
    }
  }
}

std::array<MatchTally::Neighbour, 4> MatchTally::neighbours_of(const EntryColumns& columns) {
  std::array<Neighbour, 4> neighbours{};
  const auto look = [&](RowId row, RowId EntryColumns::* direction, Neighbour& near, Neighbour& far) {
    for (Neighbour* neighbour : {&near, &far}) {
      if (row == 0) return;
      const std::uint32_t number = entry_numbers_.find(row);
      const EntryColumns there = number == none ? source_->entry(row) : entries_[number].columns;
      if (!there.active) return;
      *neighbour = {number == none ? none : match_of_[number], static_cast<double>(there.text_length)};
      row = there.*direction;
    }
  };
  look(columns.previous, &EntryColumns::previous, neighbours[1], neighbours[0]);
  look(columns.next, &EntryColumns::next, neighbours[2], neighbours[3]);
  return neighbours;
}

std::uint32_t MatchTally::add_thread(ThreadId thread) {
  threads_.push_back({thread, static_cast<double>(source_->thread(thread).length)});
  thread_counts_.resize(thread_counts_.size() + terms_, 0);
  thread_pairs_.resize(thread_pairs_.size() + pairs_, 0);
  return thread_numbers_.add(thread);
}

void MatchTally::tally_turn(ThreadId thread, size_t match) {
  const std::uint32_t known = thread_numbers_.find(thread);
  const std::uint32_t number = known == none ? add_thread(thread) : known;
  const auto here = counts(match), above = context_counts(match);
  for (size_t t = 0; t < terms_; ++t) {
    turns_.entries_with[t] += here[t] > 0;
    thread_counts_[number * terms_ + t] += here[t] + thread_heading_weight * above[t];
  }
  for (size_t p = 0; p < pairs_; ++p) thread_pairs_[number * pairs_ + p] += pair_count(match, p);
}

void MatchTally::tally_alone(size_t match) {
  const auto here = counts(match), above = context_counts(match);
  for (size_t t = 0; t < terms_; ++t) {
    rest_.entries_with[t] += here[t] > 0;
    rest_.threads_with[t] += here[t] + above[t] > 0;
    rest_.occurrences[t] += here[t] + above[t];
  }
  for (size_t p = 0; p < pairs_; ++p) rest_.threads_with_pair[p] += pair_count(match, p) > 0;
}

void MatchTally::weigh() {
  for (size_t thread = 0; thread < threads_.size(); ++thread) {
    const auto found = thread_counts(thread), pairs = thread_pairs(thread);
    for (size_t t = 0; t < terms_; ++t) {
      turns_.threads_with[t] += found[t] > 0;
      turns_.occurrences[t] += found[t];
    }
    for (size_t p = 0; p < pairs_; ++p) turns_.threads_with_pair[p] += pairs[p] > 0;
  }
  turns_.weigh();
  rest_.weigh();
}

}  // namespace loci
