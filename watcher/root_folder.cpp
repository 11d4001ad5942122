#include "watcher/root_folder.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

namespace loci {

Result<RootFolder> open_root(const path& root) {
  auto open = TRY(real_file_system().open(root, O_RDONLY | O_DIRECTORY));
  const auto info = TRY(real_file_system().status(open, root));
  return RootFolder{std::move(open), {info.st_dev, info.st_ino}};
}

bool stands_at(const path& root, const FolderIdentity& identity) {
  struct stat info{};
  int result = 0;
  do result = ::stat(root.c_str(), &info);
  while (result != 0 && errno == EINTR);
  return result == 0 && identity == FolderIdentity{info.st_dev, info.st_ino};
}

}  // namespace loci
