// How well entries and threads answer a question: arithmetic over what one pass of the index found, no I/O of its own.
//
// A turn rarely repeats the words of the question; its neighbours and its conversation do. So a turn is scored as one text that
// is blended from its own words and, with less weight, those of the two turns before and after it and of its thread. Each text is
// normalised by its own length before it is blended: a long answer beside a short question takes nothing from it. BM25's saturation
// comes after the blending, so that a term counts once, however many of these say it. To that comes the BM25 of the whole thread.
// An entry without a thread is a thread of its own, and its headings and tags are its only neighbours.
//
//   tf  occurrences of a term, each weighed by its form            q  what the question gives the term (asking_words.h)
//   u = tf / ((length + 20) / (average length + 20))               v = 2u / (u + 1), what a neighbour lends
//   g = occurrences in the thread (an assistant's count 0.4, those of headings 5) / (1/2 + 1/2 × length / average length)
//   z = u + Σ neighbour weight × v there + 1/4 × g / (g + 1.5)
//
//   own        Σ_terms idf × s(u), s(z) = 2.4 z / (z + 1.4)
//   neighbours Σ_terms idf × (s(z) - s(u))
//   order      1/2 × Σ idf of terms that the text begins with: who speaks + 1/4 × Σ_pairs min(idf, idf') of terms near each other
//   thread     1/2 × TS, TS = Σ burst × 2.5 g / (g + 1.5) + 1/2 × Σ_pairs of terms near each other somewhere min(q, q') × idf
//   coverage   1/2 + 1/2 × Σ q z / (z + 0.3) / Σ q: two words of a question beat the rarer one alone
//   role       who said it and what it has of what is asked for (see question_cues.h)
//   time       1 + 0.8 exp(-d²/2), d the distance in units of three days from the day that the question names
//
//   relevance of an entry  = (own + neighbours + order + thread) × coverage × role × time / bound, at most 1
//   relevance of a thread  = (TS × time + 0.4 × the best of its entries) / bound, at most 1
//
// The bound is what own, neighbours and thread can reach, so that a relevance means the same in every vault. idf and burst are in
// class_weights.h. The constants were chosen on one half of three sets of conversations and checked on the other: docs/design.md.
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
  // Of many rows at a time, as many as there is room for.
  virtual void entries(std::span<const RowId> rows, std::span<EntryColumns> found) {
    for (size_t i = 0; i < rows.size(); ++i) found[i] = entry(rows[i]);
  }
  virtual ThreadColumns thread(ThreadId thread) = 0;
};

struct RankedEntry {
  RowId row = 0;
  std::uint32_t match = 0;  // its number among the matches; RelevanceScorer::no_match: only neighbours or its thread have a word
  double relevance = 0;     // 0..1
  bool is_bound = false;    // it is at most that; settle() tells it
};

// What an entry itself has of a question, and what it would be likely to have by chance: for confidence.h, and no part of a
// relevance.
struct CommonGround {
  bool of_turn = false;
  double met = 0;      // Σ over the terms that it has: q × form × (1/5 + 4/5 × rarity)
  double length = 0;   // of its text, in tokens
  double sharing = 1;  // how many entries of its class have the rarest of these terms
  double entries = 1;  // of its class
  double others = 0;   // of a turn: the mean relevance of the third to the sixth best conversation, which share its words only
};

// What a relevance is made of: the first four add up, times the last three, divided by the bound.
struct RelevanceParts {
  double own = 0, neighbours = 0, order = 0, thread = 0;
  double coverage = 1, role = 1, time = 1;
  double bound = 1;
  double words = 0;      // the bound, in words that stand in one entry only: how much the question tells
  bool has_all = false;  // the entry has every word of the subject itself, in its text or above it
  CommonGround common;

  double total() const { return (own + neighbours + order + thread) * coverage * role * time; }
};

struct RankedThread {
  ThreadId thread = 0;
  double relevance = 0;  // 0..1
};

struct Relevance {
  std::span<RankedEntry> entries;  // what matches, and the neighbours of it; in no order
  std::span<const RankedThread> threads;
};

// One object belongs to one thread; it keeps its working memory from one query to the next.
class RelevanceScorer {
 public:
  static constexpr std::uint32_t no_match = 0xFFFFFFFF;

  RelevanceScorer();
  RelevanceScorer(RelevanceScorer&&) noexcept;
  RelevanceScorer& operator=(RelevanceScorer&&) noexcept;
  ~RelevanceScorer();

  // Valid until the next call, and as long as what was given lives. Inactive entries are left out unless asked for.
  Relevance score(const RankingPlan& plan, const Matches& matches, const Statistics& statistics, ColumnSource& source,
                  bool inactive = false);
  // The same, but of an entry without a thread only what an entry with its terms can reach: of many matches few are among the best,
  // and most need not be worked out to know it.
  Relevance estimate(const RankingPlan& plan, const Matches& matches, const Statistics& statistics, ColumnSource& source,
                     bool inactive = false);
  void settle(RankedEntry& entry) const;

  // Of an entry of the last result.
  RelevanceParts parts_of(const RankedEntry& entry) const;

  // Gives back the memory of a large query.
  void shrink();

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace loci
