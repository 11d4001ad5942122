#include "daemon/service_manager.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <systemd/sd-daemon.h>

#include "base/log.h"

namespace loci {
namespace {

struct Library {
  decltype(&sd_notify) notify = nullptr;
  decltype(&sd_listen_fds) listen_fds = nullptr;
  decltype(&sd_watchdog_enabled) watchdog_enabled = nullptr;
};

// Null if there is no libsystemd: then there is no systemd either.
const Library* library() {
  static const Library* const loaded = []() -> const Library* {
    static Library found;
    void* const handle = ::dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) return nullptr;
    found.notify = reinterpret_cast<decltype(&sd_notify)>(::dlsym(handle, "sd_notify"));
    found.listen_fds = reinterpret_cast<decltype(&sd_listen_fds)>(::dlsym(handle, "sd_listen_fds"));
    found.watchdog_enabled = reinterpret_cast<decltype(&sd_watchdog_enabled)>(::dlsym(handle, "sd_watchdog_enabled"));
    return found.notify && found.listen_fds && found.watchdog_enabled ? &found : nullptr;
  }();
  return loaded;
}

// A line break would be read as another assignment.
std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

class Systemd final : public ServiceManager {
 public:
  void ready() override { tell("READY=1"); }
  void reloading() override { tell("RELOADING=1"); }
  void stopping() override { tell("STOPPING=1"); }
  void alive() override { tell("WATCHDOG=1"); }
  void say(const std::string& status) override { tell("STATUS=" + one_line(status)); }

  std::optional<std::chrono::microseconds> watchdog() const override {
    std::uint64_t interval = 0;
    if (library() == nullptr || library()->watchdog_enabled(0, &interval) <= 0) return std::nullopt;
    return std::chrono::microseconds(interval);
  }

  Fd inherited_socket() override {
    if (library() == nullptr || library()->listen_fds(1) < 1) return Fd();
    Fd socket(SD_LISTEN_FDS_START);
    ::fcntl(socket.get(), F_SETFD, FD_CLOEXEC);
    return socket;
  }

 private:
  static void tell(const std::string& state) {
    if (library() == nullptr) return;
    if (const int result = library()->notify(0, state.c_str()); result < 0)
      log_warning("systemd cannot be told '" + state + "': error " + std::to_string(-result));
  }
};

}  // namespace

ServiceManager& real_service_manager() {
  static Systemd systemd;
  return systemd;
}

}  // namespace loci
