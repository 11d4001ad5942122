// How near a fact is to what is being talked about: the cosine of their TF-IDF vectors (Salton and Buckley, Term-weighting
// approaches in automatic text retrieval, 1988). Terms are the stems that search knows, without function words;
//
//   tf = 1 + ln(occurrences)    idf = ln((1 + N) / (1 + df)) + 1    over the N active entries of L1, df of which have the stem
//
// One reader, one thread. Fails as reading the index does.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/result.h"
#include "indexer/index_reader.h"

namespace loci {

using StemCounts = std::map<std::string, int>;  // in order: sums of doubles are the same on every machine

StemCounts stems_without_function_words(std::string_view text);

class Similarity {
 public:
  static Result<Similarity> to(IndexReader& reader, std::string_view context);

  Result<double> of(std::string_view text);  // 0..1; 0 for a text without words
  const StemCounts& context() const { return context_; }

 private:
  Similarity(IndexReader& reader, StemCounts context) : reader_(reader), context_(std::move(context)) {}
  Result<double> idf(const std::string& stem);
  Result<double> norm(const StemCounts& stems);

  IndexReader& reader_;
  StemCounts context_;
  double entries_ = 0, context_norm_ = 0;
  std::unordered_map<std::string, double> idf_;  // asked for so far
};

}  // namespace loci
