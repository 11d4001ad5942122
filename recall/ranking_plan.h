// A query's terms -> one FTS5 expression, and what each of its phrases says about an entry.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "indexer/index_reader.h"
#include "recall/query.h"

namespace loci {

// Phrases are numbered from the left of the expression: Matches::counts has them in that order.
struct RankingPlan {
  struct Term {
    std::vector<size_t> phrases;    // the word and its other forms: occurrences are added up
    std::optional<size_t> leading;  // the word as the first one of a text: who speaks, what it is about
  };
  std::string expression;  // empty: there is nothing to look for
  size_t phrases = 0;
  std::vector<Term> terms;
  std::vector<size_t> pairs;  // two neighbouring words of the query near each other
};

// The entries from which on a vault is large: a term that more than these and more than half of them have is dropped if a rarer
// one remains, and is not looked for at the beginning of texts or in pairs.
inline constexpr std::uint64_t large_list = 10'000;

Result<RankingPlan> plan_ranking(IndexReader& reader, const std::vector<QueryTerm>& terms, const Statistics& statistics);

// The expression that finds the entries with one term; empty if nothing in it can be found.
std::string expression_of(IndexReader& reader, const QueryTerm& term);

}  // namespace loci
