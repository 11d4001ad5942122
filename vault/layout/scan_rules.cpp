#include "vault/layout/scan_rules.h"

#include <algorithm>
#include <cerrno>

#include "base/unicode.h"

namespace loci {
namespace {

constexpr size_t ignore_file_limit = size_t{1} << 20;

std::int64_t nanoseconds(const timespec& time) { return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

}  // namespace

ScanRules::ScanRules(const Vault& vault)
    : file_system_(vault.files()), configured_(vault.config().ignore), untrusted_(vault.config().untrusted) {}

Result<const PathRules*> ScanRules::enter(int folder, std::string_view prefix) {
  const Fd fd(::openat(folder, ignore_file_name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  const std::string name = std::string(prefix) + ignore_file_name;
  if (!fd) {
    if (errno == ENOENT) return nullptr;
    return fail_errno("open", name, errno);
  }
  auto bytes = TRY(file_system_.read_all(fd, name, ignore_file_limit));
  files_.push_back({prefix.size(), PathRules::from_file(bytes, PathRules::most_patterns - patterns_)});
  patterns_ += files_.back().rules.size();
  return &files_.back().rules;
}

void ScanRules::leave() {
  patterns_ -= files_.back().rules.size();
  files_.pop_back();
}

bool ScanRules::ignores(std::string_view path, bool is_folder) const {
  if (configured_.verdict(path, is_folder) == PathRules::Verdict::ignored) return true;
  for (auto file = files_.rbegin(); file != files_.rend(); ++file) {
    const auto verdict = file->rules.verdict(path.substr(file->prefix_size), is_folder);
    if (verdict != PathRules::Verdict::none) return verdict == PathRules::Verdict::ignored;
  }
  return false;
}

FileState state_of(std::string path, const struct stat& info, bool untrusted) {
  return {.path = std::move(path),
          .size = static_cast<std::uint64_t>(info.st_size),
          .mtime_ns = nanoseconds(info.st_mtim),
          .ctime_ns = nanoseconds(info.st_ctim),
          .inode = static_cast<std::uint64_t>(info.st_ino),
          .untrusted = untrusted};
}

bool is_ignore_file(std::string_view path) {
  if (!path.ends_with(ignore_file_name)) return false;
  path.remove_suffix(std::string_view(ignore_file_name).size());
  return path.empty() || path.ends_with('/');
}

bool is_log_path(std::string_view path) {
  constexpr std::string_view suffix = ".jsonl";
  for (const std::string_view folder : {".loci/tombstones/", ".loci/ledger/"}) {
    if (!path.starts_with(folder)) continue;
    const std::string_view name = path.substr(folder.size());
    return name.size() > suffix.size() && name.ends_with(suffix) && !name.starts_with('.') &&
           name.find('/') == std::string_view::npos && is_printable_name(name);
  }
  return false;
}

bool is_printable_name(std::string_view name) {
  const bool is_plain = std::ranges::all_of(name, [](char c) { return c >= ' ' && c <= '~'; });
  if (is_plain) return true;  // nearly every name: a sweep asks this of each
  return name.find_first_of("\r\n") == std::string_view::npos && is_valid_utf8(name);
}

Fd open_folder_at(int parent, const char* name) {
  return Fd(::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

}  // namespace loci
