// What vectors found of a question, as entries that may be shown, and the order of words and vectors as one (fusion.h).
#pragma once

#include <unordered_map>
#include <vector>

#include "recall/admission.h"
#include "recall/fusion.h"
#include "recall/read_entries.h"
#include "recall/similar_texts.h"
#include "recall/thread_order.h"

namespace loci {

class SimilarEntries {
 public:
  // What the vectors of an entry gave to its score, and how alike they are.
  struct Part {
    double of_score = 0, similarity = 0;
  };

  // The most alike first, at most most_fused. Fails as the reader does.
  Status find(IndexReader& reader, const Admission& admission, SimilarTexts& texts, ReadEntries& entries, bool without_history);

  // `candidates` by both rankings, the best `limit`. Those that only vectors found come behind their equals.
  void fuse(std::vector<ScoredEntry>& candidates, const EntryWeigher& weigher, size_t limit);
  // A thread is as near by vectors as its best entry.
  void fuse(std::vector<ShownThread>& threads, const EntryWeigher& weigher, size_t limit) const;

  // It has none of the question's words.
  bool is_of_vectors_alone(const ScoredEntry& candidate) const;
  Part part_of(RowId row) const;

 private:
  struct SimilarEntry {
    RankedEntry ranked;  // by vectors alone: without relevance
    EntryColumns columns;
    double similarity = 0;
  };

  std::vector<SimilarEntry> found_;
  Nearness nearness_;  // of found_
  std::unordered_map<RowId, Part> parts_;
};

}  // namespace loci
