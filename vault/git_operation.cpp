#include "vault/git_operation.h"

#include <array>

namespace loci {
namespace {

constexpr std::array markers = {"MERGE_HEAD",  "rebase-merge", "rebase-apply", "CHERRY_PICK_HEAD",
                                "REVERT_HEAD", "BISECT_LOG",   "index.lock"};
constexpr size_t git_file_limit = 4096;  // a `.git` file is one path

// The folder that a `.git` file of a worktree or submodule names; empty if it names none.
path folder_named_by(const path& git_file) {
  const auto bytes = read_file(real_file_system(), git_file, git_file_limit);
  constexpr std::string_view key = "gitdir:";
  if (!bytes || !bytes->starts_with(key)) return {};
  const size_t first = bytes->find_first_not_of(" \t", key.size());
  if (first == std::string::npos) return {};
  const path named = bytes->substr(first, bytes->find_first_of("\r\n", first) - first);
  return named.is_absolute() ? named : git_file.parent_path() / named;
}

path git_folder_around(path folder) {
  for (;; folder = folder.parent_path()) {
    struct stat info{};
    const path candidate = folder / ".git";
    if (::stat(candidate.c_str(), &info) == 0) return S_ISDIR(info.st_mode) ? candidate : folder_named_by(candidate);
    if (!folder.has_relative_path()) return {};
  }
}

Instant modified(const struct stat& info) {
  return Instant(std::chrono::seconds(info.st_mtim.tv_sec) + std::chrono::milliseconds(info.st_mtim.tv_nsec / 1'000'000));
}

}  // namespace

std::optional<GitOperation> git_operation_around(const path& folder) {
  const path git = git_folder_around(folder);
  if (git.empty()) return std::nullopt;
  for (const char* marker : markers) {
    struct stat info{};
    if (::stat((git / marker).c_str(), &info) == 0) return GitOperation{marker, modified(info)};
  }
  return std::nullopt;
}

}  // namespace loci
