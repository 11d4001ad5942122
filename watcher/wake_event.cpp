#include "watcher/wake_event.h"

#include <poll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <ctime>

namespace loci {
namespace {

timespec time_until(std::chrono::steady_clock::time_point deadline) {
  using namespace std::chrono;
  const auto left = std::max(duration_cast<nanoseconds>(deadline - steady_clock::now()), nanoseconds(0));
  const auto whole = duration_cast<seconds>(left);
  return {.tv_sec = whole.count(), .tv_nsec = (left - whole).count()};
}

}  // namespace

Result<WakeEvent> WakeEvent::make() {
  Fd event(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (!event) return fail_errno("make", "an event descriptor", errno);
  return WakeEvent(std::move(event));
}

void WakeEvent::set() const {
  const std::uint64_t one = 1;
  // EAGAIN means that it is set 2^64 times already; an eventfd has no other error.
  while (::write(event_.get(), &one, sizeof one) < 0 && errno == EINTR) {
  }
}

Result<bool> WakeEvent::wait(int descriptor, std::optional<std::chrono::steady_clock::time_point> deadline) const {
  pollfd waited[] = {{.fd = event_.get(), .events = POLLIN, .revents = 0}, {.fd = descriptor, .events = POLLIN, .revents = 0}};
  int ready = -1;
  do {
    const timespec left = deadline ? time_until(*deadline) : timespec{};
    ready = ::ppoll(waited, std::size(waited), deadline ? &left : nullptr, nullptr);
  } while (ready < 0 && errno == EINTR);
  if (ready < 0) return fail_errno("wait for", "changes", errno);
  std::uint64_t times = 0;
  if (waited[0].revents != 0)
    while (::read(event_.get(), &times, sizeof times) < 0 && errno == EINTR) {
    }
  return waited[1].revents != 0;
}

}  // namespace loci
