#include "base/file_system.h"

#include <linux/fs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace loci {
namespace {

std::unexpected<Error> fail_open(const path& file, int error_number) {
  auto error = fail_errno("open", file.string(), error_number);
  if (error_number == ENOENT) error.error().code = ErrorCode::not_found;
  return error;
}

// Repeats a call that a signal interrupted.
template <typename Call>
auto retry(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

class RealFileSystem final : public FileSystem {
 public:
  Result<Fd> open(const path& file, int flags, mode_t mode) override {
    const int number = retry([&] { return ::open(file.c_str(), flags | O_CLOEXEC, mode); });
    if (number < 0) return fail_open(file, errno);
    return Fd(number);
  }

  Status write_once(const Fd& fd, std::string_view bytes, const path& name) override {
    const auto written = retry([&] { return ::write(fd.get(), bytes.data(), bytes.size()); });
    if (written < 0) return fail_errno("write", name.string(), errno);
    if (static_cast<size_t>(written) != bytes.size())
      return fail(ErrorCode::failed,
                  "wrote " + std::to_string(written) + " of " + std::to_string(bytes.size()) + " bytes to " + name.string(),
                  "free some space and try again");
    return {};
  }

  Status sync(const Fd& fd, const path& name) override {
    if (retry([&] { return ::fsync(fd.get()); }) < 0) return fail_errno("sync", name.string(), errno);
    return {};
  }

  Status sync_data(const Fd& fd, const path& name) override {
    if (retry([&] { return ::fdatasync(fd.get()); }) < 0) return fail_errno("sync", name.string(), errno);
    return {};
  }

  Result<std::string> read_all(const Fd& fd, const path& name, size_t limit) override {
    const auto info = TRY(status(fd, name));
    if (S_ISDIR(info.st_mode)) return fail_errno("read", name.string(), EISDIR);
    std::string bytes(static_cast<size_t>(info.st_size) + 1, '\0');  // one more, to see the end without a second round
    size_t size = 0;
    while (true) {
      const auto got = retry([&] { return ::pread(fd.get(), bytes.data() + size, bytes.size() - size, static_cast<off_t>(size)); });
      if (got < 0) return fail_errno("read", name.string(), errno);
      if (got == 0) break;
      size += static_cast<size_t>(got);
      if (size > limit)
        return fail(ErrorCode::refused, name.string() + " is larger than " + std::to_string(limit) + " bytes",
                    "split it, or raise the limit");
      if (size == bytes.size()) bytes.resize(bytes.size() * 2);
    }
    bytes.resize(size);
    return bytes;
  }

  Result<struct stat> status(const Fd& fd, const path& name) override {
    struct stat info{};
    if (::fstat(fd.get(), &info) < 0) return fail_errno("examine", name.string(), errno);
    return info;
  }

  Status rename(const path& from, const path& to) override {
    if (::rename(from.c_str(), to.c_str()) < 0) return fail_errno("rename " + from.string() + " to", to.string(), errno);
    return {};
  }

  Status rename_new(const path& from, const path& to) override {
    if (::syscall(SYS_renameat2, AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return {};
    if (errno == EINVAL || errno == ENOSYS) return link_new(from, to);
    return fail_new(from, to, errno);
  }

  Status exchange(const path& a, const path& b) override {
    if (::syscall(SYS_renameat2, AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0) return {};
    auto error = fail_errno("exchange " + a.string() + " with", b.string(), errno);
    if (errno == EINVAL || errno == ENOSYS) {
      error.error().code = ErrorCode::refused;
      error.error().hint = "this file system cannot exchange two files in one step, so loci rewrites nothing on it";
    } else if (errno == ENOENT) {
      error.error().code = ErrorCode::not_found;
    }
    return error;
  }

  Status remove(const path& file) override {
    if (::unlink(file.c_str()) < 0 && errno != ENOENT) return fail_errno("remove", file.string(), errno);
    return {};
  }

  Status make_folder(const path& folder) override {
    if (::mkdir(folder.c_str(), 0700) < 0 && errno != EEXIST) return fail_errno("make the folder", folder.string(), errno);
    return {};
  }

  Status change_mode(const Fd& fd, mode_t mode, const path& name) override {
    if (::fchmod(fd.get(), mode) < 0) return fail_errno("set the mode of", name.string(), errno);
    return {};
  }

  Status truncate(const Fd& fd, std::uint64_t size, const path& name) override {
    if (retry([&] { return ::ftruncate(fd.get(), static_cast<off_t>(size)); }) < 0)
      return fail_errno("shorten", name.string(), errno);
    return {};
  }

 private:
  static std::unexpected<Error> fail_new(const path& from, const path& to, int error_number) {
    auto error = fail_errno("rename " + from.string() + " to", to.string(), error_number);
    if (error_number == EEXIST) error.error().code = ErrorCode::refused;
    return error;
  }

  // For file systems without RENAME_NOREPLACE: link(2) never overwrites either.
  static Status link_new(const path& from, const path& to) {
    if (::link(from.c_str(), to.c_str()) < 0) return fail_new(from, to, errno);
    if (::unlink(from.c_str()) < 0) return fail_errno("remove", from.string(), errno);
    return {};
  }
};

}  // namespace

FileSystem& real_file_system() {
  static RealFileSystem files;
  return files;
}

Result<std::string> read_file(FileSystem& files, const path& file, size_t limit) {
  // O_NONBLOCK: a FIFO in the vault must not hang the reader.
  auto fd = TRY(files.open(file, O_RDONLY | O_NOCTTY | O_NONBLOCK));
  return files.read_all(fd, file, limit);
}

Result<std::optional<std::string>> read_file_if_any(FileSystem& files, const path& file, size_t limit) {
  auto bytes = read_file(files, file, limit);
  if (bytes) return std::optional(std::move(*bytes));
  if (bytes.error().code == ErrorCode::not_found) return std::nullopt;
  return std::unexpected(bytes.error());
}

Status sync_folder(FileSystem& files, const path& folder) {
  auto fd = TRY(files.open(folder.empty() ? path(".") : folder, O_RDONLY | O_DIRECTORY));
  return files.sync(fd, folder);
}

Status make_folders(FileSystem& files, const path& folder) {
  std::error_code ignored;
  if (folder.empty() || std::filesystem::is_directory(folder, ignored)) return {};
  TRY(make_folders(files, folder.parent_path()));
  TRY(files.make_folder(folder));
  return sync_folder(files, folder.parent_path());
}

Status write_file(FileSystem& files, const path& file, std::string_view bytes, mode_t mode) {
  const path temporary = file.string() + ".tmp-" + std::to_string(::getpid());
  const auto written = [&]() -> Status {
    auto fd = TRY(files.open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode));
    TRY(files.write_once(fd, bytes, temporary));
    TRY(files.sync(fd, temporary));
    return files.rename(temporary, file);
  }();
  if (!written) {
    (void)files.remove(temporary);  // the first error is the one to tell
    return written;
  }
  return sync_folder(files, file.parent_path());
}

}  // namespace loci
