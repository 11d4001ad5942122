// Whether every loop of the daemon goes on: each is asked to go round once, and a moment later has done so or hangs. A loop that
// waits for something to do answers as well; one that is in the middle of long work shows that by its progress.
// Belongs to one thread; `rounds` and `nudge` are called on it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace loci {

class Heartbeat {
 public:
  struct Member {
    std::string name;
    std::function<std::uint64_t()> rounds;  // goes up when the loop goes round
    std::function<void()> nudge;            // makes it go round
  };

  explicit Heartbeat(std::vector<Member> loops);

  void ask();
  // The loops that have not gone round since they were asked; none before the first time.
  std::vector<std::string> silent() const;

 private:
  std::vector<Member> loops_;
  std::vector<std::uint64_t> asked_at_;
};

}  // namespace loci
