// The stat sweep: every file of a vault that counts, with what tells whether it changed. Reads no file's content but
// .lociignore. Linear in the number of files. Symbolic links that stay inside the vault are followed once; others never.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vault/problem.h"
#include "vault/vault.h"

namespace loci {

struct FileState {
  std::string path;  // relative to the root, with /
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
  std::int64_t ctime_ns = 0;
  std::uint64_t inode = 0;
  bool untrusted = false;  // matched by [vault] untrusted

  bool operator==(const FileState&) const = default;
};

struct Scan {
  std::vector<FileState> files;             // markdown files, by path
  std::vector<FileState> logs;              // .loci/tombstones/*.jsonl and .loci/ledger/*.jsonl, by path
  std::vector<Problem> problems;            // unreadable folders, files over the limit, loops of links
  std::vector<std::string> conflict_files;  // *.sync-conflict-*, *conflicted copy*, *.loci-conflict-*: listed, never indexed
};

Result<Scan> scan(const Vault& vault);

// One file by its relative path, with the same rules; none if it is absent or does not count.
Result<std::optional<FileState>> examine(const Vault& vault, const std::string& relative_path);

// Is it ignored? Hidden files, backups, conflict copies, editor files, [vault] ignore, .lociignore.
bool is_ignored(const Vault& vault, const std::string& relative_path);

}  // namespace loci
