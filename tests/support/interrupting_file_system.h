// The real file system with something happening just before any of its calls: what an editor or another process does at that
// moment.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <utility>

#include "base/file_system.h"

namespace loci {

class InterruptingFileSystem final : public FileSystem {
 public:
  // Gets the number of the call, from 0, and its name as in FaultyFileSystem::calls(): "write_once /v/a.md".
  using Interruption = std::function<void(size_t number, const std::string& call)>;

  explicit InterruptingFileSystem(Interruption before) : before_(std::move(before)) {}

  size_t calls() const { return calls_; }

  Result<Fd> open(const path& file, int flags, mode_t mode) override {
    next(flags & O_CREAT ? "create" : "open", file);
    return real_.open(file, flags, mode);
  }
  Status write_once(const Fd& fd, std::string_view bytes, const path& name) override {
    next("write_once", name);
    return real_.write_once(fd, bytes, name);
  }
  Status sync(const Fd& fd, const path& name) override {
    next("sync", name);
    return real_.sync(fd, name);
  }
  Status sync_data(const Fd& fd, const path& name) override {
    next("sync_data", name);
    return real_.sync_data(fd, name);
  }
  Result<std::string> read_all(const Fd& fd, const path& name, size_t limit) override {
    next("read_all", name);
    return real_.read_all(fd, name, limit);
  }
  Result<struct stat> status(const Fd& fd, const path& name) override {
    next("status", name);
    return real_.status(fd, name);
  }
  Status rename(const path& from, const path& to) override {
    next("rename", from);
    return real_.rename(from, to);
  }
  Status rename_new(const path& from, const path& to) override {
    next("rename_new", from);
    return real_.rename_new(from, to);
  }
  Status exchange(const path& a, const path& b) override {
    next("exchange", a);
    return real_.exchange(a, b);
  }
  Status remove(const path& file) override {
    next("remove", file);
    return real_.remove(file);
  }
  Status make_folder(const path& folder) override {
    next("make_folder", folder);
    return real_.make_folder(folder);
  }
  Status change_mode(const Fd& fd, mode_t mode, const path& name) override {
    next("change_mode", name);
    return real_.change_mode(fd, mode, name);
  }
  Status truncate(const Fd& fd, std::uint64_t size, const path& name) override {
    next("truncate", name);
    return real_.truncate(fd, size, name);
  }

 private:
  void next(const std::string& call, const path& name) { before_(calls_++, call + ' ' + name.string()); }

  FileSystem& real_ = real_file_system();
  std::atomic<size_t> calls_ = 0;  // a daemon has threads
  Interruption before_;
};

}  // namespace loci
