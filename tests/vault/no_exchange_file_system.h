// A file system that knows no exchange, as some network and FUSE file systems; everything else is real.
#pragma once

#include "base/file_system.h"

namespace loci {

class NoExchangeFileSystem final : public FileSystem {
 public:
  Status exchange(const path&, const path&) override {
    return fail(ErrorCode::refused, "cannot exchange two files", "this file system cannot exchange two files in one step");
  }

  Result<Fd> open(const path& file, int flags, mode_t mode) override { return real_.open(file, flags, mode); }
  Status write_once(const Fd& fd, std::string_view bytes, const path& name) override { return real_.write_once(fd, bytes, name); }
  Status sync(const Fd& fd, const path& name) override { return real_.sync(fd, name); }
  Status sync_data(const Fd& fd, const path& name) override { return real_.sync_data(fd, name); }
  Result<std::string> read_all(const Fd& fd, const path& name, size_t limit) override { return real_.read_all(fd, name, limit); }
  Result<struct stat> status(const Fd& fd, const path& name) override { return real_.status(fd, name); }
  Status rename(const path& from, const path& to) override { return real_.rename(from, to); }
  Status rename_new(const path& from, const path& to) override { return real_.rename_new(from, to); }
  Status remove(const path& file) override { return real_.remove(file); }
  Status make_folder(const path& folder) override { return real_.make_folder(folder); }
  Status change_mode(const Fd& fd, mode_t mode, const path& name) override { return real_.change_mode(fd, mode, name); }
  Status truncate(const Fd& fd, std::uint64_t size, const path& name) override { return real_.truncate(fd, size, name); }

 private:
  FileSystem& real_ = real_file_system();
};

}  // namespace loci
