#include "consolidate/waiting.h"

#include "base/stoppable_wait.h"

namespace loci {

Waiting::Waiting(const ProgressCallback& say, const Progress& doing, const std::string& model) {
  if (!say) return;
  // "claude (anthropic, …)" is claude.
  const std::string lead = doing.what + (doing.what.empty() ? "" : ", ") + "waiting for " + model.substr(0, model.find(' ')) + ", ";
  ticks_ = std::jthread([&say, doing, lead](const std::stop_token& stop) {
    for (int seconds = 0; !stop.stop_requested(); ++seconds) {
      say({lead + std::to_string(seconds) + " s", doing.done, doing.total});
      (void)wait_unless_stopped(std::chrono::seconds(1), stop);
    }
  });
}

}  // namespace loci
