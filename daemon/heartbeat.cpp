#include "daemon/heartbeat.h"

#include <utility>

namespace loci {

Heartbeat::Heartbeat(std::vector<Member> loops) : loops_(std::move(loops)) {}

void Heartbeat::ask() {
  asked_at_.clear();
  for (const Member& loop : loops_) {
    asked_at_.push_back(loop.rounds());
    loop.nudge();
  }
}

std::vector<std::string> Heartbeat::silent() const {
  std::vector<std::string> names;
  for (size_t i = 0; i < asked_at_.size(); ++i)
    if (loops_[i].rounds() == asked_at_[i]) names.push_back(loops_[i].name);
  return names;
}

}  // namespace loci
