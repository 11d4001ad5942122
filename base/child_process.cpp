#include "base/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <optional>
#include <thread>

#include "base/fd.h"

namespace loci {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr size_t errors_limit = 4096;
constexpr milliseconds end_pause{1};     // between two looks whether a program that closed its output has ended
constexpr milliseconds stop_pause{100};  // between two looks whether somebody wants it to stop

// Ignores ^C in this process while it exists.
class InterruptsIgnored {
 public:
  InterruptsIgnored() : before_(::signal(SIGINT, SIG_IGN)) {}
  InterruptsIgnored(const InterruptsIgnored&) = delete;
  InterruptsIgnored& operator=(const InterruptsIgnored&) = delete;
  ~InterruptsIgnored() { ::signal(SIGINT, before_); }

 private:
  void (*before_)(int);
};

std::vector<char*> pointers_to(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (const std::string& string : strings) pointers.push_back(const_cast<char*>(string.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// How a child starts: no signal blocked or ignored, no descriptor but the first three.
class Start {
 public:
  Start() {
    posix_spawnattr_init(&attributes_);
    posix_spawn_file_actions_init(&actions_);
    sigset_t defaults, none;
    sigemptyset(&defaults);
    for (const int signal : {SIGINT, SIGPIPE, SIGXFSZ, SIGTERM, SIGHUP}) sigaddset(&defaults, signal);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&attributes_, &defaults);
    posix_spawnattr_setsigmask(&attributes_, &none);
    set_flags(0);
  }
  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;
  ~Start() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }

  void in_group_of_its_own() { set_flags(POSIX_SPAWN_SETPGROUP); }
  void open(int number, const char* file, int flags) { posix_spawn_file_actions_addopen(&actions_, number, file, flags, 0); }
  void give(int number, const Fd& fd) { posix_spawn_file_actions_adddup2(&actions_, fd.get(), number); }

  // 0, or the error.
  int spawn(pid_t& child, const std::vector<std::string>& words, char** environment) {
    posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
    return ::posix_spawnp(&child, words[0].c_str(), &actions_, &attributes_, pointers_to(words).data(), environment);
  }

 private:
  void set_flags(int more) {
    posix_spawnattr_setflags(&attributes_, static_cast<short>(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | more));
  }

  posix_spawnattr_t attributes_;
  posix_spawn_file_actions_t actions_;
};

int exit_status(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

struct Pipe {
  Fd from, to;
};

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return fail_errno("make", "a pipe", errno);
  return Pipe{Fd(ends[0]), Fd(ends[1])};
}

// A pipe in which these bytes wait; none if there are none.
Result<Pipe> pipe_with(const std::string& bytes) {
  if (bytes.empty()) return Pipe{};
  if (bytes.size() > most_asked_input) return fail(ErrorCode::usage, "a program is told more than fits into a pipe");
  auto ends = TRY(make_pipe());
  if (::write(ends.to.get(), bytes.data(), bytes.size()) < 0) return fail_errno("write to", "a pipe", errno);
  return ends;
}

// A child and all that it started; killed if it is still there in the end.
class Group {
 public:
  explicit Group(pid_t child) : child_(child) {}
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  ~Group() {
    if (child_ == 0) return;
    ::kill(-child_, SIGKILL);
    while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }

  // Its exit status; none if it still runs.
  std::optional<int> ended() {
    int status = 0;
    if (::waitpid(child_, &status, WNOHANG) <= 0) return std::nullopt;
    child_ = 0;
    return exit_status(status);
  }

  // Asks all of it to end, and waits for the child.
  void end_within(milliseconds grace) {
    if (grace == milliseconds(0) || child_ == 0) return;
    const pid_t group = child_;
    ::kill(-group, SIGTERM);
    for (const auto until = steady_clock::now() + grace; !ended() && steady_clock::now() < until;)
      std::this_thread::sleep_for(end_pause);
    ::kill(-group, SIGKILL);  // what it started and did not wait for
  }

 private:
  pid_t child_;
};

// Both ends of what a program says, read until it says no more.
class Listener {
 public:
  Listener(Fd output, Fd errors, size_t limit) : output_(std::move(output)), errors_(std::move(errors)), limit_(limit) {}

  bool is_open() const { return output_ || errors_; }
  bool has_said(std::string_view words) const { return answer_.output.contains(words); }
  bool said_too_much() const { return answer_.output.size() > limit_; }
  ProgramAnswer take() { return std::move(answer_); }

  void listen(milliseconds patience) {
    std::array<pollfd, 2> ends{{{output_.get(), POLLIN, 0}, {errors_.get(), POLLIN, 0}}};
    if (::poll(ends.data(), ends.size(), static_cast<int>(patience.count())) <= 0) return;
    if (ends[0].revents != 0) read_some(output_, answer_.output, limit_ + 1);
    if (ends[1].revents != 0) read_some(errors_, answer_.errors, errors_limit);
  }

 private:
  // What is behind the limit is read and thrown away.
  static void read_some(Fd& fd, std::string& into, size_t limit) {
    std::array<char, 65536> buffer;
    const ssize_t count = ::read(fd.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) return;
    if (count <= 0) return fd.reset();
    into.append(buffer.data(), std::min(static_cast<size_t>(count), limit - std::min(limit, into.size())));
  }

  Fd output_, errors_;
  size_t limit_;
  ProgramAnswer answer_;
};

milliseconds left_until(steady_clock::time_point deadline) {
  return std::max(std::chrono::ceil<milliseconds>(deadline - steady_clock::now()), milliseconds(0));
}

std::unexpected<Error> not_run(const std::string& name, int error) {
  auto failed = fail_errno("run", name, error);
  if (error == ENOENT) failed.error().message = "there is no program '" + name + "' here";
  if (error == ENOENT) failed.error().hint = "install it, or add its folder to PATH";
  return failed;
}

}  // namespace

Result<int> run_program(const std::vector<std::string>& words, Shown shown) {
  const InterruptsIgnored ignored;
  Start start;
  if (shown != Shown::everything) start.open(STDOUT_FILENO, "/dev/null", O_WRONLY);
  if (shown == Shown::nothing) start.open(STDERR_FILENO, "/dev/null", O_WRONLY);
  pid_t child = 0;
  if (const int error = start.spawn(child, words, environ); error != 0) return not_run(words[0], error);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return fail_errno("wait for", words[0], errno);
  return exit_status(status);
}

Result<ProgramAnswer> ask_program(const AskedProgram& program) {
  const std::string& name = program.words[0];
  const auto deadline = steady_clock::now() + program.time_limit;
  auto output = TRY(make_pipe());
  auto errors = TRY(make_pipe());
  Start start;
  start.in_group_of_its_own();
  auto input = TRY(pipe_with(program.input));
  if (input.from)
    start.give(STDIN_FILENO, input.from);
  else
    start.open(STDIN_FILENO, "/dev/null", O_RDONLY);
  start.give(STDOUT_FILENO, output.to);
  start.give(STDERR_FILENO, errors.to);
  pid_t child = 0;
  if (const int error = start.spawn(child, program.words, pointers_to(program.environment).data()); error != 0)
    return not_run(name, error);
  Group group(child);
  output.to.reset();
  errors.to.reset();
  input.from.reset();
  if (program.input_until.empty()) input.to.reset();
  Listener listener(std::move(output.from), std::move(errors.from), program.output_limit);
  const auto left = [&] { return program.stop.stop_requested() ? milliseconds(0) : left_until(deadline); };
  while (listener.is_open() && !listener.said_too_much() && left() > milliseconds(0)) {
    listener.listen(program.stop.stop_possible() ? std::min(left(), stop_pause) : left());
    if (input.to && listener.has_said(program.input_until)) input.to.reset();
  }
  if (listener.said_too_much())
    return fail(ErrorCode::failed, "'" + name + "' said more than " + std::to_string(program.output_limit) + " bytes");
  for (;;) {
    if (const auto status = listener.is_open() ? std::nullopt : group.ended()) {
      ProgramAnswer answer = listener.take();
      answer.status = *status;
      return answer;
    }
    if (left() > milliseconds(0)) {
      std::this_thread::sleep_for(end_pause);
      continue;
    }
    group.end_within(program.grace);
    if (program.stop.stop_requested()) return fail(ErrorCode::failed, "'" + name + "' was stopped");
    return fail(ErrorCode::failed, "'" + name + "' did not end within " + std::to_string(program.time_limit.count()) + " ms");
  }
}

std::vector<std::string> own_environment() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) variables.emplace_back(*variable);
  return variables;
}

}  // namespace loci
