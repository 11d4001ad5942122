#include "vault/logs/host_log.h"

#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "vault/layout/host.h"
#include "vault/logs/json_lines.h"

namespace loci {
namespace {

constexpr int append_attempts = 3;
constexpr std::string_view suffix = ".jsonl";

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
Status write_all(FileSystem& files, const OpenLog& log, std::string_view lines, const path& file) {
  auto written = files.write_once(log.fd, std::string(log.is_torn ? "\n" : "").append(lines), file);
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

std::unexpected<Error> refuse_link(const path& name) {
  return fail(ErrorCode::refused, name.string() + " is a symbolic link, so nothing in it counts",
              "put a folder or file in its place: loci reads and writes its logs only inside the vault");
}

// False if there is none. ErrorCode::refused if .loci or the folder is a link.
Result<bool> has_folder(const Vault& vault, const path& folder) {
  for (const path& part : {vault.dot_loci(), folder}) {
    std::error_code error;
    const auto status = std::filesystem::symlink_status(part, error);
    if (status.type() == std::filesystem::file_type::symlink) return refuse_link(part);
    if (status.type() == std::filesystem::file_type::not_found) return false;
    if (error) return fail_errno("examine", part.string(), error.value());
  }
  return true;
}

Result<std::string> read_log(FileSystem& files, const path& file) {
  auto fd = files.open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  std::error_code ignored;
  if (!fd && std::filesystem::is_symlink(file, ignored)) return refuse_link(file);
  if (!fd) return std::unexpected(fd.error());
  constexpr size_t limit = size_t{1} << 30;
  return files.read_all(*fd, file, limit);
}

bool is_log(const std::filesystem::directory_entry& item) {
  std::error_code ignored;
  const std::string name = item.path().filename().string();
  return name.ends_with(suffix) && !name.starts_with('.') && std::filesystem::is_regular_file(item.symlink_status(ignored));
}

}  // namespace

std::string HostLog::own_path() const {
  return std::string(".loci/").append(folder_).append("/").append(vault_.host()).append(suffix);
}

Status HostLog::append(std::string_view lines) const {
  if (lines.empty()) return {};
  TRY(join_vault(vault_));
  FileSystem& files = vault_.files();
  TRY(make_own_folder(files, folder()));
  const path file = vault_.file(own_path());
  for (int attempt = 0; attempt < append_attempts; ++attempt) {
    const auto log = TRY(open_log(files, file));
    TRY(write_all(files, log, lines, file));
    TRY(files.sync_data(log.fd, file));
    if (log.size == 0) TRY(sync_folder(files, folder()));
    const auto in_place = TRY(is_in_place(files, log.fd, file));
    if (in_place) return {};
  }
  return fail(ErrorCode::failed, file.string() + " was replaced by another program at every attempt to append to it",
              "let the sync tool finish and try again");
}

Result<std::vector<std::string>> HostLog::paths() const {
  std::vector<std::string> found;
  const auto exists = TRY(has_folder(vault_, folder()));
  if (!exists) return found;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder(), error), end; !error && it != end; it.increment(error))
    if (is_log(*it)) found.push_back(std::string(".loci/").append(folder_).append("/").append(it->path().filename().string()));
  // Without its list nobody knows what it says: that must not look like an empty folder.
  if (error && error != std::errc::no_such_file_or_directory) return fail_errno("list", folder().string(), error.value());
  std::ranges::sort(found);
  return found;
}

Result<std::vector<HostLog::File>> HostLog::read() const {
  std::vector<File> logs;
  const auto found = TRY(paths());
  for (const std::string& name : found) {
    auto bytes = read_log(vault_.files(), vault_.file(name));
    if (!bytes && bytes.error().code == ErrorCode::not_found) continue;
    if (!bytes) return std::unexpected(bytes.error());
    logs.push_back({name, std::move(*bytes)});
  }
  return logs;
}

Result<std::string> HostLog::read_own() const {
  auto bytes = read_host_log(vault_, own_path());
  if (!bytes && bytes.error().code == ErrorCode::not_found) return std::string();
  return bytes;
}

std::string HostLog::signature() const {
  const auto found = paths();
  if (!found) return found.error().message;
  std::string all;
  for (const std::string& name : *found) {
    struct stat info{};
    if (::lstat(vault_.file(name).c_str(), &info) != 0) continue;
    all += name + ' ' + std::to_string(info.st_ino) + ' ' + std::to_string(info.st_size) + ' ' +
           std::to_string(info.st_mtim.tv_sec) + '.' + std::to_string(info.st_mtim.tv_nsec) + '\n';
  }
  return all;
}

Result<std::string> read_host_log(const Vault& vault, const std::string& relative_path) {
  const path file = vault.file(relative_path);
  const auto exists = TRY(has_folder(vault, file.parent_path()));
  if (!exists) return fail(ErrorCode::not_found, file.string() + " is not there");
  return read_log(vault.files(), file);
}

std::vector<Problem> visit_log_lines(const HostLog::File& log, JsonLimits limits,
                                     const std::function<bool(int, const Json&)>& visit) {
  std::vector<Problem> problems;
  const size_t whole = log.bytes.rfind('\n') + 1;  // npos + 1 is 0
  int last = 0;
  visit_json_lines(std::string_view(log.bytes).substr(0, whole), limits, [&](int number, const Json* line) {
    last = number;
    if (!line || !line->as_object() || !visit(number, *line))
      problems.push_back({log.path, number, "broken-line", "this line is broken; it is left out"});
  });
  if (whole < log.bytes.size())
    problems.push_back(
        {log.path, last + 1, "torn-line", "the last line has no end, so it does not count; the next write goes on behind it"});
  return problems;
}

}  // namespace loci
