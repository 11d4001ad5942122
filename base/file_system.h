// The file system calls of everything that writes, behind an interface, so that a test can make any one of them fail.
// Reading a whole file is here too. Walking a vault (vault/scan) is not: it only reads metadata.
// Thread-safe: no state.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "base/result.h"

namespace loci {

using std::filesystem::path;

class FileSystem {
 public:
  virtual ~FileSystem() = default;

  // `flags` as for open(2); O_CLOEXEC is added. A missing file is ErrorCode::not_found.
  virtual Result<Fd> open(const path& file, int flags, mode_t mode = 0600) = 0;
  // One write(2) that has to take all of `bytes`; a short write is an error of its own ("wrote 12 of 100 bytes").
  virtual Status write_once(const Fd& fd, std::string_view bytes, const path& name) = 0;
  virtual Status sync(const Fd& fd, const path& name) = 0;       // fsync
  virtual Status sync_data(const Fd& fd, const path& name) = 0;  // fdatasync
  virtual Result<std::string> read_all(const Fd& fd, const path& name, size_t limit) = 0;
  virtual Result<struct stat> status(const Fd& fd, const path& name) = 0;
  virtual Status rename(const path& from, const path& to) = 0;
  // As rename, but ErrorCode::refused and nothing done where `to` exists already.
  virtual Status rename_new(const path& from, const path& to) = 0;
  virtual Status exchange(const path& a,
                          const path& b) = 0;          // renameat2(RENAME_EXCHANGE); ErrorCode::refused where there is no such call
  virtual Status remove(const path& file) = 0;         // unlink; a missing file is fine
  virtual Status make_folder(const path& folder) = 0;  // one level, 0700; an existing folder is fine
  virtual Status change_mode(const Fd& fd, mode_t mode, const path& name) = 0;
  virtual Status truncate(const Fd& fd, std::uint64_t size, const path& name) = 0;  // ftruncate
};

FileSystem& real_file_system();

// When a file was last modified.
inline Instant modified_at(const struct stat& info) {
  return Instant(std::chrono::seconds(info.st_mtim.tv_sec) + std::chrono::milliseconds(info.st_mtim.tv_nsec / 1'000'000));
}

// Everything below is built from the calls above.

// The bytes of a regular file. Fails if it is larger than `limit`.
Result<std::string> read_file(FileSystem& files, const path& file, size_t limit = size_t{1} << 30);
// As read_file, and empty where there is no such file.
Result<std::optional<std::string>> read_file_if_any(FileSystem& files, const path& file, size_t limit = size_t{1} << 30);

// Makes a folder and those above it, mode 0700, each made durable in its parent.
Status make_folders(FileSystem& files, const path& folder);
// fsync of a folder: makes a name in it durable.
Status sync_folder(FileSystem& files, const path& folder);

// A new or wholly rewritten file that nobody else edits (state, not memory): temp beside it, fsync, rename, fsync of the folder.
Status write_file(FileSystem& files, const path& file, std::string_view bytes, mode_t mode = 0600);

}  // namespace loci
