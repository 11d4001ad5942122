#include "bench/daemon_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

namespace loci::bench {
namespace {

constexpr timeval ready_patience{30, 0};

// The daemon that runs, if any: give_up() must not leave it behind.
std::atomic<pid_t> running{0};

void end_daemon() {
  if (const pid_t pid = running.exchange(0)) {
    ::kill(pid, SIGTERM);
    ::waitpid(pid, nullptr, 0);
  }
}

std::vector<char*> pointers_to(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& string : strings) pointers.push_back(string.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Output goes to a file beside the state: a terminal's speed is not measured.
pid_t spawn(const World& world, const std::vector<std::string>& arguments, const std::vector<std::string>& more_environment,
            const path& input) {
  std::vector<std::string> command{world.loci, "--vault", world.vault};
  command.insert(command.end(), arguments.begin(), arguments.end());
  std::vector<std::string> environment{"PATH=/usr/bin:/bin",
                                       "LANG=C.UTF-8",
                                       "LOCI_HOST=bench",
                                       "HOME=" + (world.folder / "home").string(),
                                       "XDG_STATE_HOME=" + (world.folder / "state").string(),
                                       "XDG_CONFIG_HOME=" + (world.folder / "config").string(),
                                       "XDG_RUNTIME_DIR=" + (world.folder / "run").string()};
  environment.insert(environment.end(), more_environment.begin(), more_environment.end());
  const std::string log = world.folder / "log";
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, input.c_str(), O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  ::posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t pid = -1;
  const int failed =
      ::posix_spawn(&pid, world.loci.c_str(), &actions, nullptr, pointers_to(command).data(), pointers_to(environment).data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) give_up("cannot start " + world.loci.string() + ": " + std::strerror(failed));
  return pid;
}

Fd listen_for_notifications(const path& name) {
  Fd fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (name.string().size() >= sizeof address.sun_path) give_up("--folder has too long a name for a socket in it");
  std::strcpy(address.sun_path, name.c_str());
  ::unlink(name.c_str());
  if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    give_up("cannot listen on " + name.string());
  ::setsockopt(fd.get(), SOL_SOCKET, SO_RCVTIMEO, &ready_patience, sizeof ready_patience);
  return fd;
}

// The number behind "Name:" in one of the files of /proc.
std::uint64_t number_in(const path& file, std::string_view name) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(name)) return std::stoull(line.substr(name.size()));
  return 0;
}

}  // namespace

void World::run(const std::vector<std::string>& arguments, const path& input) const {
  const pid_t pid = spawn(*this, arguments, {}, input);
  int status = 0;
  if (::waitpid(pid, &status, 0) != pid || status != 0)
    give_up("loci " + arguments.front() + " failed; see " + (folder / "log").string());
}

DaemonProcess::DaemonProcess(const World& world) : runtime_(world.folder / "run") {
  const path notify = world.folder / "notify";
  const Fd notified = listen_for_notifications(notify);
  std::vector<std::string> environment{"NOTIFY_SOCKET=" + notify.string()};
  if (!world.preload.empty()) environment.push_back("LD_PRELOAD=" + world.preload.string());
  static const int at_exit = std::atexit(end_daemon);
  if (at_exit != 0) give_up("too much is to be done at the end");
  forked_at_ = Clock::now();
  running = pid_ = spawn(world, {"daemon", "--log", "notice"}, environment, "/dev/null");
  wait_until_ready(notified);
}

void DaemonProcess::wait_until_ready(const Fd& notified) {
  for (std::string message(4096, '\0');;) {
    const ssize_t count = ::recv(notified.get(), message.data(), message.size(), 0);
    if (count <= 0) give_up("the daemon did not get ready; see the file 'log' in --folder");
    if (std::string_view(message.data(), static_cast<size_t>(count)).contains("READY=1")) return;
  }
}

DaemonProcess::~DaemonProcess() { end_daemon(); }

path DaemonProcess::socket() const {
  for (const auto& entry : std::filesystem::directory_iterator(runtime_ / "loci"))
    if (entry.is_socket()) return entry.path();
  give_up("the daemon has no socket under " + runtime_.string());
}

DaemonProcess::Memory DaemonProcess::memory() const {
  const path file = "/proc/" + std::to_string(pid_) + "/smaps_rollup";
  const auto megabytes = [&](std::string_view name) { return static_cast<double>(number_in(file, name)) / 1024; };
  return {megabytes("Rss:"), megabytes("Pss:"), megabytes("Anonymous:")};
}

DaemonProcess::Activity DaemonProcess::activity() const {
  Activity activity;
  for (const auto& task : std::filesystem::directory_iterator("/proc/" + std::to_string(pid_) + "/task")) {
    const path status = task.path() / "status";
    activity.switches += number_in(status, "voluntary_ctxt_switches:") + number_in(status, "nonvoluntary_ctxt_switches:");
    std::ifstream in(task.path() / "stat");
    std::string line;
    std::getline(in, line);
    // The name, the second field, may hold anything but ends at the last parenthesis; utime and stime are fields 14 and 15.
    std::istringstream fields(line.substr(line.rfind(')') + 2));
    std::string skipped;
    for (int field = 3; field < 14; ++field) fields >> skipped;
    std::uint64_t user = 0, system = 0;
    fields >> user >> system;
    activity.ticks += user + system;
  }
  return activity;
}

}  // namespace loci::bench
