// A file system that fails where a test says: the n-th call, or every call from the n-th on (a disk that stays full).
// A failing write leaves the first half of its bytes in the file, as a full disk does; a disk that stays full still lets files be
// read, shortened and removed. Not thread-safe.
//
// To try every call of an operation: run it once to learn calls().size(), then once for each number with fail_call().
#pragma once

#include <string>
#include <vector>

#include "base/file_system.h"

namespace loci {

class FaultyFileSystem final : public FileSystem {
 public:
  explicit FaultyFileSystem(FileSystem& below = real_file_system()) : below_(below) {}

  // Calls are counted from 0, from now on.
  void fail_call(size_t number, int error_number);
  void fail_from(size_t number, int error_number);
  void fail_nothing();

  // What was called since then: "open /v/a.md", "create /v/b.md", "write_once /v/b.md", …
  const std::vector<std::string>& calls() const { return calls_; }

  Result<Fd> open(const path& file, int flags, mode_t mode) override;
  Status write_once(const Fd& fd, std::string_view bytes, const path& name) override;
  Status sync(const Fd& fd, const path& name) override;
  Status sync_data(const Fd& fd, const path& name) override;
  Result<std::string> read_all(const Fd& fd, const path& name, size_t limit) override;
  Result<struct stat> status(const Fd& fd, const path& name) override;
  Status rename(const path& from, const path& to) override;
  Status rename_new(const path& from, const path& to) override;
  Status exchange(const path& a, const path& b) override;
  Status remove(const path& file) override;
  Status make_folder(const path& folder) override;
  Status change_mode(const Fd& fd, mode_t mode, const path& name) override;
  Status truncate(const Fd& fd, std::uint64_t size, const path& name) override;

 private:
  void restart(size_t first, size_t last, int error_number);
  // Notes the call; what it has to fail with, if it is one of those.
  Status enter(const std::string& call, const path& name);
  bool passes_on_full_disk(const std::string& call) const;

  FileSystem& below_;
  size_t first_failing_ = 0, last_failing_ = 0;  // [first, last): none at the start
  int error_number_ = 0;
  std::vector<std::string> calls_;
};

}  // namespace loci
