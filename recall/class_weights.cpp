#include "recall/class_weights.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace loci {
namespace {

double average(std::uint64_t sum, std::uint64_t count) {
  return count > 0 ? static_cast<double>(sum) / static_cast<double>(count) : 0;
}

}  // namespace

double inverse_frequency(double all, double with_term) {
  const double n = std::min(all, with_term);
  return std::log1p((all - n + 0.5) / (n + 0.5));
}

double residual_frequency(double threads, double with_term, double occurrences) {
  if (with_term <= 0 || threads <= 0) return 0;
  const double expected = -std::expm1(-occurrences / threads);  // share of threads, were they spread evenly
  return std::max(0.0, std::log(expected) - std::log(std::min(1.0, with_term / threads)));
}

void ClassWeights::begin_turns(const ClassStatistics& statistics, size_t terms) {
  entries = static_cast<double>(statistics.entries);
  threads = static_cast<double>(statistics.threads);
  average_length = average(statistics.text_length, statistics.entries);
  average_thread_length = average(statistics.thread_length, statistics.threads);
  clear(terms);
}

void ClassWeights::begin_rest(const ClassStatistics& statistics, size_t terms) {
  entries = threads = static_cast<double>(statistics.entries);
  average_length = average(statistics.text_length, statistics.entries);
  average_thread_length = average(statistics.text_length + statistics.context_length, statistics.entries);
  clear(terms);
}

void ClassWeights::clear(size_t terms) {
  for (auto* counts : {&entries_exact, &entries_with, &threads_with, &occurrences}) counts->assign(terms, 0);
  threads_with_pair.assign(terms > 0 ? terms - 1 : 0, 0);
}

void ClassWeights::weigh(std::span<const double> term_weights) {
  for (auto* weights : {&idf, &burst, &pair_burst, &pair_idf}) weights->clear();
  for (size_t t = 0; t < entries_with.size(); ++t) {
    idf.push_back(term_weights[t] * inverse_frequency(entries, entries_exact[t] > 0 ? entries_exact[t] : entries_with[t]));
    burst.push_back(term_weights[t] *
                    (inverse_frequency(threads, threads_with[t]) + residual_frequency(threads, threads_with[t], occurrences[t])));
  }
  for (size_t pair = 0; pair < threads_with_pair.size(); ++pair) {
    pair_burst.push_back(std::min(term_weights[pair], term_weights[pair + 1]) *
                         inverse_frequency(threads, threads_with_pair[pair]));
    pair_idf.push_back(std::min(idf[pair], idf[pair + 1]));
  }
  idf_sum = std::accumulate(idf.begin(), idf.end(), 0.0);
  burst_sum = std::accumulate(burst.begin(), burst.end(), 0.0);
}

}  // namespace loci
