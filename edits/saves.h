// The saves of a file that have not been understood yet, and the versions that they can have been made from. What is read of the
// store of versions fails as that does. Any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "edits/acts.h"
#include "edits/present_files.h"
#include "edits/seen_file.h"
#include "vault/rewrite/versions.h"

namespace loci {

// What stood there, since when, and the versions in front of it.
struct Save {
  std::string bytes;
  std::vector<Version> known;
  Instant saved_at;
  bool is_present = false;
};

// What loci wrote over without having understood it, and what stands there now.
Result<std::vector<Save>> saves_of(const Vault& vault, const std::string& file, const PresentFile& now,
                                   const std::vector<Version>& versions);

// None: there is no version, or its bytes are no longer kept.
Result<std::optional<KnownVersion>> newest_known(const Vault& vault, const std::string& file, const std::vector<Version>& versions);

// The newest, and those before and after each of loci's latest writes, oldest first; `places`: which of `versions` they are.
struct KnownVersions {
  std::vector<KnownVersion> versions;
  std::vector<size_t> places;
};
// Where the last of them with these bytes stands; none: it is not among them.
std::optional<size_t> place_of_last(std::span<const Version> versions, std::string_view hash);

// `most_writes`: so many of loci's own are looked at, back from the newest version.
Result<KnownVersions> known_versions(const Vault& vault, const std::string& file, const std::vector<Version>& versions,
                                     size_t most_writes = 16);

// Of all versions, each id as the newest has it.
std::vector<SeenEntry> all_entries(std::span<const KnownVersion> known);

// With those entries that the bytes hide, as they are known: nobody changed them.
SeenFile see_with_hidden(Place place, std::string_view bytes, std::span<const KnownVersion> known);

}  // namespace loci
