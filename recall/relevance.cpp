#include "recall/relevance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <ranges>
#include <span>
#include <unordered_map>

#include "recall/match_tally.h"
#include "recall/question_fit.h"

namespace loci {
namespace {

// Chosen on public conversations, each value checked on those it was not chosen on; none of them is sharp.
constexpr double entry_saturation = 1.4;
constexpr double thread_saturation = 1.5;
constexpr double length_offset = 20;          // tokens: of short texts one word more or less says little
constexpr double thread_length_weight = 0.5;  // BM25's b
constexpr double thread_presence = 0.25;
constexpr double thread_weight = 0.5;
constexpr double lead_weight = 0.5;
constexpr double near_weight = 0.25, near_in_thread_weight = 0.5;
constexpr double coverage_weight = 0.5, coverage_saturation = 0.3;
constexpr double best_entry_weight = 0.4;
constexpr double least_of_a_word = 0.2;                       // of a term that is had, however common it is
constexpr double heading_weight = 0.5;                        // of headings and tags of an entry without a thread
constexpr double after_question = 1.4;                        // what stands behind a question answers it
constexpr size_t best_passed_over = 2, others_looked_at = 4;  // an answer may stand in two conversations

// Two before, one before, one after, two after. An answer stands behind its question, and repeats its words when an assistant gives
// it.
using NeighbourWeights = std::array<double, 4>;
constexpr NeighbourWeights same_speaker = {0.20, 0.40, 0.35, 0.15};
constexpr NeighbourWeights user_beside_assistant = {0.20, 0.15, 0.35, 0.15};
constexpr NeighbourWeights assistant_beside_user = {0.20, 0.20, 0.00, 0.15};
constexpr double user_two_away = 0.05, assistant_two_away = 0.00;

double saturated(double frequency, double k) { return frequency > 0 ? (k + 1) * frequency / (frequency + k) : 0; }

double frequency_of(const Matches::Cell& cell) { return static_cast<double>(cell.weight) / PhraseMeaning::one; }

double own_length_norm(double length, double average) { return (length + length_offset) / (average + length_offset); }

double thread_length_norm(double length, double average) {
  return average > 0 ? 1 - thread_length_weight + thread_length_weight * length / average : 1;
}

double neighbour_weight(size_t place, const EntryColumns& self, const EntryColumns& other) {
  if (self.speaker == Speaker::unknown || other.speaker == Speaker::unknown) return same_speaker[place];
  if (self.speaker != other.speaker) return (self.speaker == Speaker::user ? user_beside_assistant : assistant_beside_user)[place];
  if (place == 1 || place == 2) return same_speaker[place];
  return self.speaker == Speaker::user ? user_two_away : assistant_two_away;
}

double entry_bound(const ClassWeights& weights) {
  return (entry_saturation + 1) * weights.idf_sum + thread_weight * (thread_saturation + 1) * weights.burst_sum;
}

// Of a question of one word that stands in one entry only.
double bound_of_one_word(const ClassWeights& weights) {
  return (entry_saturation + 1) * inverse_frequency(weights.entries, 1) +
         thread_weight * (thread_saturation + 1) * inverse_frequency(weights.threads, 1);
}

double thread_bound(const ClassWeights& weights) {
  return (thread_saturation + 1) * weights.burst_sum + best_entry_weight * entry_bound(weights);
}

}  // namespace

struct RelevanceScorer::Work {
  struct ThreadScore {
    double own = 0, best = 0, best_time = 1;
  };

  MatchTally tally;
  const RankingPlan* plan = nullptr;
  double weight_sum = 0;
  std::vector<ThreadScore> thread_scores;
  std::vector<float> thread_frequencies;  // g, per thread and term
  std::vector<RankedThread> threads;
  // By the terms that an entry without a thread has; of few terms all are in a table, with -1 for what nobody asked yet.
  std::unordered_map<std::uint64_t, double> reachable;
  std::vector<double> reachable_by_few;
  double turns_bound = 0, rest_bound = 0, turns_words = 0, rest_words = 0;
  double others = 0;

  void begin();
  void score_threads();
  void rank_threads();
  double relevance_of_others() const;
  double reachable_with(std::span<const Matches::Cell> cells);
  double reachable_with(std::uint64_t terms) const;
  void estimate(RankedEntry& entry, double fit);
  double relevance_of(const RelevanceParts& parts) const {
    return parts.bound > 0 ? std::min(1.0, parts.total() / parts.bound) : 0;
  }
  RelevanceParts parts_of(const RankedEntry& ranked, const EntryColumns& columns) const;
  RelevanceParts turn_parts(const RankedEntry& ranked, const EntryColumns& columns) const;
  RelevanceParts alone_parts(const RankedEntry& ranked, const EntryColumns& columns) const;
  void finish(const ClassWeights& weights, std::span<const Matches::Cell> cells, double covered, RelevanceParts& parts) const;
  CommonGround common_ground_of(const RankedEntry& ranked, const EntryColumns& columns) const;
  void add_order(std::span<const Matches::Cell> cells, const ClassWeights& weights, bool leads, RelevanceParts& parts) const;
};

void RelevanceScorer::Work::begin() {
  weight_sum = 0;
  for (const double weight : plan->weights) weight_sum += weight;
  reachable.clear();
  constexpr size_t few_terms = 10;
  reachable_by_few.assign(tally.terms() <= few_terms ? size_t{1} << tally.terms() : 0, -1);
  turns_bound = entry_bound(tally.turns());
  rest_bound = entry_bound(tally.rest());
  turns_words = turns_bound / bound_of_one_word(tally.turns());
  rest_words = rest_bound / bound_of_one_word(tally.rest());
}

double RelevanceScorer::Work::reachable_with(std::span<const Matches::Cell> cells) {
  std::uint64_t terms = 0;
  for (size_t t = 0; t < cells.size(); ++t)
    if (cells[t].weight > 0 || cells[t].in_context > 0) terms |= std::uint64_t{1} << t;
  if (terms < reachable_by_few.size()) {
    double& known = reachable_by_few[terms];
    if (known < 0) known = reachable_with(terms);
    return known;
  }
  const auto [known, is_new] = reachable.try_emplace(terms);
  if (is_new) known->second = reachable_with(terms);
  return known->second;
}

// own, neighbours, order and thread times coverage of alone_parts(), each saturated.
double RelevanceScorer::Work::reachable_with(std::uint64_t terms) const {
  const ClassWeights& weights = tally.rest();
  const auto has = [&](size_t t) { return (terms >> t & 1) != 0; };
  double sum = 0, covered = 0;
  for (size_t t = 0; t < tally.terms(); ++t) {
    if (!has(t)) continue;
    sum += (entry_saturation + 1) * weights.idf[t] + thread_weight * (thread_saturation + 1) * weights.burst[t];
    covered += plan->weights[t];
    if (t + 1 < tally.terms() && has(t + 1))
      sum += near_weight * weights.pair_idf[t] + thread_weight * near_in_thread_weight * weights.pair_burst[t];
  }
  constexpr double rounding = 1 + 1e-9;
  return sum * (1 - coverage_weight + coverage_weight * covered / weight_sum) * rounding;
}

// `fit` is that of an entry without a thread.
void RelevanceScorer::Work::estimate(RankedEntry& entry, double fit) {
  if (fit > 0) {
    const double reached = reachable_with(tally.cells(entry.match)) * fit;
    entry.relevance = rest_bound > 0 ? std::min(1.0, reached / rest_bound) : 0;
    entry.is_bound = true;
    return;
  }
  const EntryColumns columns = tally.columns(entry.row);
  const RelevanceParts parts = parts_of(entry, columns);
  entry.relevance = relevance_of(parts);
  ThreadScore& thread = thread_scores[tally.number_of(columns.thread)];
  if (parts.total() <= thread.best) return;
  thread.best = parts.total();
  thread.best_time = parts.time;
}

void RelevanceScorer::Work::score_threads() {
  const size_t terms = tally.terms();
  const ClassWeights& weights = tally.turns();
  thread_scores.assign(tally.threads().size(), {});
  thread_frequencies.resize(tally.threads().size() * terms);
  for (size_t i = 0; i < thread_scores.size(); ++i) {
    const double norm = thread_length_norm(tally.threads()[i].length, weights.average_thread_length);
    const auto counts = tally.thread_counts(i);
    const auto pairs = tally.thread_pairs(i);
    double score = 0;
    for (size_t t = 0; t < terms; ++t) {
      const double g = counts[t] / norm;
      thread_frequencies[i * terms + t] = static_cast<float>(g);
      score += weights.burst[t] * saturated(g, thread_saturation);
    }
    for (size_t pair = 0; pair < pairs.size(); ++pair)
      if (pairs[pair]) score += near_in_thread_weight * weights.pair_burst[pair];
    thread_scores[i].own = score;
  }
}

void RelevanceScorer::Work::add_order(std::span<const Matches::Cell> cells, const ClassWeights& weights, bool leads,
                                      RelevanceParts& parts) const {
  for (size_t t = 0; t < cells.size(); ++t) {
    if (leads && cells[t].leads) parts.order += lead_weight * weights.idf[t];
    if (cells[t].beside_next) parts.order += near_weight * weights.pair_idf[t];
  }
}

void RelevanceScorer::Work::finish(const ClassWeights& weights, std::span<const Matches::Cell> cells, double covered,
                                   RelevanceParts& parts) const {
  parts.coverage = 1 - coverage_weight + coverage_weight * covered / weight_sum;
  const bool is_turn = &weights == &tally.turns();
  parts.bound = is_turn ? turns_bound : rest_bound;
  parts.words = is_turn ? turns_words : rest_words;
  size_t subject = 0, had = 0;
  for (size_t t = 0; t < plan->weights.size(); ++t) {
    if (plan->weights[t] < 1) continue;
    ++subject;
    had += t < cells.size() && (cells[t].weight > 0 || cells[t].in_context > 0);
  }
  parts.has_all = subject > 0 && had == subject;
}

CommonGround RelevanceScorer::Work::common_ground_of(const RankedEntry& ranked, const EntryColumns& columns) const {
  const bool is_turn = columns.thread != 0;
  const ClassWeights& weights = is_turn ? tally.turns() : tally.rest();
  CommonGround common{
      is_turn, 0, static_cast<double>(columns.text_length), std::max(1.0, weights.entries), std::max(1.0, weights.entries), others};
  if (ranked.match == no_match) return common;
  const auto cells = tally.cells(ranked.match);
  for (size_t t = 0; t < cells.size(); ++t) {
    const double form = std::min(1.0, std::max(frequency_of(cells[t]), cells[t].in_context > 0 ? heading_weight : 0.0));
    if (form == 0) continue;
    const double rarity = t < plan->rarities.size() ? plan->rarities[t] : 1;
    common.met += plan->weights[t] * form * (least_of_a_word + (1 - least_of_a_word) * rarity);
    if (plan->weights[t] < 1) continue;
    const double having = weights.entries_exact[t] > 0 ? weights.entries_exact[t] : weights.entries_with[t];
    common.sharing = std::max(1.0, std::min(common.sharing, having));
  }
  return common;
}

RelevanceParts RelevanceScorer::Work::turn_parts(const RankedEntry& ranked, const EntryColumns& columns) const {
  const ClassWeights& weights = tally.turns();
  const auto neighbours = tally.neighbours_of(columns);
  const bool matches = ranked.match != no_match;
  const auto own_cells = matches ? tally.cells(ranked.match) : std::span<const Matches::Cell>();
  const size_t thread = tally.number_of(columns.thread);

  struct Lender {
    std::span<const Matches::Cell> cells;
    double weight = 0, norm = 1;
  };
  std::array<Lender, 4> lenders;
  size_t lending = 0;
  for (size_t i = 0; i < neighbours.size(); ++i) {
    if (!neighbours[i].exists || neighbours[i].match == MatchTally::none) continue;
    double weight = neighbour_weight(i, columns, neighbours[i].columns);
    if (i == 1 && neighbours[i].columns.traits.asks) weight *= after_question;
    if (weight > 0)
      lenders[lending++] = {tally.cells(neighbours[i].match), weight,
                            own_length_norm(neighbours[i].columns.text_length, weights.average_length)};
  }

  RelevanceParts parts;
  const double norm = own_length_norm(columns.text_length, weights.average_length);
  double blended = 0, covered = 0;
  for (size_t t = 0; t < tally.terms(); ++t) {
    const double u = matches ? frequency_of(own_cells[t]) / norm : 0;
    const double g = thread_frequencies[thread * tally.terms() + t];
    double z = u + thread_presence * g / (g + thread_saturation);
    for (size_t i = 0; i < lending; ++i) z += lenders[i].weight * saturated(frequency_of(lenders[i].cells[t]) / lenders[i].norm, 1);
    parts.own += weights.idf[t] * saturated(u, entry_saturation);
    blended += weights.idf[t] * saturated(z, entry_saturation);
    covered += plan->weights[t] * z / (z + coverage_saturation);
  }
  parts.neighbours = blended - parts.own;
  if (matches) add_order(own_cells, weights, true, parts);
  parts.thread = thread_weight * thread_scores[thread].own;
  finish(weights, own_cells, covered, parts);
  return parts;
}

RelevanceParts RelevanceScorer::Work::alone_parts(const RankedEntry& ranked, const EntryColumns& columns) const {
  const ClassWeights& weights = tally.rest();
  const auto cells = tally.cells(ranked.match);
  const double norm = own_length_norm(columns.text_length, weights.average_length);
  const double thread_norm = thread_length_norm(columns.text_length + columns.context_length, weights.average_thread_length);
  RelevanceParts parts;
  double blended = 0, covered = 0, thread = 0;
  for (size_t t = 0; t < cells.size(); ++t) {
    const double frequency = frequency_of(cells[t]), u = frequency / norm;
    const double g = (frequency + cells[t].in_context) / thread_norm;
    const double z = u + heading_weight * saturated(cells[t].in_context, 1) + thread_presence * g / (g + thread_saturation);
    parts.own += weights.idf[t] * saturated(u, entry_saturation);
    blended += weights.idf[t] * saturated(z, entry_saturation);
    covered += plan->weights[t] * z / (z + coverage_saturation);
    thread += weights.burst[t] * saturated(g, thread_saturation);
    if (cells[t].beside_next) thread += near_in_thread_weight * weights.pair_burst[t];
  }
  parts.neighbours = blended - parts.own;
  add_order(cells, weights, false, parts);
  parts.thread = thread_weight * thread;
  finish(weights, cells, covered, parts);
  return parts;
}

RelevanceParts RelevanceScorer::Work::parts_of(const RankedEntry& ranked, const EntryColumns& columns) const {
  RelevanceParts parts = columns.thread != 0 ? turn_parts(ranked, columns) : alone_parts(ranked, columns);
  parts.role = role_of(columns, plan->cues);
  parts.time = time_of(columns, *plan);
  return parts;
}

void RelevanceScorer::Work::rank_threads() {
  threads.clear();
  const double bound = thread_bound(tally.turns());
  for (size_t i = 0; i < thread_scores.size(); ++i) {
    const double score = thread_scores[i].own * thread_scores[i].best_time + best_entry_weight * thread_scores[i].best;
    threads.push_back({tally.threads()[i].id, bound > 0 ? std::min(1.0, score / bound) : 0});
  }
  others = relevance_of_others();
}

// What conversations reach that have nothing but words in common with the question.
double RelevanceScorer::Work::relevance_of_others() const {
  std::array<double, best_passed_over + others_looked_at> best{};
  const auto relevances = std::views::transform(threads, &RankedThread::relevance);
  std::ranges::partial_sort_copy(relevances, best, std::greater());
  return std::accumulate(best.begin() + best_passed_over, best.end(), 0.0) / others_looked_at;
}

RelevanceScorer::RelevanceScorer() : work_(std::make_unique<Work>()) {}
RelevanceScorer::RelevanceScorer(RelevanceScorer&&) noexcept = default;
RelevanceScorer& RelevanceScorer::operator=(RelevanceScorer&&) noexcept = default;
RelevanceScorer::~RelevanceScorer() = default;

Relevance RelevanceScorer::estimate(const RankingPlan& plan, const Matches& matches, const Statistics& statistics,
                                    ColumnSource& source, bool inactive) {
  work_->plan = &plan;
  work_->tally.gather(plan, matches, statistics, source, inactive);
  work_->begin();
  work_->score_threads();
  auto& entries = work_->tally.entries();
  const auto fits = work_->tally.fits();
  for (size_t i = 0; i < entries.size(); ++i) work_->estimate(entries[i], fits[i]);
  work_->rank_threads();
  return {entries, work_->threads};
}

Relevance RelevanceScorer::score(const RankingPlan& plan, const Matches& matches, const Statistics& statistics,
                                 ColumnSource& source, bool inactive) {
  const Relevance relevance = estimate(plan, matches, statistics, source, inactive);
  for (RankedEntry& entry : relevance.entries) settle(entry);
  return relevance;
}

void RelevanceScorer::settle(RankedEntry& entry) const {
  if (!entry.is_bound) return;
  entry.relevance = work_->relevance_of(parts_of(entry));
  entry.is_bound = false;
}

RelevanceParts RelevanceScorer::parts_of(const RankedEntry& entry) const {
  const EntryColumns columns = work_->tally.columns(entry.row);
  RelevanceParts parts = work_->parts_of(entry, columns);
  parts.common = work_->common_ground_of(entry, columns);
  return parts;
}

void RelevanceScorer::shrink() { work_->tally.shrink(); }

}  // namespace loci
