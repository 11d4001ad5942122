#include "vault/layout/folder_listing.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

namespace loci {

FolderListing::FolderListing(const OpenFolder& folder) {
  for (errno = 0; const dirent* entry = ::readdir(folder.get()); errno = 0) {
    const std::string_view name = entry->d_name;
    if (name.starts_with('.')) continue;
    items_.push_back({.name_at = names_.size(), .type = entry->d_type});
    names_.append(name).push_back('\0');
  }
  error_number_ = errno;
  for (Item& item : items_) {
    if (item.type != DT_UNKNOWN) continue;
    struct stat info{};
    if (::fstatat(::dirfd(folder.get()), name(item), &info, AT_SYMLINK_NOFOLLOW) != 0)
      item.error_number = errno;
    else
      item.type = static_cast<unsigned char>(IFTODT(info.st_mode));
  }
}

}  // namespace loci
