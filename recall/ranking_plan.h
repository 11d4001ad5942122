// A query's terms -> one FTS5 expression, and what its phrases mean.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "indexer/index_reader.h"
#include "recall/query.h"
#include "recall/question_cues.h"

namespace loci {

struct RankingPlan {
  std::string expression;  // empty: there is nothing to look for
  std::vector<PhraseMeaning> meanings;
  std::vector<double> weights;     // of the terms
  std::vector<double> rarities;    // of the terms, in 0..1 (rarity.h); of further ones 1
  std::vector<std::string> words;  // what each was asked for as, folded; empty: no single plain word
  // What ranking asks of an entry beside its words.
  QuestionCues cues;
  std::int64_t asked_at = 0;  // milliseconds since 1970, for cues.day
};

// The entries from which on a vault is large: a term that more than these and more than half of them have is dropped if a rarer
// one remains, and so is a beginning that such a term has.
inline constexpr std::uint64_t large_list = 10'000;

Result<RankingPlan> plan_ranking(IndexReader& reader, const std::vector<QueryTerm>& terms, const Statistics& statistics);

// Lets a term of the plan be found by another word, too, which counts less than one of the same family.
void add_reading(IndexReader& reader, RankingPlan& plan, size_t term, std::string_view word);

// The expression that finds the entries with one term; empty if nothing in it can be found.
std::string expression_of(IndexReader& reader, const QueryTerm& term);

}  // namespace loci
