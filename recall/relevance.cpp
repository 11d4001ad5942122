#include "recall/relevance.h"

#include <algorithm>
#include <array>
#include <span>

#include "recall/match_tally.h"

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
constexpr double heading_weight = 0.5;  // of headings and tags, as of a neighbour's text
// Two before, one before, one after, two after: an answer stands behind its question.
constexpr std::array<double, 4> neighbour_weights = {0.15, 0.45, 0.25, 0.05};
constexpr double blended_entries = 1 + 0.15 + 0.45 + 0.25 + 0.05;

double saturated(double frequency, double k) { return frequency > 0 ? (k + 1) * frequency / (frequency + k) : 0; }

double length_norm(double weight, double length, double average) {
  return average > 0 ? 1 - weight + weight * length / average : 1;
}

double entry_bound(const ClassWeights& weights) {
  return (entry_saturation + 1) * weights.idf_sum + thread_weight * (thread_saturation + 1) * weights.burst_sum;
}

double thread_bound(const ClassWeights& weights) {
  return (thread_saturation + 1) * weights.burst_sum + best_entry_weight * (entry_saturation + 1) * weights.idf_sum;
}

// Of one entry, summed over terms.
struct Parts {
  double own = 0, blended = 0, covered = 0;

  void add(double idf, double own_frequency, double blended_frequency, double thread_frequency) {
    const double z = blended_frequency + thread_presence * thread_frequency / (thread_frequency + thread_saturation);
    own += idf * saturated(own_frequency, entry_saturation);
    blended += idf * saturated(z, entry_saturation);
    covered += z / (z + coverage_saturation);
  }
};

}  // namespace

struct RelevanceScorer::Work {
  struct ThreadScore {
    double score = 0, best_own = 0;
  };

  MatchTally tally;
  std::vector<ThreadScore> thread_scores;
  std::vector<double> thread_frequencies;  // g, per thread and term
  std::vector<double> alone_frequencies;   // the same of one entry without a thread
  std::vector<std::uint32_t> alone_counts, alone_pairs;
  std::vector<RankedThread> threads;

  double score_thread(std::span<const std::uint32_t> counts, std::span<const std::uint32_t> pairs, double length,
                      const ClassWeights& weights, std::span<double> frequencies) const;
  void score_threads();
  void score_turn(RankedEntry& ranked, std::uint32_t match);
  void score_alone(RankedEntry& ranked, std::uint32_t match);
  void set_relevance(RankedEntry& ranked, const Parts& parts, double thread_score, const ClassWeights& weights) const;
  void rank_threads();
};

// Leaves g of every term in `frequencies`.
double RelevanceScorer::Work::score_thread(std::span<const std::uint32_t> counts, std::span<const std::uint32_t> pairs,
                                           double length, const ClassWeights& weights, std::span<double> frequencies) const {
  const double norm = length_norm(thread_length_weight, length, weights.average_thread_length);
  double score = 0;
  for (size_t t = 0; t < counts.size(); ++t) {
    frequencies[t] = counts[t] / norm;
    score += weights.burst[t] * saturated(frequencies[t], thread_saturation);
  }
  for (size_t p = 0; p < pairs.size(); ++p)
    if (pairs[p] > 0) score += pair_weight * weights.pair_idf[p];
  return score;
}

void RelevanceScorer::Work::score_threads() {
  const size_t terms = tally.terms();
  thread_scores.assign(tally.threads().size(), {});
  thread_frequencies.resize(tally.threads().size() * terms);
  for (size_t i = 0; i < thread_scores.size(); ++i)
    thread_scores[i].score = score_thread(tally.thread_counts(i), tally.thread_pairs(i), tally.threads()[i].length, tally.turns(),
                                          std::span(thread_frequencies).subspan(i * terms, terms));
}

void RelevanceScorer::Work::score_turn(RankedEntry& ranked, std::uint32_t match) {
  const auto neighbours = tally.neighbours_of(ranked.columns);
  double length = ranked.columns.text_length;
  for (size_t i = 0; i < neighbours.size(); ++i) length += neighbour_weights[i] * neighbours[i].length;
  const ClassWeights& weights = tally.turns();
  const double norm = length_norm(entry_length_weight, length, weights.average_length * blended_entries);
  const size_t thread = tally.number_of(ranked.columns.thread);
  Parts parts;
  for (size_t t = 0; t < tally.terms(); ++t) {
    const double own = match == MatchTally::none ? 0 : tally.counts(match)[t] / norm;
    double blended = own;
    for (size_t i = 0; i < neighbours.size(); ++i)
      if (neighbours[i].match != MatchTally::none) blended += neighbour_weights[i] * tally.counts(neighbours[i].match)[t] / norm;
    parts.add(weights.idf[t], own, blended, thread_frequencies[thread * tally.terms() + t]);
    if (match == MatchTally::none || !tally.begins_with(match, t)) continue;
    parts.own += lead_weight * weights.idf[t];
    parts.blended += lead_weight * weights.idf[t];
  }
  thread_scores[thread].best_own = std::max(thread_scores[thread].best_own, parts.own);
  set_relevance(ranked, parts, thread_scores[thread].score, weights);
}

void RelevanceScorer::Work::score_alone(RankedEntry& ranked, std::uint32_t match) {
  const ClassWeights& weights = tally.rest();
  const auto counts = tally.counts(match), above = tally.context_counts(match);
  alone_frequencies.resize(counts.size());
  alone_counts.resize(counts.size());
  alone_pairs.resize(tally.pairs());
  for (size_t t = 0; t < counts.size(); ++t) alone_counts[t] = counts[t] + above[t];
  for (size_t p = 0; p < alone_pairs.size(); ++p) alone_pairs[p] = tally.pair_count(match, p);
  const double thread_score = score_thread(alone_counts, alone_pairs, ranked.columns.text_length + ranked.columns.context_length,
                                           weights, alone_frequencies);
  const double norm = length_norm(entry_length_weight, ranked.columns.text_length, weights.average_length);
  Parts parts;
  for (size_t t = 0; t < counts.size(); ++t)
    parts.add(weights.idf[t], counts[t] / norm, (counts[t] + heading_weight * above[t]) / norm, alone_frequencies[t]);
  set_relevance(ranked, parts, thread_score, weights);
}

void RelevanceScorer::Work::set_relevance(RankedEntry& ranked, const Parts& parts, double thread_score,
                                          const ClassWeights& weights) const {
  const double coverage = 1 - coverage_weight + coverage_weight * parts.covered / static_cast<double>(tally.terms());
  const double bound = entry_bound(weights);
  const double whole = (parts.blended + thread_weight * thread_score) * coverage;
  if (bound <= 0 || whole <= 0) return;
  ranked.relevance = std::min(1.0, whole / bound);
  ranked.own = parts.own * coverage * ranked.relevance / whole;
}

void RelevanceScorer::Work::rank_threads() {
  threads.clear();
  const double bound = thread_bound(tally.turns());
  for (size_t i = 0; i < thread_scores.size(); ++i) {
    const double score = thread_scores[i].score + best_entry_weight * thread_scores[i].best_own;
    threads.push_back({tally.threads()[i].id, bound > 0 ? std::min(1.0, score / bound) : 0});
  }
}

RelevanceScorer::RelevanceScorer() : work_(std::make_unique<Work>()) {}
RelevanceScorer::RelevanceScorer(RelevanceScorer&&) noexcept = default;
RelevanceScorer& RelevanceScorer::operator=(RelevanceScorer&&) noexcept = default;
RelevanceScorer::~RelevanceScorer() = default;

Relevance RelevanceScorer::score(const RankingPlan& plan, const Matches& matches, const Statistics& statistics,
                                 ColumnSource& source, bool inactive) {
  work_->tally.gather(plan, matches, statistics, source, inactive);
  work_->score_threads();
  auto& entries = work_->tally.entries();
  for (size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].columns.thread != 0)
      work_->score_turn(entries[i], work_->tally.match_of(i));
    else
      work_->score_alone(entries[i], work_->tally.match_of(i));
  }
  work_->rank_threads();
  return {entries, work_->threads};
}

}  // namespace loci
