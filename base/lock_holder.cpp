#include "base/lock_holder.h"

#include <sys/sysmacros.h>
#include <unistd.h>

#include <cstdio>

namespace loci {
namespace {

constexpr int most_looks = 4;

// The kernel gives the list a page at a time, and counts lines to find where it was: while others take and leave locks, it skips
// some that are held. So where the list may have been longer than a page, it is looked at again.
std::optional<int> look_for_pid(FileSystem& files, const struct stat& locked) {
  const auto one_page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  for (int looks = 0; looks < most_looks; ++looks) {
    const auto locks = read_file(files, "/proc/locks");
    if (!locks) return std::nullopt;
    if (const auto pid = pid_holding(*locks, ::major(locked.st_dev), ::minor(locked.st_dev), locked.st_ino)) return pid;
    if (locks->size() < one_page / 2) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

// Lines such as "3: FLOCK  ADVISORY  WRITE 2871 fe:01:1835012 0 EOF"; one that waits has "->" behind the number.
std::optional<int> pid_holding(std::string_view proc_locks, unsigned major, unsigned minor, std::uint64_t inode) {
  for (size_t begin = 0; begin < proc_locks.size();) {
    const size_t end = std::min(proc_locks.find('\n', begin), proc_locks.size());
    const std::string line(proc_locks.substr(begin, end - begin));
    begin = end + 1;
    int pid = 0;
    unsigned line_major = 0, line_minor = 0;
    unsigned long long line_inode = 0;
    if (std::sscanf(line.c_str(), "%*d: FLOCK %*s %*s %d %x:%x:%llu", &pid, &line_major, &line_minor, &line_inode) != 4) continue;
    if (line_major == major && line_minor == minor && line_inode == inode && pid > 0) return pid;
  }
  return std::nullopt;
}

std::optional<LockHolder> holder_of_lock(FileSystem& files, const path& folder) {
  struct stat info{};
  if (::stat(folder.c_str(), &info) != 0) return std::nullopt;
  const auto pid = look_for_pid(files, info);
  if (!pid) return std::nullopt;
  LockHolder holder{*pid, {}};
  if (auto name = read_file(files, "/proc/" + std::to_string(*pid) + "/comm")) holder.program = name->substr(0, name->find('\n'));
  return holder;
}

}  // namespace loci
