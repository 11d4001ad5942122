#include "context/similarity.h"

#include <algorithm>
#include <cmath>

#include "indexer/tokens.h"
#include "recall/function_words.h"

namespace loci {
namespace {

double tf(int occurrences) { return 1 + std::log(occurrences); }

// A word comes as its stem, and behind that, where it differs, the word itself with a mark, and its parts.
class ContentStems final : public TokenSink {
 public:
  bool take(const Token& token) override {
    if (!token.colocated) {
      finish();
      stem_ = token.term;
      is_function_ = is_function_word(token.term);
    } else if (token.term.starts_with(original_mark)) {
      is_function_ = is_function_word(token.term.substr(1));
    }
    return true;
  }
  void finish() {
    if (!stem_.empty() && !is_function_) ++counts[stem_];
    stem_.clear();
  }
  StemCounts counts;

 private:
  std::string stem_;
  bool is_function_ = false;
};

}  // namespace

StemCounts stems_without_function_words(std::string_view text) {
  thread_local Tokenizer tokenizer;
  ContentStems stems;
  tokenizer.tokenize(text, TokenForm::index, stems);
  stems.finish();
  return std::move(stems.counts);
}

Result<Similarity> Similarity::to(IndexReader& reader, std::string_view context) {
  Similarity similarity(reader, stems_without_function_words(context));
  similarity.entries_ = static_cast<double>(TRY(reader.facts_with("")));
  similarity.context_norm_ = TRY(similarity.norm(similarity.context_));
  return similarity;
}

Result<double> Similarity::idf(const std::string& stem) {
  const auto [known, is_new] = idf_.try_emplace(stem, 0);
  if (!is_new) return known->second;
  const auto with_stem = static_cast<double>(TRY(reader_.facts_with(stem)));
  return known->second = std::log((1 + entries_) / (1 + with_stem)) + 1;
}

Result<double> Similarity::norm(const StemCounts& stems) {
  double squares = 0;
  for (const auto& [stem, occurrences] : stems) {
    const double weight = tf(occurrences) * TRY(idf(stem));
    squares += weight * weight;
  }
  return std::sqrt(squares);
}

Result<double> Similarity::of(std::string_view text) {
  const StemCounts stems = stems_without_function_words(text);
  const double own_norm = TRY(norm(stems));
  if (own_norm == 0 || context_norm_ == 0) return 0;
  double product = 0;
  for (const auto& [stem, occurrences] : stems) {
    const auto also = context_.find(stem);
    if (also == context_.end()) continue;
    const double weight = TRY(idf(stem));
    product += tf(occurrences) * weight * tf(also->second) * weight;
  }
  return std::min(1.0, product / (own_norm * context_norm_));
}

}  // namespace loci
