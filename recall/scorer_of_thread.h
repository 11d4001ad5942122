// A scorer with its working memory, which a thread keeps from one ranking to the next. Several may be in use at once.
#pragma once

#include <vector>

#include "recall/relevance.h"

namespace loci {

class ScorerOfThread {
 public:
  ScorerOfThread() {
    if (idle().empty()) return;
    scorer_ = std::move(idle().back());
    idle().pop_back();
  }
  ScorerOfThread(const ScorerOfThread&) = delete;
  ScorerOfThread& operator=(const ScorerOfThread&) = delete;
  ~ScorerOfThread() {
    scorer_.shrink();
    idle().push_back(std::move(scorer_));
  }

  RelevanceScorer* operator->() { return &scorer_; }
  const RelevanceScorer* operator->() const { return &scorer_; }

 private:
  static std::vector<RelevanceScorer>& idle() {
    thread_local std::vector<RelevanceScorer> scorers;
    return scorers;
  }

  RelevanceScorer scorer_;
};

}  // namespace loci
