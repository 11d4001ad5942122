#include "vault/layout/folder_listing.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <span>
#include <system_error>
#include <thread>

#include "vault/layout/layout.h"
#include "vault/layout/scan_rules.h"

namespace loci {
namespace {

// Below this a thread costs more than it saves (a start is some 60 µs, a name 2 µs).
constexpr size_t names_a_thread = 256;
constexpr size_t most_threads = 4;

}  // namespace

FolderListing::FolderListing(const OpenFolder& folder) {
  read(folder.get());
  examine_all(::dirfd(folder.get()));
}

void FolderListing::read(DIR* folder) {
  for (errno = 0; const dirent* entry = ::readdir(folder); errno = 0) {
    const std::string_view name = entry->d_name;
    if (name.starts_with('.')) continue;
    items_.push_back({.name_at = names_.size(), .type = entry->d_type});
    names_.append(name).push_back('\0');
  }
  error_number_ = errno;
}

void FolderListing::examine_all(int folder) {
  const size_t worthwhile = std::min(items_.size() / names_a_thread, most_threads);
  if (worthwhile < 2) return examine(folder, 0, items_.size());
  const size_t threads = std::clamp<size_t>(std::thread::hardware_concurrency(), 1, worthwhile);
  const size_t share = items_.size() / threads;
  size_t from = 0;
  std::vector<std::jthread> helpers;
  try {
    for (; helpers.size() + 1 < threads; from += share)
      helpers.emplace_back([this, folder, from, share] { examine(folder, from, from + share); });
  } catch (const std::system_error&) {  // no thread is to be had: then this one does what is left
  }
  examine(folder, from, items_.size());
}

void FolderListing::examine(int folder, size_t from, size_t end) {
  for (Item& item : std::span(items_).subspan(from, end - from)) {
    const bool may_be_text = item.type == DT_REG && has_markdown_suffix(name(item));
    if (!may_be_text && item.type != DT_UNKNOWN) continue;
    struct stat info{};
    if (::fstatat(folder, name(item), &info, AT_SYMLINK_NOFOLLOW) != 0) {
      item.error_number = errno;
      continue;
    }
    item.type = static_cast<unsigned char>(IFTODT(info.st_mode));
    if (item.type == DT_REG) item.state = state_of({}, info, false);
  }
}

}  // namespace loci
