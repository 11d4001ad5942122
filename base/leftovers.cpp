#include "base/leftovers.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>

namespace loci {
namespace {

// As write_file() makes it, for this user: what somebody put there under such a name is theirs.
bool is_as_written(const path& file) {
  struct stat info{};
  constexpr mode_t own = 0600, all = 07777;
  return ::lstat(file.c_str(), &info) == 0 && S_ISREG(info.st_mode) && (info.st_mode & all) == own && info.st_uid == ::geteuid();
}

}  // namespace

void remove_leftovers_of(const path& file) {
  const std::string begin = file.filename().string() + ".tmp-";  // and the number of the process
  std::error_code error;
  for (const auto& item : std::filesystem::directory_iterator(file.parent_path(), error)) {
    const std::string name = item.path().filename();
    if (!name.starts_with(begin)) continue;
    const char* end = name.data() + name.size();
    pid_t writer = 0;
    const auto [stop, failed] = std::from_chars(name.data() + begin.size(), end, writer);
    const bool is_number = failed == std::errc() && stop == end && writer > 0;
    if (is_number && is_as_written(item.path()) && ::kill(writer, 0) != 0 && errno == ESRCH)
      std::filesystem::remove(item.path(), error);
  }
}

}  // namespace loci
