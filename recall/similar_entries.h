// What vectors found of a question, as entries that may be shown, and the order of words and vectors as one (fusion.h).
#pragma once

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "recall/admission.h"
#include "recall/fusion.h"
#include "recall/similar_texts.h"
#include "recall/thread_order.h"

namespace loci {

class SimilarEntries {
 public:
  // What vectors gave to the score of an entry, what of it those of its neighbours gave, and how alike its own is to the
  // question's.
  struct Part {
    double of_score = 0, of_neighbours = 0;
    std::optional<double> similarity;  // none: it is not among the nearest
  };
  struct Wanted {
    bool without_history = false;
    bool threads = false;  // conversations are fused, too, and want more entries
  };

  // The nearest first. Fails as the reader does.
  Status find(IndexReader& reader, const Admission& admission, SimilarTexts& texts, Wanted wanted);

  // `candidates` by both rankings, the best `limit`. Those that only vectors found come behind their equals.
  void fuse(std::vector<ScoredEntry>& candidates, const EntryWeigher& weigher, size_t limit);
  // The same of conversations (thread_nearness.h).
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

  // How near an entry is by its own vector and by those of its neighbours.
  struct Near {
    double own = 0, lent = 0;
    std::optional<double> similarity;
    double all() const { return own + lent; }
  };

  std::span<const SimilarEntry> nearest() const;      // those that are fused with what words found
  std::unordered_map<RowId, Near> near_rows() const;  // and their neighbours
  void add_to(std::vector<ScoredEntry>& candidates, const EntryWeigher& weigher) const;

  std::vector<SimilarEntry> found_;
  std::unordered_map<RowId, Part> parts_;
};

}  // namespace loci
