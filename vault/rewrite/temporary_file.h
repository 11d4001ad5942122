// Files in .loci/tmp/ that are about to get their name in the vault: whole and synced before anyone can see them.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "vault/layout/vault.h"

namespace loci {

// Removes the file when it goes out of scope, unless it was let go.
class TemporaryFile {
 public:
  // Makes a new file; `name` is one that no other process uses. It is synced, its mode is exactly `mode`.
  static Result<TemporaryFile> write(const Vault& vault, const std::string& name, std::string_view bytes, mode_t mode);

  TemporaryFile(TemporaryFile&& other) noexcept : files_(std::exchange(other.files_, nullptr)), name_(std::move(other.name_)) {}
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  ~TemporaryFile();

  // Another name in the same folder.
  Status rename(const std::string& name);

  const path& name() const { return name_; }
  void let_go() { files_ = nullptr; }

 private:
  TemporaryFile(FileSystem& files, path name) : files_(&files), name_(std::move(name)) {}

  FileSystem* files_;
  path name_;
};

}  // namespace loci
