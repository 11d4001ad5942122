// A question -> ranked entries. Reads the index only.
//
//   score = relevance × recency × trust
//   relevance: how well the entry, its neighbours and its thread answer, in 0..1 (relevance.h)
//   recency:   floor + (1 - floor) × 2^(-max(0, age) / half_life)
//   trust:     1.0 / 0.97 / 0.94 / 0.90 for correction, user, agent, system
//
// With vectors, hits are in the order of both rankings fused, and a score says how far in front a hit is in both.
//
// What was said in the past (L2) is left out at first, unless the question, a filter or an option asks for it. If nothing else
// answers, it is searched too. A question about the past that has no word of its own ("what did we talk about yesterday") gets what
// is newest.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "indexer/index_reader.h"
#include "recall/query.h"
#include "recall/relevance.h"
#include "recall/similar_texts.h"

namespace loci {

struct SearchOptions {
  size_t limit = 8;
  bool threads = false;  // rank threads as well
  bool history = false;  // L2 too, at once
  bool inactive = false;
  bool precise = false;  // only what answers, or nothing: confident hits with at least half of the best score
  double recency_half_life_days = 90;
  double recency_floor = 0.7;
  EntryFilter filter;  // from flags; the query's own filters are added
  // What vectors say of the question, to be fused with what its words say (fusion.h). Null: there is nothing. Lives as long as the
  // search. It orders hits and adds to them, and makes none an answer: `precise` does without.
  SimilarTexts* similar = nullptr;
};

struct HitReasons {
  double bm25 = 0;    // the entry's own part of relevance: its words, and their order
  double thread = 0;  // what its neighbours and its thread added
  double recency = 1;
  double trust = 1;
  RelevanceParts relevance;  // what the first two are made of
  double vector = 0;         // the part of the score that vectors gave, its own and those of its neighbours; 0: none did
  double of_neighbours = 0;  // what of it the vectors of its neighbours gave
  std::optional<double> similarity = {};  // of its own vector; none: that is not among the nearest
};

struct Hit {
  Entry entry;
  double score = 0;  // 0..1
  HitReasons why;
  std::string snippet;     // at most about 200 characters around the best match, on one line
  bool confident = false;  // it answers (confidence.h)
};

// How well a hit matches by its words, whatever its age and origin: 0..1, and whether that is well enough to be an answer.
inline double relevance_of(const Hit& hit) { return hit.why.bm25 + hit.why.thread; }

struct ThreadHit {
  std::string session;
  double score = 0;
  std::vector<std::string> hits;  // ids of those of its entries that are among the hits, best first; else of its best one
};

struct SearchResult {
  std::vector<Hit> hits;
  std::vector<ThreadHit> threads;  // only with options.threads
  bool confident = false;          // one of the hits is; else the caller should say that it does not know
  bool from_history = false;  // L0 and L1 did not answer, or the newest was asked for: hits may be of L2 though nobody asked for it
  std::vector<std::pair<std::string, std::string>> read_as;  // words that stand nowhere, and what they were read as
  double took_ms = 0;
};

// A hit is of the history.
bool shows_history(const SearchResult& result);

// A precise answer has confident hits of which this holds: one that is further behind the best is beside the point.
bool is_near_the_best(double score, double best);

Result<SearchResult> search(IndexReader& reader, const SearchQuery& query, const SearchOptions& options, Instant now);

// One question, ranked once, from which what each layer answers is chosen. The reader has to live as long, in the same snapshot.
class LayeredSearch {
 public:
  LayeredSearch(IndexReader& reader, SearchQuery query, SearchOptions options, Instant now);
  ~LayeredSearch();

  // What search() gives with these as the layers of its filter.
  Result<SearchResult> in(std::vector<Layer> layers, bool precise = false);
  // False if relevance_of() is less for everything in this layer, which costs less than choosing from it. Only after in().
  bool may_reach(double relevance, Layer layer);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace loci
