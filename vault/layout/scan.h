// The stat sweep: every file of a vault that counts, with what tells whether it changed. Reads no file's content but that of
// .lociignore (any folder may have one; the deeper one decides, but none takes back what [vault] ignore says). Writes nothing.
// Linear in the number of files. Any thread; fails only if the vault's root itself cannot be read.
//
// A real file is listed once, under its own name. A symbolic link inside the vault therefore adds nothing, unless it gives a
// markdown name to a file that has none (todo.md -> todo.txt) and is neither hidden nor ignored. Links out are never followed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vault/layout/problem.h"
#include "vault/layout/vault.h"

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
  std::vector<FileState> files;   // markdown files, by path
  std::vector<FileState> logs;    // .loci/tombstones/*.jsonl and .loci/ledger/*.jsonl, by path
  std::vector<Problem> problems;  // unreadable, too-large, too-deep, bad-name, bad-log, link-outside, link-loop, link-dangling
  std::vector<std::string> conflict_files;  // *.sync-conflict-*, *conflicted copy*, *.loci-conflict-*: listed, never indexed
};

Result<Scan> scan(const Vault& vault);

// One file or log by its relative path, with the same rules; none if it is absent or does not count.
Result<std::optional<FileState>> examine(const Vault& vault, const std::string& relative_path);

// Is it ignored? Hidden files, backups, conflict copies, editor files, [vault] ignore, .lociignore.
bool is_ignored(const Vault& vault, const std::string& relative_path);
// The same of a folder: then nothing below it counts.
bool is_ignored_folder(const Vault& vault, const std::string& relative_path);

}  // namespace loci
