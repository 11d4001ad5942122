// How much each term of a query tells, within one class of entries: turns apart from the rest, because their lengths and words
// differ. Pure arithmetic on counts.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "indexer/index_reader.h"

namespace loci {

// BM25's inverse document frequency, never below zero: ln(1 + (N - n + 0.5) / (n + 0.5)).
double inverse_frequency(double all, double with_term);

// Residual inverse document frequency (Church and Gale, Inverse Document Frequency: A Measure of Deviations from Poisson, 1995): by
// how much a term stands in fewer threads than one with as many occurrences that are spread evenly. Names of people and subjects
// have it: a few threads are full of them. Never below zero.
double residual_frequency(double threads, double with_term, double occurrences);

struct ClassWeights {
  // Of the class.
  double entries = 0, threads = 0, average_length = 0, average_thread_length = 0;
  // Counted per term: entries that have it in its exact form, in any; threads; occurrences in them. Per pair of neighbouring terms:
  // threads.
  std::vector<double> entries_exact, entries_with, threads_with, occurrences, threads_with_pair;
  // What follows from them and from the weights that the question gives its terms.
  std::vector<double> idf, burst, pair_burst, pair_idf;
  double idf_sum = 0, burst_sum = 0;

  // Turns: a thread has many entries. The rest: each entry is a thread, its headings and tags included.
  void begin_turns(const ClassStatistics& statistics, size_t terms);
  void begin_rest(const ClassStatistics& statistics, size_t terms);
  void weigh(std::span<const double> term_weights);

 private:
  void clear(size_t terms);
};

}  // namespace loci
