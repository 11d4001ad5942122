#include "agents/background.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

namespace loci {
namespace {

// Whoever waits sees the end; what was begun, above all a file with what was said, is brought to its end all the same. What is said
// may still be on its way: standard input stays, until whoever speaks closes it or is gone.
void go_on_alone(int) {
  if (::_Fork() != 0) ::_exit(0);
  ::setsid();
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, stream);
}

void set_timer(std::chrono::milliseconds length) {
  const itimerval timer{{0, 0}, {length.count() / 1000, (length.count() % 1000) * 1000}};
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

void let_go_of_everything() {
  ::setsid();
  if (::chdir("/") != 0) return;
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, stream);
  ::close_range(STDERR_FILENO + 1, ~0U, 0);
}

}  // namespace

void end_silently_after(std::chrono::milliseconds length) {
  struct sigaction action{};
  action.sa_handler = go_on_alone;
  ::sigaction(SIGALRM, &action, nullptr);
  set_timer(length);
}

void cancel_silent_end() { set_timer(std::chrono::milliseconds(0)); }

void run_in_background(const std::function<void()>& work) {
  if (::fork() != 0) return;
  let_go_of_everything();
  try {
    work();
  } catch (...) {
    ::_exit(1);  // nobody is there to be told; what is left is done by the next one
  }
  ::_exit(0);
}

}  // namespace loci
