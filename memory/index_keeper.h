// Whoever keeps the index of a vault while others use it: the daemon, as its own threads and as commands see it.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/result.h"
#include "indexer/indexer.h"
#include "memory/freshness.h"

namespace loci {

// Any thread may call any of these.
class IndexKeeper {
 public:
  virtual ~IndexKeeper() = default;

  // The index holds what is in these files (relative; none: in all files) at the time of the call, or something newer.
  // ErrorCode::locked if that takes longer than `patience`: it will be done all the same. ErrorCode::not_found if nobody keeps the
  // index, for one that is asked over a socket.
  virtual Result<ReconcileReport> take_in(const std::vector<std::string>& written, std::chrono::milliseconds patience) = 0;

  // Everything is looked at again; with `clear` the index is built anew from nothing.
  virtual Result<ReconcileReport> reindex(bool clear, const ProgressCallback& progress) = 0;

  // The index holds all files as they are once none is being written any more: one that vanished may be about to be saved anew or
  // to turn up under another name. ErrorCode::locked as above.
  virtual Status wait_until_clean(std::chrono::milliseconds patience) = 0;

  // What is known to wait, without looking at the vault.
  virtual Result<Freshness> freshness() = 0;

  // Is it this very process that holds the writer lock? Then nobody else need try.
  virtual bool holds_lock() const = 0;
};

}  // namespace loci
