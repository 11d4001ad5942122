#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>

#include "vault/layout/host.h"
#include "vault/logs/logs.h"

namespace loci {
namespace {

constexpr int append_attempts = 3;

struct OpenLog {
  Fd fd;
  std::uint64_t size = 0;
  bool is_torn = false;  // the last line has no end
};

Result<OpenLog> open_log(FileSystem& files, const path& file) {
  auto fd = TRY(files.open(file, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0600));
  // Among this machine's processes: nobody sees, or takes back, half of what another one writes. Where a file system has no
  // locks, each line is still whole.
  while (::flock(fd.get(), LOCK_EX) != 0 && errno == EINTR) {
  }
  const auto info = TRY(files.status(fd, file));
  OpenLog log{.fd = std::move(fd), .size = static_cast<std::uint64_t>(info.st_size)};
  if (log.size > 0) {
    char last = '\n';
    if (::pread(log.fd.get(), &last, 1, info.st_size - 1) != 1) return fail_errno("read", file.string(), errno);
    log.is_torn = last != '\n';
  }
  return log;
}

// All or nothing: what a failed write left behind is taken off again. Nobody was told that it is there, and without it a second
// try cannot add half of a batch to a whole one.
Status write_all(FileSystem& files, const OpenLog& log, const std::string& lines, const path& file) {
  auto written = files.write_once(log.fd, (log.is_torn ? "\n" : "") + lines, file);
  if (!written) (void)files.truncate(log.fd, log.size, file);  // the first error is the one to tell
  return written;
}

// Is the file that was written still the one under that name? A sync tool may have put another one there in between.
Result<bool> is_in_place(FileSystem& files, const Fd& written, const path& file) {
  const auto fd = files.open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (!fd && fd.error().code == ErrorCode::not_found) return false;
  if (!fd) return std::unexpected(fd.error());
  const auto named = files.status(*fd, file);
  const auto held = files.status(written, file);
  if (!named) return std::unexpected(named.error());
  if (!held) return std::unexpected(held.error());
  return named->st_dev == held->st_dev && named->st_ino == held->st_ino;
}

Status append_lines(const Vault& vault, const std::string& folder_name, const std::string& lines) {
  if (lines.empty()) return {};
  TRY(join_vault(vault));
  FileSystem& files = vault.files();
  const path folder = vault.dot_loci() / folder_name;
  TRY(make_own_folder(files, folder));
  const path file = folder / (vault.host() + ".jsonl");
  for (int attempt = 0; attempt < append_attempts; ++attempt) {
    const auto log = TRY(open_log(files, file));
    TRY(write_all(files, log, lines, file));
    TRY(files.sync_data(log.fd, file));
    if (log.size == 0) TRY(sync_folder(files, folder));
    const auto in_place = TRY(is_in_place(files, log.fd, file));
    if (in_place) return {};
  }
  return fail(ErrorCode::failed, file.string() + " was replaced by another program at every attempt to append to it",
              "let the sync tool finish and try again");
}

template <typename Line>
std::string format_all(const std::vector<Line>& lines) {
  std::string text;
  for (const Line& line : lines) text += format(line);
  return text;
}

struct TombstoneFile {
  std::string host;
  std::string bytes;
};

Result<std::vector<TombstoneFile>> read_tombstone_files(const Vault& vault) {
  std::vector<TombstoneFile> logs;
  std::error_code ignored;
  for (std::filesystem::directory_iterator it(vault.dot_loci() / "tombstones", ignored), end; it != end; it.increment(ignored)) {
    std::error_code unknown;
    if (it->path().extension() != ".jsonl" || !std::filesystem::is_regular_file(it->symlink_status(unknown))) continue;
    auto bytes = TRY(read_file_if_any(vault.files(), it->path()));
    if (bytes) logs.push_back({host_of_log(it->path().filename().string()), std::move(*bytes)});
  }
  return logs;
}

// The tombstones that decide about an id, the latest of each one: by (at, host, line). `demoted` decides nothing.
std::map<std::string, Tombstone> latest_by_id(std::vector<TombstoneFile> logs) {
  std::ranges::sort(logs, {}, &TombstoneFile::host);
  std::vector<Tombstone> all;
  for (const TombstoneFile& log : logs) std::ranges::move(parse_tombstones(log.bytes, log.host).lines, std::back_inserter(all));
  std::ranges::stable_sort(all, {}, &Tombstone::at);  // of one time: by host and line, as they stand
  std::map<std::string, Tombstone> latest;
  for (Tombstone& tombstone : all)
    if (tombstone.reason != Tombstone::Reason::demoted) latest.insert_or_assign(tombstone.id, std::move(tombstone));
  return latest;
}

}  // namespace

Status append_tombstones(const Vault& vault, const std::vector<Tombstone>& tombstones) {
  return append_lines(vault, "tombstones", format_all(tombstones));
}

Status append_ledger(const Vault& vault, const std::vector<LedgerEntry>& entries) {
  return append_lines(vault, "ledger", format_all(entries));
}

Status append_promotion(const Vault& vault, const PromotedLines& promoted) {
  return append_lines(vault, "ledger", format(promoted));
}

Result<std::optional<Instant>> latest_tombstone_of(const Vault& vault, std::string_view text_hash) {
  auto logs = TRY(read_tombstone_files(vault));
  // Every new entry asks, and hardly any text was ever deleted: look for the bytes before reading lines.
  const auto has_hash = [&](const TombstoneFile& log) {
    return ::memmem(log.bytes.data(), log.bytes.size(), text_hash.data(), text_hash.size()) != nullptr;
  };
  std::optional<Instant> latest;
  if (std::ranges::none_of(logs, has_hash)) return latest;
  for (const auto& [id, tombstone] : latest_by_id(std::move(logs)))
    if (tombstone.reason != Tombstone::Reason::restored && tombstone.text_hash == text_hash)
      latest = std::max(latest, std::optional(tombstone.at));
  return latest;
}

}  // namespace loci
