#include "vault/archive_write.h"

#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "vault/archive_tail.h"
#include "vault/text_lines.h"

namespace loci {
namespace {

constexpr std::chrono::milliseconds lock_patience{100}, lock_pause{2};

// Shared by all who append, exclusive for the one who takes his bytes back: nobody's bytes can come behind them just then. It
// serves nothing else and is held for moments, so an append goes on without it where somebody else locked the file for good.
bool lock(const Fd& fd, int how) {
  for (auto waited = std::chrono::milliseconds::zero(); waited < lock_patience; waited += lock_pause) {
    if (::flock(fd.get(), how | LOCK_NB) == 0) return true;
    std::this_thread::sleep_for(lock_pause);
  }
  return false;
}

// How many of `bytes` stand at the end of `file`: the longest start of them.
size_t written_part(std::string_view file, std::string_view bytes) {
  size_t length = std::min(file.size(), bytes.size());
  while (length > 0 && !file.ends_with(bytes.substr(0, length))) --length;
  return length;
}

// After a failure. Does what it can: if it cannot, a torn entry stays, which the parser copes with.
void take_back(FileSystem& files, const OpenArchive& archive, std::string_view bytes) {
  if (!lock(archive.fd, LOCK_EX)) return;
  const auto now = files.read_all(archive.fd, archive.name, size_t{1} << 30);
  if (!now || now->size() <= archive.size) return;
  // Only behind what was there before: the end of an older entry must not be taken for the start of this one.
  const size_t part = written_part(std::string_view(*now).substr(archive.size), bytes);
  if (part > 0) (void)files.truncate(archive.fd, now->size() - part, archive.name);
}

// The bytes as the name has them now; empty if it has none.
Result<std::string> read_by_name(FileSystem& files, const OpenArchive& archive) {
  auto bytes = read_file_if_any(files, archive.name);
  if (!bytes) return std::unexpected(bytes.error());
  return std::move(*bytes).value_or("");
}

Result<std::optional<Written>> check(FileSystem& files, const OpenArchive& archive, std::string_view bytes) {
  const auto file = read_by_name(files, archive);
  if (!file) return std::unexpected(file.error());
  const off_t end = ::lseek(archive.fd.get(), 0, SEEK_CUR);  // O_APPEND moved it behind our bytes
  size_t offset = static_cast<size_t>(end) - bytes.size();
  if (offset > file->size() || std::string_view(*file).substr(offset, bytes.size()) != bytes) offset = file->find(bytes);
  if (offset == std::string::npos) return std::nullopt;
  return Written{offset, count_line_ends(std::string_view(*file).substr(0, offset)) + 1};
}

Status write_durably(FileSystem& files, const OpenArchive& archive, std::string_view bytes) {
  if (auto written = files.write_once(archive.fd, bytes, archive.name); !written) return written;
  return files.sync_data(archive.fd, archive.name);
}

}  // namespace

Result<std::optional<Written>> write_checked(const Vault& vault, const OpenArchive& archive, std::string_view bytes) {
  FileSystem& files = vault.files();
  (void)lock(archive.fd, LOCK_SH);
  if (auto written = write_durably(files, archive, bytes); !written) {
    take_back(files, archive, bytes);
    return std::unexpected(written.error());
  }
  auto found = check(files, archive, bytes);
  if (!found) take_back(files, archive, bytes);
  if (found && *found && (*found)->offset == archive.size)
    remember_clean_tail(files, archive.fd, archive.name, archive.size + bytes.size());
  return found;
}

}  // namespace loci
