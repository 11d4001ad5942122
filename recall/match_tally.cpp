#include "recall/match_tally.h"

#include <algorithm>

#include "recall/question_fit.h"

namespace loci {
namespace {

// A heading over a conversation is indexed with one of its turns only and stands for all of them.
constexpr float thread_heading_weight = 5;
// An assistant's long answers repeat the words of a subject; what it is about is what the person says. Unless it is asked for.
constexpr float assistant_weight = 0.4F;

float frequency_of(const Matches::Cell& cell) { return static_cast<float>(cell.weight) / PhraseMeaning::one; }

template <typename Vector>
void release_if_large(Vector& vector) {
  constexpr size_t large = size_t{256} << 10;
  if (vector.capacity() * sizeof(typename Vector::value_type) > large) Vector().swap(vector);
}

}  // namespace

void MatchTally::gather(const RankingPlan& plan, const Matches& matches, const Statistics& statistics, ColumnSource& source,
                        bool inactive) {
  plan_ = &plan;
  matches_ = &matches;
  source_ = &source;
  terms_ = plan.weights.size();
  pairs_ = terms_ > 0 ? terms_ - 1 : 0;
  entries_.clear();
  fits_.clear();
  threads_.clear();
  thread_counts_.clear();
  thread_pairs_.clear();
  turn_matches_.clear();
  turn_numbers_.clear();
  thread_numbers_.clear();
  turns_.begin_turns(statistics.turns, terms_);
  rest_.begin_rest(statistics.rest, terms_);
  if (terms_ == matches.terms) add_matches(inactive);
  weigh(plan.weights);
}

void MatchTally::shrink() {
  release_if_large(entries_);
  release_if_large(fits_);
  release_if_large(thread_counts_);
  release_if_large(turn_matches_);
}

void MatchTally::add_matches(bool inactive) {
  entries_.reserve(matches_->rows.size());
  fits_.reserve(matches_->rows.size());
  constexpr size_t read_together = 64;
  std::array<EntryColumns, read_together> columns;
  bool has_turns = false;
  for (size_t match = 0; match < matches_->rows.size(); ++match) {
    const size_t place = match % read_together;
    if (place == 0) {
      const size_t count = std::min(read_together, matches_->rows.size() - match);
      source_->entries(std::span(matches_->rows).subspan(match, count), columns);
    }
    if (columns[place].active || inactive) has_turns |= add_match(match, columns[place]);
  }
  if (!has_turns) return;
  const size_t found = entries_.size();
  for (size_t i = 0; i < found; ++i)
    if (fits_[i] == 0) add_neighbours(source_->entry(entries_[i].row));
}

// True: it is a turn.
bool MatchTally::add_match(size_t match, const EntryColumns& columns) {
  const RowId row = matches_->rows[match];
  const auto number = static_cast<std::uint32_t>(match);
  if (columns.thread == 0) {
    add_entry(row, number, role_of(columns, plan_->cues) * time_of(columns, *plan_));
    tally_alone(matches_->of(match));
    return false;
  }
  add_entry(row, number, 0);
  turn_numbers_.add(row);
  turn_matches_.push_back(number);
  tally_turn(columns, matches_->of(match));
  return true;
}

void MatchTally::add_entry(RowId row, std::uint32_t match, double fit) {
  entries_.push_back({row, match, 0});
  fits_.push_back(fit);
}

// The two entries before and behind a match: its words are said around them.
void MatchTally::add_neighbours(const EntryColumns& columns) {
  for (RowId EntryColumns::* direction : {&EntryColumns::previous, &EntryColumns::next}) {
    RowId row = columns.*direction;
    for (int distance = 0; distance < 2 && row != 0; ++distance) {
      const EntryColumns there = source_->entry(row);
      if (!there.active || there.thread != columns.thread) break;
      if (turn_numbers_.find(row) == none) {
        turn_numbers_.add(row);
        turn_matches_.push_back(none);
        add_entry(row, none, 0);
      }
      row = there.*direction;
    }
  }
}

std::array<MatchTally::Neighbour, 4> MatchTally::neighbours_of(const EntryColumns& columns) const {
  std::array<Neighbour, 4> neighbours{};
  const auto look = [&](RowId row, RowId EntryColumns::* direction, Neighbour& near, Neighbour& far) {
    for (Neighbour* neighbour : {&near, &far}) {
      if (row == 0) return;
      const EntryColumns there = source_->entry(row);
      if (!there.active) return;
      const std::uint32_t number = turn_numbers_.find(row);
      *neighbour = {true, number == none ? none : turn_matches_[number], there};
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

void MatchTally::tally_turn(const EntryColumns& columns, std::span<const Matches::Cell> cells) {
  const std::uint32_t known = thread_numbers_.find(columns.thread);
  const std::uint32_t number = known == none ? add_thread(columns.thread) : known;
  const float speaker = columns.speaker == Speaker::assistant && !plan_->cues.of_assistant ? assistant_weight : 1;
  for (size_t t = 0; t < terms_; ++t) {
    turns_.entries_exact[t] += cells[t].exact;
    turns_.entries_with[t] += cells[t].weight > 0;
    thread_counts_[number * terms_ + t] += speaker * frequency_of(cells[t]) + thread_heading_weight * cells[t].in_context;
  }
  for (size_t pair = 0; pair < pairs_; ++pair) thread_pairs_[number * pairs_ + pair] |= cells[pair].beside_next;
}

void MatchTally::tally_alone(std::span<const Matches::Cell> cells) {
  for (size_t t = 0; t < terms_; ++t) {
    if (cells[t].weight == 0 && cells[t].in_context == 0) continue;
    const double all = frequency_of(cells[t]) + cells[t].in_context;
    rest_.entries_exact[t] += cells[t].exact;
    rest_.entries_with[t] += cells[t].weight > 0;
    rest_.threads_with[t] += all > 0;
    rest_.occurrences[t] += all;
  }
  for (size_t pair = 0; pair < pairs_; ++pair) rest_.threads_with_pair[pair] += cells[pair].beside_next;
}

void MatchTally::weigh(std::span<const double> term_weights) {
  for (size_t thread = 0; thread < threads_.size(); ++thread) {
    const auto found = thread_counts(thread);
    const auto pairs = thread_pairs(thread);
    for (size_t t = 0; t < terms_; ++t) {
      turns_.threads_with[t] += found[t] > 0;
      turns_.occurrences[t] += found[t];
    }
    for (size_t pair = 0; pair < pairs_; ++pair) turns_.threads_with_pair[pair] += pairs[pair];
  }
  turns_.weigh(term_weights);
  rest_.weigh(term_weights);
}

}  // namespace loci
