#include "vault/archive/archive_write.h"

#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "base/id.h"
#include "parser/text_lines.h"
#include "vault/archive/journal.h"
#include "vault/git/git_operation.h"

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
  if (!now || now->size() <= archive.tail.size) return;
  // Only behind what was there before: the end of an older entry must not be taken for the start of this one.
  const size_t part = written_part(std::string_view(*now).substr(archive.tail.size), bytes);
  if (part > 0) (void)files.truncate(archive.fd, now->size() - part, archive.name);
}

// Do the bytes stand at this offset of the file that has the name now, and is that the one that was written to?
Result<bool> stands_at(FileSystem& files, const OpenArchive& archive, std::uint64_t offset, std::string_view bytes) {
  const auto fd = files.open(archive.name, O_RDONLY | O_NOCTTY | O_NONBLOCK);
  if (!fd && fd.error().code == ErrorCode::not_found) return false;
  if (!fd) return std::unexpected(fd.error());
  const auto named = TRY(files.status(*fd, archive.name));
  const auto held = TRY(files.status(archive.fd, archive.name));
  if (named.st_dev != held.st_dev || named.st_ino != held.st_ino) return false;
  const auto found = TRY(read_range(*fd, archive.name, offset, offset + bytes.size()));
  return found == bytes;
}

// Where in another file that has the name now; none if nowhere.
Result<std::optional<Written>> search(FileSystem& files, const OpenArchive& archive, std::string_view bytes) {
  const auto file = TRY(read_file_if_any(files, archive.name));
  const size_t offset = file.value_or("").find(bytes);
  if (offset == std::string::npos) return std::nullopt;
  return Written{offset, count_line_ends(std::string_view(*file).substr(0, offset)) + 1};
}

Result<std::optional<Written>> check(const Vault& vault, const OpenArchive& archive, std::string_view bytes) {
  // O_APPEND moved the position behind our bytes, wherever the others' have pushed them.
  const auto end = static_cast<std::uint64_t>(::lseek(archive.fd.get(), 0, SEEK_CUR));
  const std::uint64_t offset = end - bytes.size();
  const auto in_place = TRY(stands_at(vault.files(), archive, offset, bytes));
  if (!in_place || offset < archive.tail.size) return search(vault.files(), archive, bytes);
  auto before = TRY(read_on(archive.fd, archive.name, archive.tail, offset));
  const Written written{offset, before.lines + 1};
  before.size = end;
  before.lines += count_line_ends(bytes);
  before.final_newline = true;
  if (std::string last = tail_of(bytes).last_id; !last.empty()) before.last_id = std::move(last);
  note_tail(vault, archive.file, archive.fd, archive.name, before);
  return written;
}

Status write_durably(FileSystem& files, const OpenArchive& archive, std::string_view bytes) {
  TRY(files.write_once(archive.fd, bytes, archive.name));
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
  auto found = check(vault, archive, bytes);
  if (!found) take_back(files, archive, bytes);
  return found;
}

Result<std::optional<Written>> write_journalled(const Vault& vault, const OpenArchive& archive, const std::string& bytes) {
  const Instant now = vault.clock().now();
  const JournalRecord record{.id = make_id(now),
                             .at = now,
                             .file = archive.file,
                             .offset = archive.tail.size,
                             .bytes = bytes,
                             .behind = archive.tail.last_id,
                             .head = git_head_around(vault.root())};
  // Without one an editor's old buffer could cut it off for good, which is less than not to be stored at all.
  const bool is_journalled = write_journal(vault, record).has_value();
  auto written = write_checked(vault, archive, bytes);
  if (is_journalled && (!written || !*written)) (void)withdraw_from_journal(vault, record);  // the first error is the one to tell
  return written;
}

}  // namespace loci
