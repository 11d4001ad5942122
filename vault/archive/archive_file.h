// The names of the archive's files, and opening the one that the next entry goes to.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/fd.h"
#include "base/result.h"
#include "parser/metadata.h"
#include "vault/archive/archive_tail.h"
#include "vault/layout/vault.h"

namespace loci {

// One day or one conversation of one host: its files are `<stem>.md`, `<stem>.2.md`, …
struct ArchiveStem {
  std::string stem;     // "archive/2026-11-21", "archive/sessions/2026-11-21-a1b2.k3f9"
  std::string heading;  // how a new file starts, with line end: "# 2026-11-21\n"

  bool operator==(const ArchiveStem&) const = default;
};

// `stem` and a number of 1 or more: "archive/2026-11-21.md", "archive/2026-11-21.2.md".
std::string numbered_file(const std::string& stem, int number);

// The session as it stands in a file name: itself if it is 1 to 64 of [A-Za-z0-9_-], else 32 hex digits of its SHA-256.
std::string session_in_name(std::string_view session);

// Turns and session summaries that have a session stand in a file of their conversation, all others in the day's.
bool goes_to_conversation(const Metadata& metadata);

// The day that the oldest file of each conversation starts with. The folder is read once, when it is first asked.
class FirstDays {
 public:
  explicit FirstDays(const Vault& vault) : vault_(vault) {}
  // `ending` is what follows the date in the file names of one conversation of one host, without its number: "-a1b2.k3f9". Null if
  // there is no such file.
  const std::string* of(const std::string& ending);

 private:
  void read();

  const Vault& vault_;
  bool is_read_ = false;
  std::unordered_map<std::string, std::string> days_;  // by ending
};

// Where an entry with this metadata goes when the local date is `day`. `host` is empty on the first host. A conversation keeps the
// day of the oldest file that this host has of it.
ArchiveStem archive_stem(FirstDays& first_days, const Vault& vault, const Metadata& metadata, const std::string& day,
                         const std::string& host);

struct OpenArchive {
  std::string file;  // relative to the vault's root
  path name;         // as opened
  Fd fd;             // O_RDWR | O_APPEND
  ArchiveTail tail;  // when it was opened
};

// The size that a file of the archive does not grow past: rotation_bytes, or less where the vault indexes only smaller files.
std::uint64_t rotation_limit(const Vault& vault);

// Opens the last file of the stem if it can take `bytes` more: it stays within the limits, its end would not swallow an entry, it
// has no conflict markers, and no git operation goes on that did not start before the file did. Otherwise makes and opens the next.
Result<OpenArchive> open_archive(const Vault& vault, const ArchiveStem& stem, std::uint64_t bytes);

}  // namespace loci
