// How well entries and threads answer a query: arithmetic over what one pass of the index found, no I/O of its own.
//
// A turn rarely repeats the words of the question; its neighbours and its conversation do. So a turn is scored as one text that
// is blended from its own words and, with less weight, those of the two turns before and after it and of its thread; BM25's
// saturation comes after the blending, so that a term counts once, however many of these say it. To that comes the BM25 of the
// whole thread. An entry without a thread is a thread of its own, and its headings and tags are its only
// neighbours. With
//
//   f  occurrences in the entry + Σ neighbour weight × occurrences there, over (1 - b + b × length / average length), both blended
//   g  occurrences in the thread, its headings and tags included, over (1 - b' + b' × length / average length)
//
//   entry    = Σ_terms idf × (k + 1) × z / (z + k) + lead × idf [a turn begins with the term: who speaks], z = f + c × g / (g + k')
//   thread   = Σ_terms burst × (k' + 1) × g / (g + k') + pair × Σ_pairs idf [the two words stand next to each other somewhere]
//   coverage = 1/2 + 1/2 × the mean over terms of z / (z + 0.3): two words of a question beat the rarer one alone
//   relevance of an entry  = (entry + thread weight × thread) × coverage / its upper bound without lead and pairs, at most 1
//   relevance of a thread  = (thread + best weight × the best of its entries' own parts) / its upper bound, at most 1
//
// idf and burst are in class_weights.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "indexer/index_reader.h"
#include "recall/ranking_plan.h"

namespace loci {

// Where the fixed-size records come from.
class ColumnSource {
 public:
  virtual ~ColumnSource() = default;
  virtual EntryColumns entry(RowId row) = 0;
  virtual ThreadColumns thread(ThreadId thread) = 0;
};

struct RankedEntry {
  RowId row = 0;
  EntryColumns columns;
  double own = 0;        // the part of relevance that the entry has by itself
  double relevance = 0;  // 0..1
};

struct RankedThread {
  ThreadId thread = 0;
  double relevance = 0;  // 0..1
};

struct Relevance {
  std::span<const RankedEntry> entries;  // what matches, and the neighbours of it; in no order
  std::span<const RankedThread> threads;
};

// One object belongs to one thread; it keeps its working memory from one query to the next.
class RelevanceScorer {
 public:
  RelevanceScorer();
  RelevanceScorer(RelevanceScorer&&) noexcept;
  RelevanceScorer& operator=(RelevanceScorer&&) noexcept;
  ~RelevanceScorer();

  // Valid until the next call. Inactive entries are left out unless asked for.
  Relevance score(const RankingPlan& plan, const Matches& matches, const Statistics& statistics, ColumnSource& source,
                  bool inactive = false);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace loci
