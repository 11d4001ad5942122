#include "daemon/signals.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

namespace loci {

Result<Signals> Signals::block() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&set, signal);
  if (const int error = ::pthread_sigmask(SIG_BLOCK, &set, nullptr); error != 0) return fail_errno("block", "signals", error);
  std::signal(SIGPIPE, SIG_IGN);
  Fd signals(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  Fd interruptions(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!signals || !interruptions) return fail_errno("wait for", "signals", errno);
  return Signals(std::move(signals), std::move(interruptions));
}

std::optional<int> Signals::wait(std::chrono::steady_clock::time_point deadline) {
  using std::chrono::ceil, std::chrono::milliseconds;
  while (true) {
    const auto left = std::max(ceil<milliseconds>(deadline - std::chrono::steady_clock::now()), milliseconds(0));
    pollfd waited[] = {{signals_.get(), POLLIN, 0}, {interruptions_.get(), POLLIN, 0}};
    const int ready = ::poll(waited, 2, static_cast<int>(std::min<std::int64_t>(left.count(), 3'600'000)));
    if (ready < 0 && errno == EINTR) continue;
    signalfd_siginfo signal{};
    if (::read(signals_.get(), &signal, sizeof signal) == sizeof signal) return static_cast<int>(signal.ssi_signo);
    std::uint64_t count = 0;
    if (::read(interruptions_.get(), &count, sizeof count) == sizeof count) return std::nullopt;
    if (std::chrono::steady_clock::now() >= deadline || ready < 0) return std::nullopt;
  }
}

void Signals::interrupt() {
  const std::uint64_t one = 1;
  (void)!::write(interruptions_.get(), &one, sizeof one);
}

}  // namespace loci
