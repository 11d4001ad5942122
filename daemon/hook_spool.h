// Putting into the archive what agents' hooks have enqueued (agents/spool.h), by a daemon.
#pragma once

#include <set>
#include <string>

#include "base/synchronized.h"
#include "daemon/model_work.h"

namespace loci {

struct RouteContext;

// Empties the spool of hooks, in the turn of the write queue. Extraction and summaries go on in the background. It has to outlive
// what it began. Any thread.
class HookSpool {
 public:
  void drain(const RouteContext& context, ModelWork& model_work);

 private:
  void end_session_in_background(const RouteContext& context, ModelWork& model_work, const std::string& session);

  Synchronized<std::set<std::string>> ending_;  // sessions that are being summed up
};

}  // namespace loci
