// A file system that passes every call on to another one: for fakes that change a few of them.
#pragma once

#include "base/file_system.h"

namespace loci {

class ForwardingFileSystem : public FileSystem {
 public:
  explicit ForwardingFileSystem(FileSystem& below = real_file_system()) : below_(below) {}

  Result<Fd> open(const path& file, int flags, mode_t mode) override { return below_.open(file, flags, mode); }
  Status write_once(const Fd& fd, std::string_view bytes, const path& name) override { return below_.write_once(fd, bytes, name); }
  Status sync(const Fd& fd, const path& name) override { return below_.sync(fd, name); }
  Status sync_data(const Fd& fd, const path& name) override { return below_.sync_data(fd, name); }
  Result<std::string> read_all(const Fd& fd, const path& name, size_t limit) override { return below_.read_all(fd, name, limit); }
  Result<struct stat> status(const Fd& fd, const path& name) override { return below_.status(fd, name); }
  Status rename(const path& from, const path& to) override { return below_.rename(from, to); }
  Status rename_new(const path& from, const path& to) override { return below_.rename_new(from, to); }
  Status exchange(const path& a, const path& b) override { return below_.exchange(a, b); }
  Status remove(const path& file) override { return below_.remove(file); }
  Status make_folder(const path& folder) override { return below_.make_folder(folder); }
  Status change_mode(const Fd& fd, mode_t mode, const path& name) override { return below_.change_mode(fd, mode, name); }
  Status truncate(const Fd& fd, std::uint64_t size, const path& name) override { return below_.truncate(fd, size, name); }

 protected:
  FileSystem& below_;
};

}  // namespace loci
