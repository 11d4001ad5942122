// The program: surroundings in, exit status out, and the only place where an exception may arrive.
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

}  // namespace

int main(int argc, char** argv) {
  ::umask(077);  // a memory is its owner's alone
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGINT, wipe_line_and_die);
  ::signal(SIGTERM, wipe_line_and_die);
  try {
    const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
    return loci::cli::run_command_line(words, loci::Environment::from_process(), loci::real_file_system(), loci::system_clock());
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "loci: stopped by an error that should not happen: %s\n", exception.what());
    return 1;
  }
}
