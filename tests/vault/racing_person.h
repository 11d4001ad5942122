// A person whose editor saves in the middle of something, in the ways that editors do.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/file_system.h"
#include "vault/rewrite/pause.h"

namespace loci {

enum class SaveStyle : std::uint8_t {
  rename,    // sed -i, many GUI editors
  in_place,  // nano, VS Code
  vim,       // takes the file away, makes a new one, removes the old
};

inline void no_pause(std::chrono::milliseconds) {}

// The steps of vim's save.
class VimSave {
 public:
  VimSave(std::filesystem::path file, std::string bytes) : file_(std::move(file)), bytes_(std::move(bytes)) {}

  void take_away() {
    std::error_code ignored;
    std::filesystem::rename(file_, file_.string() + "~", ignored);
  }
  void make_empty() { open_ = Fd(::open(file_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)); }
  // Into the file that was made, whatever its name is by now.
  void write() { is_written_ = ::write(open_.get(), bytes_.data(), bytes_.size()) == static_cast<ssize_t>(bytes_.size()); }
  // The rest of it.
  void finish() {
    if (!open_) make_empty();
    if (!is_written_) write();
    std::filesystem::remove(file_.string() + "~");
  }

 private:
  std::filesystem::path file_;
  std::string bytes_;
  Fd open_;
  bool is_written_ = false;
};

inline void save_as(SaveStyle style, const std::filesystem::path& file, const std::string& bytes) {
  if (style == SaveStyle::vim) {
    VimSave vim(file, bytes);
    vim.take_away();
    vim.finish();
    return;
  }
  const std::filesystem::path written = style == SaveStyle::rename ? file.parent_path() / ".saved" : file;
  std::ofstream(written, std::ios::binary | std::ios::trunc) << bytes;
  if (style == SaveStyle::rename) std::filesystem::rename(written, file);
}

}  // namespace loci
