#include "base/lock_holder.h"

#include <sys/sysmacros.h>

#include <cstdio>

namespace loci {

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
  const auto locks = read_file(files, "/proc/locks");
  if (!locks) return std::nullopt;
  const auto pid = pid_holding(*locks, ::major(info.st_dev), ::minor(info.st_dev), info.st_ino);
  if (!pid) return std::nullopt;
  LockHolder holder{*pid, {}};
  if (auto name = read_file(files, "/proc/" + std::to_string(*pid) + "/comm")) holder.program = name->substr(0, name->find('\n'));
  return holder;
}

}  // namespace loci
