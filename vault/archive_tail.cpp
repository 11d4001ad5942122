#include "vault/archive_tail.h"

#include <map>
#include <mutex>
#include <tuple>

#include "parser/parser.h"

namespace loci {
namespace {

using Stamp = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;  // size, mtime, ctime

Stamp stamp_of(const struct stat& info) {
  return {info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec, info.st_ctim.tv_sec, info.st_ctim.tv_nsec};
}

// Files by device and inode, with the stamp under which their tail was clean. A writer touches a few files a day; the limit only
// keeps an import of years from growing it.
class CleanTails {
 public:
  bool contains(const struct stat& info) {
    const std::scoped_lock lock(mutex_);
    const auto found = stamps_.find({info.st_dev, info.st_ino});
    return found != stamps_.end() && found->second == stamp_of(info);
  }

  void insert(const struct stat& info) {
    const std::scoped_lock lock(mutex_);
    if (stamps_.size() >= limit) stamps_.clear();
    stamps_[{info.st_dev, info.st_ino}] = stamp_of(info);
  }

 private:
  static constexpr size_t limit = 1000;
  std::mutex mutex_;
  std::map<std::pair<dev_t, ino_t>, Stamp> stamps_;
};

CleanTails& clean_tails() {
  static CleanTails tails;
  return tails;
}

}  // namespace

Result<ArchiveTail> examine_tail(FileSystem& files, const Fd& fd, const path& name) {
  const auto info = files.status(fd, name);
  if (!info) return std::unexpected(info.error());
  if (clean_tails().contains(*info))
    return ArchiveTail{.size = static_cast<std::uint64_t>(info->st_size), .final_newline = true, .takes_entries = true};
  const auto bytes = files.read_all(fd, name, size_t{1} << 30);
  if (!bytes) return std::unexpected(bytes.error());
  const ParsedFile parsed = parse(*bytes);
  return ArchiveTail{.size = bytes->size(),
                     .final_newline = bytes->empty() || bytes->ends_with('\n'),
                     .takes_entries = parsed.open_end == OpenEnd::none && !parsed.held};
}

void remember_clean_tail(FileSystem& files, const Fd& fd, const path& name, std::uint64_t size) {
  const auto info = files.status(fd, name);
  if (info && static_cast<std::uint64_t>(info->st_size) == size) clean_tails().insert(*info);
}

}  // namespace loci
