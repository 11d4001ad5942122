// The real program, run as a child with folders of its own: as a daemon that tells a socket when it is ready, or as one command.
// What goes wrong ends the program. One thread.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/file_system.h"
#include "bench/figures.h"

namespace loci::bench {

struct World {
  path loci;    // the program
  path folder;  // state, configuration and sockets go here
  path vault;
  path preload;  // a library for LD_PRELOAD, or empty

  // Runs a command to its end; it has to succeed. What it reads is in `input`.
  void run(const std::vector<std::string>& arguments, const path& input = "/dev/null") const;
};

// One at a time.
class DaemonProcess {
 public:
  // Ready when it returns: lock, index and socket are open.
  explicit DaemonProcess(const World& world);
  ~DaemonProcess();
  DaemonProcess(const DaemonProcess&) = delete;
  DaemonProcess& operator=(const DaemonProcess&) = delete;

  path socket() const;
  Clock::time_point forked_at() const { return forked_at_; }

  struct Memory {
    double resident_mb = 0, proportional_mb = 0, anonymous_mb = 0;
  };
  Memory memory() const;

  // Of all its threads, since they began. Counters of a thread that ended are gone: compare while none does.
  struct Activity {
    std::uint64_t switches = 0, ticks = 0;  // of processor time
  };
  Activity activity() const;

 private:
  void wait_until_ready(const Fd& notified);

  path runtime_;
  pid_t pid_ = -1;
  Clock::time_point forked_at_;
};

}  // namespace loci::bench
