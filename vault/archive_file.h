// The names of the archive's files, and which of them the next entry goes to.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "parser/metadata.h"
#include "vault/vault.h"

namespace loci {

// One day or one conversation of one host: all files of it are `<stem>.md`, `<stem>.2.md`, …
struct ArchiveStem {
  std::string stem;     // "archive/2026-11-21", "archive/sessions/2026-11-21-a1b2.k3f9"
  std::string heading;  // the first line of a new file, without line end: "# 2026-11-21"

  auto operator<=>(const ArchiveStem&) const = default;
};

// `stem` and a number of 1 or more: "archive/2026-11-21.md", "archive/2026-11-21.2.md".
std::string numbered_file(const std::string& stem, int number);

// The session as it stands in a file name: itself if it is 1 to 64 of [A-Za-z0-9_-], else 32 hex digits of its SHA-256.
std::string session_in_name(std::string_view session);

// Where an entry with this metadata goes when the local date is `day`. `host` is empty on the first host. A conversation keeps the
// day of the oldest file that this host has of it.
ArchiveStem archive_stem(const Vault& vault, const Metadata& metadata, const std::string& day, const std::string& host);

}  // namespace loci
