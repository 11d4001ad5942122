// The versions that are known of each file that loci rewrites (a file of consolidated/, MEMORY.md, user.md): what loci wrote, what
// it wrote over, and the newest content that was understood. They tell what a file was made from when somebody saved it.
//
// They lie in <state folder>/versions/, a folder a file (0600): `name`, `log.jsonl`, a line a version in their order, and the bytes
// under their hash. Derived: if they are lost nothing is decided from what is missing. Replaces note what they do; any process, one
// at a time a file (the lock of .loci/tmp/, or that of the edits' state). A version whose bytes are gone counts as unknown.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "vault/layout/vault.h"

namespace loci {

inline constexpr std::chrono::days versions_keep{30};
inline constexpr std::uint64_t versions_most_bytes = std::uint64_t{64} << 20;  // of all files

struct Version {
  enum class Kind : std::uint8_t {
    understood,  // what everything before it means was found out
    found,       // loci wrote over it: somebody had saved since the version before
    wrote,       // by loci
  };
  Kind kind = Kind::understood;
  std::string hash;  // of the bytes: content_hash()
  std::uint64_t size = 0;
  Instant at;
  // Made while another branch was checked out than the one that loci follows: as long as that one is, nothing is told from it.
  bool away = false;

  bool operator==(const Version&) const = default;
};

// Whether loci rewrites this file, so that its versions are kept.
bool has_versions(std::string_view relative_path);

// The branch on which edits are understood, as git names it; empty: none. Where another one is checked out, versions are noted as
// such, and they count only there.
Status note_home_branch(const Vault& vault, const std::string& branch);

// Oldest first; empty for a file that was never seen.
Result<std::vector<Version>> versions_of(const Vault& vault, const std::string& file);
// False: somebody has saved the file, and nobody has found out yet what was meant. True where no version is known.
Result<bool> is_understood(const Vault& vault, const std::string& file, std::string_view bytes);
// Relative paths; reads a name for each that is not in `but_for`.
Result<std::set<std::string>> files_with_versions(const Vault& vault, const std::set<std::string>& but_for);
// None: they are no longer kept.
Result<std::optional<std::string>> bytes_of(const Vault& vault, const std::string& file, const Version& version);

// Adds nothing if the last one is of this kind with these bytes. `at`: when it stood there at the earliest, on the clock of files
// (none: now), so that whoever saves the file afterwards has saved it later.
Status note_version(const Vault& vault, const std::string& file, Version::Kind kind, std::string_view bytes,
                    std::optional<Instant> at = {});
// What a replace is about to write over, if nobody of ours knows it. `saved_at`: by the file's own time, which counts if it lies
// behind the version before.
Status note_found(const Vault& vault, const std::string& file, std::string_view bytes, Instant saved_at);

// What is known of `from` is known of `to`, too, and nothing else is: the file has another name.
Status copy_versions(const Vault& vault, const std::string& from, const std::string& to);

// Removes what is older than versions_keep, but for the newest of each file, and then the oldest ones beyond `most_bytes`; nothing
// of the files `but_for`.
Status prune_versions(const Vault& vault, const std::set<std::string>& but_for = {},
                      std::uint64_t most_bytes = versions_most_bytes);

}  // namespace loci
