#include "vault/rewrite/versions.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"
#include "base/json.h"
#include "base/leftovers.h"
#include "vault/git/git_operation.h"
#include "vault/layout/layout.h"
#include "vault/logs/json_lines.h"
#include "vault/rewrite/write_names.h"

namespace loci {
namespace {

constexpr size_t name_digits = 16;
constexpr JsonLimits line_limits{.bytes = 4096, .depth = 2};
constexpr std::string_view kinds[] = {"understood", "found", "wrote"};

path versions_folder(const Vault& vault) { return vault.state_folder() / "versions"; }
std::string folder_name(std::string_view file) { return hex(as_bytes(sha256(file)), name_digits); }
path folder_of(const Vault& vault, std::string_view file) { return versions_folder(vault) / folder_name(file); }
path log_in(const path& folder) { return folder / "log.jsonl"; }
path name_in(const path& folder) { return folder / "name"; }
path bytes_in(const path& folder, const std::string& hash) { return folder / (hash + ".md"); }

std::string format(const Version& version) {
  Json line = Json::object();
  line.add_unchecked("kind", kinds[static_cast<size_t>(version.kind)]);
  line.add_unchecked("hash", version.hash);
  line.add_unchecked("size", version.size);
  line.add_unchecked("at", format_rfc3339(version.at));
  if (version.away) line.add_unchecked("away", true);
  return to_string(line) + '\n';
}

std::optional<Version> version_from(const Json& line) {
  const auto at = parse_time(line.text_at("at"));
  const auto kind = std::ranges::find(kinds, line.text_at("kind"));
  if (!at || kind == std::end(kinds) || line.text_at("hash").empty()) return std::nullopt;
  return Version{static_cast<Version::Kind>(kind - std::begin(kinds)), line.text_at("hash"), line.count_at("size"), *at,
                 line.find("away") != nullptr};
}

path home_branch_file(const Vault& vault) { return vault.state_folder() / "versions.branch"; }

bool is_away(const Vault& vault) {
  const auto home = read_file_if_any(vault.files(), home_branch_file(vault));
  if (!home || !*home || (*home)->empty()) return false;
  const std::string branch = git_branch_around(vault.root());
  return !branch.empty() && branch != **home;
}

Result<std::vector<Version>> versions_in(const Vault& vault, const path& folder) {
  std::vector<Version> versions;
  const auto bytes = TRY(read_file_if_any(vault.files(), log_in(folder)));
  if (!bytes) return versions;
  visit_json_lines(*bytes, line_limits, [&](int, const Json* line) {
    if (auto version = line ? version_from(*line) : std::nullopt) versions.push_back(std::move(*version));
  });
  return versions;
}

// The newline in front ends a line that a crash cut off.
Status append_line(const Vault& vault, const path& folder, const Version& version) {
  const path file = log_in(folder);
  const auto fd = TRY(vault.files().open(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0600));
  return vault.files().write_once(fd, "\n" + format(version), file);
}

Status write_log(const Vault& vault, const path& folder, const std::vector<Version>& versions) {
  std::string bytes;
  for (const Version& version : versions) bytes += format(version);
  return write_file(vault.files(), log_in(folder), bytes);
}

// Bytes that no line names any more go.
Status remove_unnamed(const Vault& vault, const path& folder, const std::vector<Version>& versions) {
  std::set<path> named{log_in(folder), name_in(folder)};
  for (const Version& version : versions) named.insert(bytes_in(folder, version.hash));
  std::error_code error;
  for (const auto& item : std::filesystem::directory_iterator(folder, error))
    if (!named.contains(item.path())) TRY(vault.files().remove(item.path()));
  return {};
}

struct Aged {
  path folder;
  Version version;
};

// The oldest first, without the newest of each folder.
std::vector<Aged> that_may_go(const std::map<path, std::vector<Version>>& all) {
  std::vector<Aged> aged;
  for (const auto& [folder, versions] : all)
    for (size_t i = 0; i + 1 < versions.size(); ++i) aged.push_back({folder, versions[i]});
  std::ranges::stable_sort(aged, {}, [](const Aged& one) { return one.version.at; });
  return aged;
}

}  // namespace

bool has_versions(std::string_view relative_path) {
  const Place place = place_of(relative_path);
  const bool is_markdown = relative_path.ends_with(".md") || relative_path.ends_with(".markdown");
  return is_markdown && (place == Place::core || place == Place::consolidated || place == Place::user);
}

Status note_home_branch(const Vault& vault, const std::string& branch) {
  const auto known = TRY(read_file_if_any(vault.files(), home_branch_file(vault)));
  if (known.value_or(std::string()) == branch) return {};
  TRY(make_folders(vault.files(), vault.state_folder()));
  return write_file(vault.files(), home_branch_file(vault), branch);
}

Result<std::vector<Version>> versions_of(const Vault& vault, const std::string& file) {
  auto versions = TRY(versions_in(vault, folder_of(vault, file)));
  if (std::ranges::any_of(versions, &Version::away) && !is_away(vault)) std::erase_if(versions, &Version::away);
  return versions;
}

Result<bool> is_understood(const Vault& vault, const std::string& file, std::string_view bytes) {
  const auto versions = TRY(versions_of(vault, file));
  if (versions.empty()) return true;
  if (versions.back().hash != content_hash(bytes)) return false;
  for (size_t i = versions.size() - 1; i > 0 && versions[i].kind != Version::Kind::understood; --i)
    if (versions[i].kind == Version::Kind::found) return false;
  return true;  // nothing was known when the first one was found
}

Result<std::set<std::string>> files_with_versions(const Vault& vault, const std::set<std::string>& but_for) {
  std::set<std::string> known, files;
  for (const std::string& file : but_for) known.insert(folder_name(file));
  std::error_code error;
  for (const auto& item : std::filesystem::directory_iterator(versions_folder(vault), error)) {
    if (known.contains(item.path().filename())) continue;
    auto name = TRY(read_file_if_any(vault.files(), name_in(item.path())));
    if (name && folder_name(*name) == item.path().filename()) files.insert(std::move(*name));
  }
  return files;
}

Result<std::optional<std::string>> bytes_of(const Vault& vault, const std::string& file, const Version& version) {
  return read_file_if_any(vault.files(), bytes_in(folder_of(vault, file), version.hash));
}

Status note_version(const Vault& vault, const std::string& file, Version::Kind kind, std::string_view bytes,
                    std::optional<Instant> at) {
  const path folder = folder_of(vault, file);
  const Version version{kind, content_hash(bytes), bytes.size(), at.value_or(vault.clock().of_files()), is_away(vault)};
  const auto known = TRY(versions_of(vault, file));
  if (!known.empty() && known.back().kind == kind && known.back().hash == version.hash) return {};
  TRY(make_folders(vault.files(), folder));
  std::error_code error;
  const path copy = bytes_in(folder, version.hash);
  if (!std::filesystem::exists(copy, error)) {
    remove_leftovers_in(folder);  // of a process that was killed while it wrote
    TRY(write_file(vault.files(), copy, bytes));
  }
  if (!std::filesystem::exists(name_in(folder), error)) TRY(write_file(vault.files(), name_in(folder), file));
  return append_line(vault, folder, version);
}

Status note_found(const Vault& vault, const std::string& file, std::string_view bytes, Instant saved_at) {
  const auto known = TRY(versions_of(vault, file));
  if (!known.empty() && known.back().hash == content_hash(bytes)) return {};
  const bool is_dated = (known.empty() || saved_at >= known.back().at) && saved_at <= vault.clock().of_files();
  return note_version(vault, file, Version::Kind::found, bytes, is_dated ? std::optional(saved_at) : std::nullopt);
}

Status copy_versions(const Vault& vault, const std::string& from, const std::string& to) {
  const path source = folder_of(vault, from), folder = folder_of(vault, to);
  const auto versions = TRY(versions_in(vault, source));
  TRY(make_folders(vault.files(), folder));
  std::set<std::string> copied;
  for (const Version& version : versions) {
    if (!copied.insert(version.hash).second) continue;
    if (const auto bytes = TRY(read_file_if_any(vault.files(), bytes_in(source, version.hash))))
      TRY(write_file(vault.files(), bytes_in(folder, version.hash), *bytes));
  }
  TRY(write_file(vault.files(), name_in(folder), to));
  TRY(write_log(vault, folder, versions));
  std::error_code error;
  for (const auto& item : std::filesystem::directory_iterator(folder, error))  // what a file of that name said before
    if (item.path().extension() == ".md" && !copied.contains(item.path().stem().string()))
      std::filesystem::remove(item.path(), error);
  return {};
}

Status prune_versions(const Vault& vault, const std::set<std::string>& but_for, std::uint64_t most_bytes) {
  std::map<path, std::vector<Version>> all;
  std::set<path> kept;
  for (const std::string& file : but_for) kept.insert(folder_of(vault, file));
  std::uint64_t total = 0;
  std::error_code error;
  for (const auto& item : std::filesystem::directory_iterator(versions_folder(vault), error)) {
    if (kept.contains(item.path())) continue;
    all[item.path()] = TRY(versions_in(vault, item.path()));
    for (const Version& version : all[item.path()]) total += version.size;
  }
  const Instant oldest = vault.clock().now() - versions_keep;
  std::set<path> changed;
  for (const Aged& aged : that_may_go(all)) {
    if (aged.version.at >= oldest && total <= most_bytes) break;
    std::vector<Version>& versions = all[aged.folder];
    versions.erase(std::ranges::find(versions, aged.version));
    total -= aged.version.size;
    changed.insert(aged.folder);
  }
  for (const path& folder : changed) {
    TRY(write_log(vault, folder, all[folder]));
    TRY(remove_unnamed(vault, folder, all[folder]));
  }
  return {};
}

}  // namespace loci
