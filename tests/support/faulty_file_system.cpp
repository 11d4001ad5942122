#include "tests/support/faulty_file_system.h"

#include <cerrno>
#include <limits>

namespace loci {

void FaultyFileSystem::fail_call(size_t number, int error_number) { restart(number, number + 1, error_number); }

void FaultyFileSystem::fail_from(size_t number, int error_number) {
  restart(number, std::numeric_limits<size_t>::max(), error_number);
}

void FaultyFileSystem::fail_nothing() { restart(0, 0, 0); }

void FaultyFileSystem::restart(size_t first, size_t last, int error_number) {
  first_failing_ = first;
  last_failing_ = last;
  error_number_ = error_number;
  calls_.clear();
}

Status FaultyFileSystem::enter(const std::string& call, const path& name) {
  const size_t number = calls_.size();
  calls_.push_back(call + " " + name.string());
  if (number < first_failing_ || number >= last_failing_ || passes_on_full_disk(call)) return {};
  return fail_errno(call, name.string(), error_number_);
}

bool FaultyFileSystem::passes_on_full_disk(const std::string& call) const {
  const bool stays_full = error_number_ == ENOSPC && last_failing_ > first_failing_ + 1;
  return stays_full && (call == "read_all" || call == "status" || call == "truncate" || call == "remove" || call == "open");
}

Result<Fd> FaultyFileSystem::open(const path& file, int flags, mode_t mode) {
  if (auto status = enter(flags & O_CREAT ? "create" : "open", file); !status) return std::unexpected(status.error());
  return below_.open(file, flags, mode);
}

Status FaultyFileSystem::write_once(const Fd& fd, std::string_view bytes, const path& name) {
  auto status = enter("write_once", name);
  if (status) return below_.write_once(fd, bytes, name);
  (void)below_.write_once(fd, bytes.substr(0, bytes.size() / 2), name);
  return status;
}

Status FaultyFileSystem::sync(const Fd& fd, const path& name) {
  auto status = enter("sync", name);
  return status ? below_.sync(fd, name) : status;
}

Status FaultyFileSystem::sync_data(const Fd& fd, const path& name) {
  auto status = enter("sync_data", name);
  return status ? below_.sync_data(fd, name) : status;
}

Result<std::string> FaultyFileSystem::read_all(const Fd& fd, const path& name, size_t limit) {
  if (auto status = enter("read_all", name); !status) return std::unexpected(status.error());
  return below_.read_all(fd, name, limit);
}

Result<struct stat> FaultyFileSystem::status(const Fd& fd, const path& name) {
  if (auto failed = enter("status", name); !failed) return std::unexpected(failed.error());
  return below_.status(fd, name);
}

Status FaultyFileSystem::rename(const path& from, const path& to) {
  auto status = enter("rename", from);
  return status ? below_.rename(from, to) : status;
}

Status FaultyFileSystem::rename_new(const path& from, const path& to) {
  auto status = enter("rename_new", from);
  return status ? below_.rename_new(from, to) : status;
}

Status FaultyFileSystem::exchange(const path& a, const path& b) {
  auto status = enter("exchange", a);
  return status ? below_.exchange(a, b) : status;
}

Status FaultyFileSystem::remove(const path& file) {
  auto status = enter("remove", file);
  return status ? below_.remove(file) : status;
}

Status FaultyFileSystem::make_folder(const path& folder) {
  auto status = enter("make_folder", folder);
  return status ? below_.make_folder(folder) : status;
}

Status FaultyFileSystem::change_mode(const Fd& fd, mode_t mode, const path& name) {
  auto status = enter("change_mode", name);
  return status ? below_.change_mode(fd, mode, name) : status;
}

Status FaultyFileSystem::truncate(const Fd& fd, std::uint64_t size, const path& name) {
  auto status = enter("truncate", name);
  return status ? below_.truncate(fd, size, name) : status;
}

}  // namespace loci
