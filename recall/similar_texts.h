// Texts that say what a question says in whatever words: found by vectors, above this folder. Here their order counts, not how.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace loci {

struct SimilarText {
  std::string hash;       // of the text, 32 hex digits, as Entry::hash
  double similarity = 0;  // of the directions of two vectors, -1..1
};

class SimilarTexts {
 public:
  virtual ~SimilarTexts() = default;

  // From place `from` on, the most alike first, at most `count`; empty at the end. Some may stand in no entry any more.
  virtual std::vector<SimilarText> at(size_t from, size_t count) = 0;
};

}  // namespace loci
