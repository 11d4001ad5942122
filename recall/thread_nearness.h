// How near conversations are to a question, by how near their entries are. Pure.
//
// A conversation is as near as the mean of its three nearest entries, since one turn that happens to be near says little. Of one
// with fewer among those looked at, the others count as the last of them. What lies between the median conversation (0) and the
// nearest (1) says which to prefer; the farther half says nothing.
#pragma once

#include <unordered_map>
#include <utility>

#include "indexer/index_reader.h"

namespace loci {

class ThreadNearness {
 public:
  // So many of the nearest entries are looked at: of a hundred, too few conversations would have three.
  static constexpr size_t most_entries = 400;

  // Of every entry that is looked at, the nearest first, whether it belongs to a conversation (thread 0: to none) or not.
  void add(ThreadId thread, double similarity);
  // 0..1, of each conversation that has an entry among them.
  std::unordered_map<ThreadId, double> of_threads() const;

 private:
  struct Nearest {
    double sum = 0;
    size_t count = 0;
  };

  std::unordered_map<ThreadId, double> means() const;

  std::unordered_map<ThreadId, Nearest> nearest_;
  double last_ = 0;  // similarity
};

}  // namespace loci
