// Another program, started with its words (no shell) and waited for. Its descriptors are 0, 1 and 2 and no other, its signals are
// as for a program of a shell. Any thread may call these.
#pragma once

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"

namespace loci {

// What of another program's output is shown.
enum class Shown : std::uint8_t { everything, errors, nothing };

// Runs words[0] (looked up in $PATH) on the terminal of this process, for as long as it takes; ^C is the child's alone meanwhile.
// Its exit status, 128 and the signal if it was killed. ErrorCode::failed if it cannot be started.
Result<int> run_program(const std::vector<std::string>& words, Shown shown = Shown::everything);

// A program that is asked something: what it says is kept.
struct AskedProgram {
  std::vector<std::string> words;
  std::vector<std::string> environment;  // all of it, "NAME=value"
  std::string input = {};                // what it reads, at most most_asked_input
  std::string input_until = {};          // what it reads ends only when it has said this; empty: at once
  std::chrono::milliseconds time_limit{10'000};
  size_t output_limit = size_t{16} << 20;  // bytes
  std::chrono::milliseconds grace{0};      // so long after its time a SIGTERM asks it to end, and to clean up, before it is killed
  std::stop_token stop = {};               // its time is over when this is asked for
};

inline constexpr size_t most_asked_input = 16384;  // fits into a pipe: nobody has to wait until it is read

struct ProgramAnswer {
  int status = 0;  // 128 and the signal if it was killed
  std::string output;
  std::string errors;  // the first few KiB
};

// ErrorCode::failed if it cannot be started, takes longer or says more: then it is killed, with all that it started.
Result<ProgramAnswer> ask_program(const AskedProgram& program);

// The environment of this process, "NAME=value".
std::vector<std::string> own_environment();

}  // namespace loci
