// The program: surroundings in, exit status out, and the only place where an exception may arrive.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/file_system.h"
#include "cli/commands.h"
#include "vault/layout/environment.h"

namespace {

// A half-drawn progress bar is wiped before the signal ends the process as it would have anyway. Nothing else needs an orderly
// end: a file is whole after every single call.
void wipe_line_and_die(int signal_number) {
  constexpr char wipe[] = "\r\033[K";
  if (::isatty(STDERR_FILENO) == 1) [[maybe_unused]]
    const ssize_t ignored = ::write(STDERR_FILENO, wipe, sizeof wipe - 1);
  ::signal(signal_number, SIG_DFL);
  ::raise(signal_number);
}

sigset_t ending_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGHUP, SIGINT, SIGTERM}) sigaddset(&set, signal);
  return set;
}

// A daemon that is told to take over new settings before it can is not to die of it. So what could end the program waits until it
// is known which command this is: from before the first constructor of any library on, and in every thread that is started later.
sigset_t mask_at_start;

void hold_signals() {
  const sigset_t set = ending_signals();
  ::sigprocmask(SIG_BLOCK, &set, &mask_at_start);
}
[[gnu::section(".preinit_array"), gnu::used]] void (*const hold_signals_first)() = hold_signals;

void let_signals_end_us() {
  ::signal(SIGINT, wipe_line_and_die);
  ::signal(SIGTERM, wipe_line_and_die);
  ::sigprocmask(SIG_SETMASK, &mask_at_start, nullptr);
}

// The next file that is opened would get the number of a closed standard stream, and with it what is printed there. So each gets
// something that cannot be used.
void fill_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0) (void)::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace

int main(int argc, char** argv) {
  ::umask(077);  // a memory is its owner's alone
  fill_closed_streams();
  // A reader that goes away and a file that may not grow are errors of the call that meets them.
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
  try {
    const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
    if (!loci::cli::takes_signals_itself(words)) let_signals_end_us();
    return loci::cli::run_command_line(words, loci::Environment::from_process(), loci::real_file_system(), loci::system_clock());
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "loci: stopped by an error that should not happen: %s\n", exception.what());
    return 1;
  }
}
