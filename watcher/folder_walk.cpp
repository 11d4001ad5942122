#include "watcher/folder_walk.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <vector>

#include "base/fd.h"

namespace loci {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};
using OpenFolder = std::unique_ptr<DIR, CloseFolder>;

Fd open_at(int parent, const char* name) {
  int number = -1;
  do number = ::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  while (number < 0 && errno == EINTR);
  return Fd(number);
}

// Name by name: O_NOFOLLOW holds for the last one only.
Fd open_below(int root, const std::string& folder) {
  Fd open = open_at(root, ".");
  for (size_t begin = 0; open && begin < folder.size();) {
    const size_t end = std::min(folder.find('/', begin), folder.size());
    open = open_at(open.get(), folder.substr(begin, end - begin).c_str());
    begin = end + 1;
  }
  return open;
}

bool is_gone_or_forbidden(int error_number) {
  return error_number == ENOENT || error_number == ENOTDIR || error_number == ELOOP || error_number == EACCES ||
         error_number == EPERM;
}

class Walk {
 public:
  Walk(const WalkVisitor& visitor, int depth) : visitor_(visitor), start_depth_(depth) {}

  // `folder` was just opened; if not, errno says why.
  void enter(Fd folder, std::string path) {
    if (!folder) return miss(errno);
    walked_.stopped = visitor_.opened(folder.get(), path);
    if (walked_.stopped != 0) return;
    OpenFolder open(::fdopendir(folder.get()));
    if (!open) return miss(errno);
    folder.release();
    levels_.push_back({std::move(open), std::move(path), {}});
    read_names(levels_.back());
  }

  Walked run() {
    while (!levels_.empty() && walked_.stopped == 0) {
      Level& level = levels_.back();
      if (level.folders.empty()) {
        levels_.pop_back();
        continue;
      }
      const std::string name = std::move(level.folders.back());
      level.folders.pop_back();
      std::string folder = path_in(level, name);
      enter(open_at(::dirfd(level.open.get()), name.c_str()), std::move(folder));
    }
    return walked_;
  }

 private:
  struct Level {
    OpenFolder open;
    std::string path;
    std::vector<std::string> folders;  // in it, still to be walked
  };

  static std::string path_in(const Level& level, std::string_view name) {
    return level.path.empty() ? std::string(name) : level.path + '/' + std::string(name);
  }

  void miss(int error_number) {
    if (!is_gone_or_forbidden(error_number)) walked_.missed = error_number;
  }

  void read_names(Level& level) {
    const bool may_descend = start_depth_ + static_cast<int>(levels_.size()) <= deepest_watched_folder;
    for (errno = 0; const dirent* item = ::readdir(level.open.get()); errno = 0) {
      const std::string_view name = item->d_name;
      if (name == "." || name == "..") continue;
      if (!is_folder(level, *item)) {
        if (visitor_.file) visitor_.file(path_in(level, name));
      } else if (may_descend && visitor_.enters(path_in(level, name))) {
        level.folders.emplace_back(name);
      }
    }
    if (errno != 0) miss(errno);
  }

  static bool is_folder(const Level& level, const dirent& item) {
    if (item.d_type != DT_UNKNOWN) return item.d_type == DT_DIR;
    struct stat info{};
    return ::fstatat(::dirfd(level.open.get()), item.d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(info.st_mode);
  }

  const WalkVisitor& visitor_;
  int start_depth_;
  std::vector<Level> levels_;
  Walked walked_;
};

}  // namespace

Walked walk_folders(int root, const std::string& start, const WalkVisitor& visitor) {
  const auto depth = start.empty() ? 0 : 1 + static_cast<int>(std::ranges::count(start, '/'));
  if (depth > deepest_watched_folder) return {};
  Walk walk(visitor, depth);
  walk.enter(open_below(root, start), start);
  return walk.run();
}

}  // namespace loci
