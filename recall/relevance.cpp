#include "recall/relevance.h"

#include <algorithm>
#include <array>
#include <span>

#include "recall/class_weights.h"

namespace loci {
namespace {

// Chosen on public conversations, each value checked on those it was not chosen on; none of them is sharp.
constexpr double entry_saturation = 1.0;      // k
constexpr double entry_length_weight = 0.3;   // b
constexpr double thread_saturation = 1.2;     // k'
constexpr double thread_length_weight = 0.6;  // b'
constexpr double thread_presence = 0.25;      // c
constexpr double thread_weight = 0.5;
constexpr double lead_weight = 0.5;
constexpr double coverage_weight = 0.5;
constexpr double coverage_saturation = 0.3;
constexpr double pair_weight = 0.5;
constexpr double best_entry_weight = 0.4;
// A heading over a conversation is indexed with one of its turns only and stands for all of them.
constexpr std::uint32_t thread_heading_weight = 5;
// Two before, one before, one after, two after: an answer stands behind its question.
constexpr std::array<double, 4> neighbour_weights = {0.15, 0.45, 0.25, 0.05};
constexpr double blended_entries = 1 + 0.15 + 0.45 + 0.25 + 0.05;

constexpr std::uint32_t nothing = 0xFFFFFFFF;

double saturated(double frequency, double k) { return frequency > 0 ? (k + 1) * frequency / (frequency + k) : 0; }

double length_norm(double weight, double length, double average) {
  return average > 0 ? 1 - weight + weight * length / average : 1;
}

// Numbers given out to ids in the order they come. Reset in time proportional to what was given out.
class Numbering {
 public:
  std::uint32_t find(std::uint32_t id) const { return id < numbers_.size() ? numbers_[id] : nothing; }
  void set(std::uint32_t id, std::uint32_t number) {
    if (id >= numbers_.size()) numbers_.resize(size_t{id} + 1, nothing);
    numbers_[id] = number;
    given_.push_back(id);
  }
  void reset() {
    for (const std::uint32_t id : given_) numbers_[id] = nothing;
    given_.clear();
  }

 private:
  std::vector<std::uint32_t> numbers_, given_;
};

double entry_bound(const ClassWeights& weights) {
  return (entry_saturation + 1) * weights.idf_sum + thread_weight * (thread_saturation + 1) * weights.burst_sum;
}

double thread_bound(const ClassWeights& weights) {
  return (thread_saturation + 1) * weights.burst_sum + best_entry_weight * (entry_saturation + 1) * weights.idf_sum;
}

}  // namespace

struct RelevanceScorer::Work {
  struct ThreadTally {
    ThreadId id = 0;
    double length = 0;
    double score = 0;
    double best_own = 0;
  };

  // Of one entry, summed over terms.
  struct Parts {
    double own = 0, blended = 0, covered = 0;
  };
  struct Neighbour {
    std::uint32_t match = nothing;
    double length = 0;
  };

  const RankingPlan* plan = nullptr;
  const Matches* matches = nullptr;
  ColumnSource* source = nullptr;
  bool inactive = false;
  size_t terms = 0, pairs = 0;

  Relevance result;
  ClassWeights turns, rest;
  Numbering entry_numbers, thread_numbers;                 // row -> result.entries, thread -> tallies
  std::vector<std::uint32_t> match_of;                     // per entry: its row in matches, or nothing
  std::vector<std::uint32_t> term_counts, context_counts;  // per match and term: in the text; in headings and tags
  std::vector<ThreadTally> tallies;
  std::vector<std::uint32_t> thread_counts, pair_counts;  // per tally and term, per tally and pair
  std::vector<double> thread_frequencies;                 // g, per tally and term
  std::vector<double> alone_frequencies;                  // the same of one entry without a thread
  std::vector<std::uint32_t> alone_counts, alone_pairs;

  void prepare(const Statistics& statistics);
  void count_terms();
  void add_matches();
  void add_neighbours(size_t entry);
  std::uint32_t add_entry(RowId row, const EntryColumns& columns);
  std::uint32_t tally_of(ThreadId thread);
  void tally_thread(size_t entry, size_t match);
  void tally_alone(size_t match);
  void finish_counts();
  double score_thread(std::span<const std::uint32_t> counts, std::span<const std::uint32_t> pair_hits, double length,
                      const ClassWeights& weights, std::span<double> frequencies) const;
  std::array<Neighbour, 4> neighbours_of(const EntryColumns& columns);
  void score_turn(size_t entry);
  void score_alone(size_t entry);
  static void add_term(Parts& parts, double idf, double own, double blended, double in_thread);
  void set_relevance(RankedEntry& ranked, const Parts& parts, double thread_score, const ClassWeights& weights) const;
  void score_all();

  std::uint32_t pair_count(size_t match, size_t pair) const {
    const size_t at = match * matches->phrases + plan->pairs[pair];
    return std::uint32_t{matches->counts[at]} + matches->context_counts[at];
  }
  bool leads(size_t match, size_t term) const {
    const auto& leading = plan->terms[term].leading;
    return leading && matches->counts[match * matches->phrases + *leading] > 0;
  }
};

void RelevanceScorer::Work::prepare(const Statistics& statistics) {
  terms = plan->terms.size();
  pairs = plan->pairs.size();
  result.entries.clear();
  result.threads.clear();
  match_of.clear();
  tallies.clear();
  thread_counts.clear();
  pair_counts.clear();
  entry_numbers.reset();
  thread_numbers.reset();
  turns.begin_turns(statistics.turns, terms, pairs);
  rest.begin_rest(statistics.rest, terms, pairs);
}

void RelevanceScorer::Work::count_terms() {
  term_counts.assign(matches->rows.size() * terms, 0);
  context_counts.assign(matches->rows.size() * terms, 0);
  for (size_t match = 0; match < matches->rows.size(); ++match)
    for (size_t t = 0; t < terms; ++t)
      for (const size_t phrase : plan->terms[t].phrases) {
        const size_t at = match * matches->phrases + phrase;
        term_counts[match * terms + t] += matches->counts[at];
        context_counts[match * terms + t] += matches->context_counts[at];
      }
}

std::uint32_t RelevanceScorer::Work::add_entry(RowId row, const EntryColumns& columns) {
  const auto number = static_cast<std::uint32_t>(result.entries.size());
  result.entries.push_back({row, columns, 0, 0});
  match_of.push_back(nothing);
  entry_numbers.set(row, number);
  return number;
}

std::uint32_t RelevanceScorer::Work::tally_of(ThreadId thread) {
  std::uint32_t number = thread_numbers.find(thread);
  if (number != nothing) return number;
  number = static_cast<std::uint32_t>(tallies.size());
  thread_numbers.set(thread, number);
  tallies.push_back({thread, static_cast<double>(source->thread(thread).length), 0, 0});
  thread_counts.resize(thread_counts.size() + terms, 0);
  pair_counts.resize(pair_counts.size() + pairs, 0);
  return number;
}

void RelevanceScorer::Work::tally_thread(size_t entry, size_t match) {
  const std::uint32_t tally = tally_of(result.entries[entry].columns.thread);
  for (size_t t = 0; t < terms; ++t) {
    turns.entries_with[t] += term_counts[match * terms + t] > 0;
    thread_counts[tally * terms + t] += term_counts[match * terms + t] + thread_heading_weight * context_counts[match * terms + t];
  }
  for (size_t p = 0; p < pairs; ++p) pair_counts[tally * pairs + p] += pair_count(match, p);
}

void RelevanceScorer::Work::tally_alone(size_t match) {
  for (size_t t = 0; t < terms; ++t) {
    rest.entries_with[t] += term_counts[match * terms + t] > 0;
    const std::uint32_t count = term_counts[match * terms + t] + context_counts[match * terms + t];
    rest.threads_with[t] += count > 0;
    rest.occurrences[t] += count;
  }
  for (size_t p = 0; p < pairs; ++p) rest.threads_with_pair[p] += pair_count(match, p) > 0;
}

void RelevanceScorer::Work::add_matches() {
  result.entries.reserve(matches->rows.size());
  match_of.reserve(matches->rows.size());
  for (size_t match = 0; match < matches->rows.size(); ++match) {
    const RowId row = matches->rows[match];
    const EntryColumns columns = source->entry(row);
    if (!columns.active && !inactive) continue;
    const std::uint32_t entry = add_entry(row, columns);
    match_of[entry] = static_cast<std::uint32_t>(match);
    if (columns.thread != 0)
      tally_thread(entry, match);
    else
      tally_alone(match);
  }
  const size_t found = result.entries.size();
  for (size_t entry = 0; entry < found; ++entry)
    if (result.entries[entry].columns.thread != 0) add_neighbours(entry);
}

// The two entries before and after a match: its words are said around them.
void RelevanceScorer::Work::add_neighbours(size_t entry) {
  for (RowId EntryColumns::* direction : {&EntryColumns::previous, &EntryColumns::next}) {
    RowId row = result.entries[entry].columns.*direction;
    for (int distance = 0; distance < 2 && row != 0; ++distance) {
      std::uint32_t number = entry_numbers.find(row);
      if (number == nothing) {
        const EntryColumns columns = source->entry(row);
        if (!columns.active) break;
        number = add_entry(row, columns);
      }
      row = result.entries[number].columns.*direction;
    }
  }
}

void RelevanceScorer::Work::finish_counts() {
  for (size_t tally = 0; tally < tallies.size(); ++tally) {
    for (size_t t = 0; t < terms; ++t) {
      turns.threads_with[t] += thread_counts[tally * terms + t] > 0;
      turns.occurrences[t] += thread_counts[tally * terms + t];
    }
    for (size_t p = 0; p < pairs; ++p) turns.threads_with_pair[p] += pair_counts[tally * pairs + p] > 0;
  }
  turns.weigh();
  rest.weigh();
}

double RelevanceScorer::Work::score_thread(std::span<const std::uint32_t> counts, std::span<const std::uint32_t> pair_hits,
                                           double length, const ClassWeights& weights, std::span<double> frequencies) const {
  const double norm = length_norm(thread_length_weight, length, weights.average_thread_length);
  double score = 0;
  for (size_t t = 0; t < terms; ++t) {
    frequencies[t] = counts[t] / norm;
    score += weights.burst[t] * saturated(frequencies[t], thread_saturation);
  }
  for (size_t p = 0; p < pairs; ++p)
    if (pair_hits[p] > 0) score += pair_weight * weights.pair_idf[p];
  return score;
}

// The two entries before and the two after, in the order of their weights.
std::array<RelevanceScorer::Work::Neighbour, 4> RelevanceScorer::Work::neighbours_of(const EntryColumns& columns) {
  std::array<Neighbour, 4> neighbours{};
  const auto look = [&](RowId row, RowId EntryColumns::* direction, Neighbour& near, Neighbour& far) {
    for (Neighbour* neighbour : {&near, &far}) {
      if (row == 0) return;
      const std::uint32_t number = entry_numbers.find(row);
      const EntryColumns there = number == nothing ? source->entry(row) : result.entries[number].columns;
      if (!there.active) return;
      *neighbour = {number == nothing ? nothing : match_of[number], static_cast<double>(there.text_length)};
      row = there.*direction;
    }
  };
  look(columns.previous, &EntryColumns::previous, neighbours[1], neighbours[0]);
  look(columns.next, &EntryColumns::next, neighbours[2], neighbours[3]);
  return neighbours;
}

void RelevanceScorer::Work::score_turn(size_t entry) {
  RankedEntry& ranked = result.entries[entry];
  const auto neighbours = neighbours_of(ranked.columns);
  double length = ranked.columns.text_length;
  for (size_t i = 0; i < neighbours.size(); ++i) length += neighbour_weights[i] * neighbours[i].length;
  const double norm = length_norm(entry_length_weight, length, turns.average_length * blended_entries);
  const std::uint32_t tally = thread_numbers.find(ranked.columns.thread);
  const std::uint32_t match = match_of[entry];
  Parts parts;
  for (size_t t = 0; t < terms; ++t) {
    const double own = match == nothing ? 0 : term_counts[match * terms + t] / norm;
    double blended = own;
    for (size_t i = 0; i < neighbours.size(); ++i)
      if (neighbours[i].match != nothing) blended += neighbour_weights[i] * term_counts[neighbours[i].match * terms + t] / norm;
    const double lead = match != nothing && leads(match, t) ? lead_weight * turns.idf[t] : 0;
    add_term(parts, turns.idf[t], own, blended, thread_frequencies[tally * terms + t]);
    parts.own += lead;
    parts.blended += lead;
  }
  tallies[tally].best_own = std::max(tallies[tally].best_own, parts.own);
  set_relevance(ranked, parts, tallies[tally].score, turns);
}

void RelevanceScorer::Work::score_alone(size_t entry) {
  RankedEntry& ranked = result.entries[entry];
  const std::uint32_t match = match_of[entry];
  const double norm = length_norm(entry_length_weight, ranked.columns.text_length, rest.average_length);
  for (size_t t = 0; t < terms; ++t) alone_counts[t] = term_counts[match * terms + t] + context_counts[match * terms + t];
  for (size_t p = 0; p < pairs; ++p) alone_pairs[p] = pair_count(match, p);
  const double thread_score =
      score_thread(alone_counts, alone_pairs, ranked.columns.text_length + ranked.columns.context_length, rest, alone_frequencies);
  Parts parts;
  for (size_t t = 0; t < terms; ++t) {
    const double own = term_counts[match * terms + t] / norm;
    add_term(parts, rest.idf[t], own, own, alone_frequencies[t]);
  }
  set_relevance(ranked, parts, thread_score, rest);
}

void RelevanceScorer::Work::add_term(Parts& parts, double idf, double own, double blended, double in_thread) {
  const double z = blended + thread_presence * in_thread / (in_thread + thread_saturation);
  parts.own += idf * saturated(own, entry_saturation);
  parts.blended += idf * saturated(z, entry_saturation);
  parts.covered += z / (z + coverage_saturation);
}

void RelevanceScorer::Work::set_relevance(RankedEntry& ranked, const Parts& parts, double thread_score,
                                          const ClassWeights& weights) const {
  const double coverage = 1 - coverage_weight + coverage_weight * parts.covered / static_cast<double>(terms);
  const double bound = entry_bound(weights);
  const double whole = (parts.blended + thread_weight * thread_score) * coverage;
  if (bound <= 0 || whole <= 0) return;
  ranked.relevance = std::min(1.0, whole / bound);
  ranked.own = parts.own * coverage * ranked.relevance / whole;
}

void RelevanceScorer::Work::score_all() {
  thread_frequencies.resize(tallies.size() * terms);
  alone_frequencies.resize(terms);
  alone_counts.resize(terms);
  alone_pairs.resize(pairs);
  for (size_t i = 0; i < tallies.size(); ++i)
    tallies[i].score =
        score_thread(std::span(thread_counts).subspan(i * terms, terms), std::span(pair_counts).subspan(i * pairs, pairs),
                     tallies[i].length, turns, std::span(thread_frequencies).subspan(i * terms, terms));
  for (size_t entry = 0; entry < result.entries.size(); ++entry) {
    if (result.entries[entry].columns.thread != 0)
      score_turn(entry);
    else
      score_alone(entry);
  }
  const double bound = thread_bound(turns);
  for (const ThreadTally& tally : tallies)
    result.threads.push_back({tally.id, bound > 0 ? std::min(1.0, (tally.score + best_entry_weight * tally.best_own) / bound) : 0});
}

RelevanceScorer::RelevanceScorer() : work_(std::make_unique<Work>()) {}
RelevanceScorer::RelevanceScorer(RelevanceScorer&&) noexcept = default;
RelevanceScorer& RelevanceScorer::operator=(RelevanceScorer&&) noexcept = default;
RelevanceScorer::~RelevanceScorer() = default;

const Relevance& RelevanceScorer::score(const RankingPlan& plan, const Matches& matches, const Statistics& statistics,
                                        ColumnSource& source, bool inactive) {
  work_->plan = &plan;
  work_->matches = &matches;
  work_->source = &source;
  work_->inactive = inactive;
  work_->prepare(statistics);
  work_->count_terms();
  work_->add_matches();
  work_->finish_counts();
  work_->score_all();
  return work_->result;
}

}  // namespace loci
