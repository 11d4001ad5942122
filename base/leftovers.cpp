#include "base/leftovers.h"

#include <cerrno>
#include <charconv>
#include <csignal>

namespace loci {

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
    if (is_number && ::kill(writer, 0) != 0 && errno == ESRCH) std::filesystem::remove(item.path(), error);
  }
}

}  // namespace loci
