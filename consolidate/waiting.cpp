#include "consolidate/waiting.h"

#include <condition_variable>
#include <mutex>

namespace loci {

Waiting::Waiting(const ProgressCallback& say, const Progress& doing, const std::string& model) {
  if (!say) return;
  // "claude (anthropic, …)" is claude.
  const std::string lead = doing.what + (doing.what.empty() ? "" : ", ") + "waiting for " + model.substr(0, model.find(' ')) + ", ";
  ticks_ = std::jthread([&say, doing, lead](const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    for (int seconds = 0; !stop.stop_requested(); ++seconds) {
      say({lead + std::to_string(seconds) + " s", doing.done, doing.total});
      never.wait_for(lock, stop, std::chrono::seconds(1), [] { return false; });
    }
  });
}

}  // namespace loci
