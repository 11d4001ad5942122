#include "base/leftovers.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <string_view>

namespace loci {
namespace {

constexpr std::string_view mark = ".tmp-";  // and the number of the process

// As write_file() makes it, for this user: what somebody put there under such a name is theirs.
bool is_as_written(const path& file) {
  struct stat info{};
  constexpr mode_t own = 0600, all = 07777;
  return ::lstat(file.c_str(), &info) == 0 && S_ISREG(info.st_mode) && (info.st_mode & all) == own && info.st_uid == ::geteuid();
}

bool is_of_dead_process(std::string_view number) {
  pid_t writer = 0;
  const auto [stop, failed] = std::from_chars(number.data(), number.data() + number.size(), writer);
  const bool is_number = failed == std::errc() && stop == number.data() + number.size() && writer > 0;
  return is_number && ::kill(writer, 0) != 0 && errno == ESRCH;
}

// `beginning`: of the name; empty for all.
void remove_leftovers(const path& folder, std::string_view beginning) {
  std::error_code error;
  for (const auto& item : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = item.path().filename();
    const size_t end = name.rfind(mark);
    if (end == std::string::npos || !(beginning.empty() || std::string_view(name).substr(0, end) == beginning)) continue;
    if (is_of_dead_process(std::string_view(name).substr(end + mark.size())) && is_as_written(item.path()))
      std::filesystem::remove(item.path(), error);
  }
}

}  // namespace

void remove_leftovers_of(const path& file) { remove_leftovers(file.parent_path(), file.filename().string()); }

void remove_leftovers_in(const path& folder) { remove_leftovers(folder, {}); }

void remove_older(const path& folder, std::chrono::hours age) {
  std::error_code error;
  const auto oldest = std::filesystem::file_time_type::clock::now() - age;
  for (const auto& file : std::filesystem::directory_iterator(folder, error))
    if (const auto written = file.last_write_time(error); !error && written < oldest) std::filesystem::remove(file.path(), error);
}

}  // namespace loci
