// A question -> ranked entries. Reads the index only.
//
//   score = relevance × recency × trust
//   relevance: BM25 of the entry, its neighbours in the thread and its whole thread, over its upper bound, in 0..1
//   recency:   floor + (1 - floor) × 2^(-max(0, age) / half_life)
//   trust:     1.0 / 0.97 / 0.94 / 0.90 for correction, user, agent, system
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "indexer/index_reader.h"
#include "recall/query.h"

namespace loci {

struct SearchOptions {
  size_t limit = 8;
  bool threads = false;  // rank threads as well
  bool history = false;  // L2 too
  bool inactive = false;
  double recency_half_life_days = 90;
  double recency_floor = 0.7;
  EntryFilter filter;  // from flags; the query's own filters are added
};

struct HitReasons {
  double bm25 = 0;    // the entry's own part of relevance
  double thread = 0;  // what window and thread added
  double recency = 1;
  double trust = 1;
};

struct Hit {
  Entry entry;
  double score = 0;  // 0..1
  HitReasons why;
  std::string snippet;  // at most about 200 characters around the best match, on one line
};

struct ThreadHit {
  std::string session;
  double score = 0;
  std::vector<std::string> hits;  // ids of those of its entries that are among the hits, best first; else of its best one
};

struct SearchResult {
  std::vector<Hit> hits;
  std::vector<ThreadHit> threads;  // only with options.threads
  bool confident = false;          // false: nothing matched well; the caller should say that it does not know
  double took_ms = 0;
};

Result<SearchResult> search(IndexReader& reader, const SearchQuery& query, const SearchOptions& options, Instant now);

}  // namespace loci
