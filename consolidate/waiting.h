// Says once a second how long somebody waits for a model: "cluster 2 of 7, waiting for claude, 14 s". From its construction to its
// destruction, from a thread of its own; meanwhile nobody else may call the callback.
#pragma once

#include <string>
#include <thread>

#include "indexer/indexer.h"

namespace loci {

class Waiting {
 public:
  // `doing`: what and how much of it is done. Without a callback nothing happens.
  Waiting(const ProgressCallback& say, const Progress& doing, const std::string& model);

 private:
  std::jthread ticks_;
};

}  // namespace loci
