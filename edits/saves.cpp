#include "edits/saves.h"

#include <algorithm>
#include <ranges>
#include <set>

namespace loci {
namespace {

KnownVersion read_version(Place place, std::string_view bytes, bool by_loci) {
  SeenFile seen = see_file(place, bytes);
  return {std::move(seen.entries), by_loci, std::move(seen.sections), std::move(seen.frame)};
}

// The newest, and those before and after each of loci's latest writes.
std::set<size_t> wanted_of(const std::vector<Version>& versions, size_t most_writes) {
  std::set<size_t> wanted{versions.size() - 1};
  size_t writes = 0;
  for (size_t i = versions.size() - 1; i > 0 && writes < most_writes; --i) {
    if (versions[i].kind != Version::Kind::wrote) continue;
    wanted.insert({i - 1, i});
    ++writes;
  }
  return wanted;
}

}  // namespace

Result<std::vector<Save>> saves_of(const Vault& vault, const std::string& file, const PresentFile& now,
                                   const std::vector<Version>& versions) {
  size_t first = versions.size();  // behind the last one that was understood
  while (first > 0 && versions[first - 1].kind != Version::Kind::understood) --first;
  std::vector<Save> saves;
  for (size_t i = std::max<size_t>(first, 1); i < versions.size(); ++i) {
    if (versions[i].kind != Version::Kind::found) continue;
    auto bytes = TRY(bytes_of(vault, file, versions[i]));
    if (bytes)
      saves.push_back(
          {std::move(*bytes), {versions.begin(), versions.begin() + static_cast<std::ptrdiff_t>(i)}, versions[i].at, false});
  }
  saves.push_back({now.bytes, versions, now.saved_at, true});
  return saves;
}

Result<std::optional<KnownVersion>> newest_known(const Vault& vault, const std::string& file,
                                                 const std::vector<Version>& versions) {
  if (versions.empty()) return std::nullopt;
  const auto bytes = TRY(bytes_of(vault, file, versions.back()));
  if (!bytes) return std::nullopt;
  return read_version(place_of(file), *bytes, false);
}

std::optional<size_t> place_of_last(std::span<const Version> versions, std::string_view hash) {
  for (size_t i = versions.size(); i > 0; --i)
    if (versions[i - 1].hash == hash) return i - 1;
  return std::nullopt;
}

Result<KnownVersions> known_versions(const Vault& vault, const std::string& file, const std::vector<Version>& versions,
                                     size_t most_writes) {
  const std::set<size_t> wanted = wanted_of(versions, most_writes);
  KnownVersions known;
  for (const size_t i : wanted) {
    const auto bytes = TRY(bytes_of(vault, file, versions[i]));
    if (!bytes) {  // what is older is of no use without it
      known = {};
      continue;
    }
    const bool by_loci = versions[i].kind == Version::Kind::wrote && wanted.contains(i - 1);
    known.versions.push_back(read_version(place_of(file), *bytes, by_loci));
    known.places.push_back(i);
  }
  return known;
}

std::vector<SeenEntry> all_entries(std::span<const KnownVersion> known) {
  std::vector<SeenEntry> all;
  std::set<std::string_view> seen;
  for (const KnownVersion& version : known | std::views::reverse)
    for (const SeenEntry& entry : version.entries)
      if (seen.insert(entry.id).second) all.push_back(entry);
  return all;
}

SeenFile see_with_hidden(Place place, std::string_view bytes, std::span<const KnownVersion> known) {
  SeenFile seen = see_file(place, bytes);
  for (const HiddenEntry& one : seen.hidden) {
    const auto stood = std::ranges::find_if(
        known.rbegin(), known.rend(), [&](const KnownVersion& version) { return find_seen(version.entries, one.id) != nullptr; });
    if (stood != known.rend() && find_hidden(seen, stood->sections, one.id))
      seen.entries.push_back(*find_seen(stood->entries, one.id));
  }
  return seen;
}

}  // namespace loci
