#include "daemon/loop.h"

namespace loci {

void Loop::start() {
  thread_ = std::thread([this] {
    while (work_.step()) ++rounds_;
  });
}

void Loop::stop() {
  if (!thread_.joinable()) return;
  tell_to_stop();
  thread_.join();
}

Heartbeat::Member Loop::for_heartbeat() const {
  return {work_.name, [this] { return rounds_ + work_.progress(); }, work_.nudge};
}

}  // namespace loci
