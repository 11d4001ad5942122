#include "edits/git_state.h"

#include <sys/stat.h>

#include "base/hash.h"

namespace loci {
namespace {

constexpr size_t small_file = 4096;  // HEAD, a ref, a `.git` file: one line each
constexpr size_t packed_refs = size_t{64} << 20;
constexpr size_t state_digits = 16;

std::string read_line(FileSystem& files, const path& file) {
  const auto bytes = read_file_if_any(files, file, small_file);
  if (!bytes || !*bytes) return {};
  return (*bytes)->substr(0, (*bytes)->find_first_of("\r\n"));
}

// What stands behind a key such as "gitdir: ", as a path seen from `folder`; empty without the key.
path path_behind(std::string_view key, const std::string& line, const path& folder) {
  if (!line.starts_with(key)) return {};
  return folder / path(line.substr(key.size()));  // an absolute right side stands alone
}

path git_folder(FileSystem& files, path folder) {
  for (;; folder = folder.parent_path()) {
    struct stat info{};
    const path candidate = folder / ".git";
    if (::stat(candidate.c_str(), &info) == 0)
      return S_ISDIR(info.st_mode) ? candidate : path_behind("gitdir: ", read_line(files, candidate), folder);
    if (!folder.has_relative_path()) return {};
  }
}

std::string packed_ref(FileSystem& files, const path& common, const std::string& name) {
  const auto bytes = read_file_if_any(files, common / "packed-refs", packed_refs);
  if (!bytes || !*bytes) return {};
  const size_t at = (*bytes)->find(" " + name + "\n");
  if (at == std::string::npos) return {};
  const size_t line = (*bytes)->rfind('\n', at);
  return (*bytes)->substr(line == std::string::npos ? 0 : line + 1, at - (line == std::string::npos ? 0 : line + 1));
}

// The commit that HEAD means, with the branch.
std::string head_of(FileSystem& files, const path& git, const path& common) {
  constexpr std::string_view reference = "ref: ";
  const std::string head = read_line(files, git / "HEAD");
  if (!head.starts_with(reference)) return head;
  const std::string name = head.substr(reference.size());
  std::string commit = read_line(files, common / name);
  if (commit.empty()) commit = packed_ref(files, common, name);
  return head + '=' + commit;
}

std::string times_of(const path& file) {
  struct stat info{};
  if (::stat(file.c_str(), &info) != 0) return {};
  return std::to_string(info.st_size) + ':' + std::to_string(info.st_mtim.tv_sec) + '.' + std::to_string(info.st_mtim.tv_nsec) +
         ':' + std::to_string(info.st_ino);
}

}  // namespace

std::string git_state_around(FileSystem& files, const path& folder) {
  const path git = git_folder(files, folder);
  if (git.empty()) return {};
  const std::string elsewhere = read_line(files, git / "commondir");
  const path common = elsewhere.empty() ? git : git / elsewhere;
  const std::string state =
      head_of(files, git, common) + '\n' + times_of(git / "index") + '\n' + read_line(files, common / "refs/stash");
  return hex(as_bytes(sha256(state)), state_digits);
}

}  // namespace loci
