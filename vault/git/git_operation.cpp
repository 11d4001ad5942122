#include "vault/git/git_operation.h"

#include <array>

#include "base/hash.h"

namespace loci {
namespace {

constexpr std::array markers = {"MERGE_HEAD",  "rebase-merge", "rebase-apply", "CHERRY_PICK_HEAD",
                                "REVERT_HEAD", "BISECT_LOG",   "index.lock"};
constexpr size_t fingerprint_digits = 32;
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

std::string read_line(const path& file) {
  const auto bytes = read_file(real_file_system(), file, git_file_limit);
  return bytes ? bytes->substr(0, bytes->find_first_of("\r\n")) : std::string();
}

// "<hash> refs/heads/main" on a line of its own; empty if there is none.
std::string packed_ref(const path& git, const std::string& name) {
  const auto packed = read_file(real_file_system(), git / "packed-refs");
  const size_t end = packed ? packed->find(' ' + name + '\n') : std::string::npos;
  if (end == std::string::npos) return {};
  const size_t begin = packed->rfind('\n', end);
  return packed->substr(begin + 1, end - begin - 1);  // npos + 1 is 0
}

// Nothing but a write of the file changes it.
std::string stamp_of(const path& file) {
  struct stat info{};
  if (::stat(file.c_str(), &info) != 0) return "-\n";
  std::string stamp;
  for (const auto number : {static_cast<long long>(info.st_ino), static_cast<long long>(info.st_size),
                            static_cast<long long>(info.st_mtim.tv_sec), static_cast<long long>(info.st_mtim.tv_nsec),
                            static_cast<long long>(info.st_ctim.tv_sec), static_cast<long long>(info.st_ctim.tv_nsec)})
    (stamp += std::to_string(number)) += ' ';
  return stamp += '\n';
}

std::string where_refs_stand(const path& folder, const path& git) {
  return read_line(git / "HEAD") + '\n' + git_head_around(folder) + '\n' + read_line(common_git_folder(git) / "refs/stash") + '\n';
}

std::string digest(const std::string& marks) { return hex(as_bytes(sha256(marks)), fingerprint_digits); }

}  // namespace

path git_folder_around(path folder) {
  for (;; folder = folder.parent_path()) {
    struct stat info{};
    const path candidate = folder / ".git";
    if (::stat(candidate.c_str(), &info) == 0) return S_ISDIR(info.st_mode) ? candidate : folder_named_by(candidate);
    if (!folder.has_relative_path()) return {};
  }
}

path common_git_folder(const path& git) {
  const path named = read_line(git / "commondir");
  if (named.empty()) return git;
  return named.is_absolute() ? named : git / named;
}

bool git_is_writing_around(const path& folder) {
  const path git = git_folder_around(folder);
  struct stat info{};
  return !git.empty() && ::stat((git / "index.lock").c_str(), &info) == 0;
}

std::string git_branch_around(const path& folder) {
  constexpr std::string_view key = "ref: ";
  const path git = git_folder_around(folder);
  std::string head = git.empty() ? std::string() : read_line(git / "HEAD");
  return head.starts_with(key) ? head.substr(key.size()) : head;
}

std::string git_head_around(const path& folder) {
  std::string name = git_branch_around(folder);
  if (!name.starts_with("refs/")) return name;
  const path git = git_folder_around(folder);
  const path common = common_git_folder(git);
  if (std::string hash = read_line(common / name); !hash.empty()) return hash;
  std::string hash = packed_ref(common, name);
  return hash.empty() ? name : hash;
}

std::string git_moves_around(const path& folder) {
  const path git = git_folder_around(folder);
  return git.empty() ? std::string()
                     : digest(where_refs_stand(folder, git) + stamp_of(git / "logs/HEAD") + stamp_of(git / "ORIG_HEAD"));
}

std::string git_fingerprint_around(const path& folder) {
  const path git = git_folder_around(folder);
  if (git.empty()) return {};
  const path common = common_git_folder(git);
  std::string marks = where_refs_stand(folder, git);
  for (const path& file : {common / "packed-refs", common / "reftable/tables.list", git / "reftable/tables.list", git / "index"})
    marks += stamp_of(file);
  return digest(marks);
}

std::optional<GitOperation> git_operation_around(const path& folder) {
  const path git = git_folder_around(folder);
  if (git.empty()) return std::nullopt;
  for (const char* marker : markers) {
    struct stat info{};
    if (::stat((git / marker).c_str(), &info) == 0) return GitOperation{marker, modified_at(info)};
  }
  return std::nullopt;
}

}  // namespace loci
