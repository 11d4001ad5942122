// What the daemon and systemd tell each other (sd_notify(3), sd_listen_fds(3)): ready, alive, stopping, and a socket that was
// opened for us. Without systemd everything here does nothing. libsystemd is loaded when it is first needed: linked, it would cost
// every command's start a millisecond. Any thread.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/fd.h"

namespace loci {

class ServiceManager {
 public:
  virtual ~ServiceManager() = default;
  virtual void ready() = 0;      // lock and index are open
  virtual void reloading() = 0;  // ready() follows
  virtual void stopping() = 0;
  virtual void alive() = 0;                         // feeds the watchdog: only after real progress of every loop
  virtual void say(const std::string& status) = 0;  // one line for `systemctl status`
  // How often alive() has to be said at least; none: nobody watches.
  virtual std::optional<std::chrono::microseconds> watchdog() const = 0;
  // The listening socket of an activation, once.
  virtual Fd inherited_socket() = 0;
};

// The one that started this process, by $NOTIFY_SOCKET, $WATCHDOG_USEC and $LISTEN_FDS.
ServiceManager& real_service_manager();

}  // namespace loci
