#include "vault/layout/vault.h"

#include <algorithm>

#include "base/hash.h"
#include "vault/layout/host.h"

namespace loci {
namespace {

constexpr std::string_view init_hint = "'loci init DIR' lays down a new one; any folder of markdown will do too";

Result<path> existing_folder(const path& folder, const std::string& named_by) {
  std::error_code error;
  if (std::filesystem::is_directory(folder, error)) return folder;
  const std::string reason = !error || error == std::errc::no_such_file_or_directory
                                 ? std::string(std::filesystem::exists(folder, error) ? "is not a folder" : "does not exist")
                                 : "cannot be opened: " + error.message();
  return fail(ErrorCode::not_found, "no vault: " + folder.string() + named_by + " " + reason, std::string(init_hint));
}

std::optional<path> nearest_with_dot_loci(const path& start) {
  std::error_code ignored;
  for (path folder = start; !folder.empty(); folder = folder.parent_path()) {
    if (std::filesystem::is_directory(folder / ".loci", ignored)) return folder;
    if (folder == folder.root_path()) break;
  }
  return std::nullopt;
}

}  // namespace

Result<path> find_vault(const Environment& environment, FileSystem& files, const std::string& from_command_line) {
  if (!from_command_line.empty()) return existing_folder(environment.working_folder / from_command_line, "");
  if (!environment.vault.empty()) return existing_folder(environment.working_folder / environment.vault, ", named by LOCI_VAULT,");
  if (auto folder = nearest_with_dot_loci(environment.working_folder)) return *folder;
  const path user_file = environment.user_config_file();
  const auto loaded = TRY(load_config(files, user_file, {}, environment.home));
  if (!loaded.config.default_vault.empty())
    return existing_folder(loaded.config.default_vault, ", the default_vault of " + user_file.string() + ",");
  return fail(
      ErrorCode::not_found,
      "no vault: neither --vault nor LOCI_VAULT is given, no folder above this one holds .loci, and there is no default_vault",
      std::string(init_hint));
}

namespace {

path expand_home(const std::string& text, const path& home) {
  if (text == "~") return home;
  return text.starts_with("~/") ? home / text.substr(2) : path(text);
}

// Where it really is, as far as it is there: a folder may be named through a link.
path resolved(const path& folder) {
  std::error_code error;
  path found = std::filesystem::weakly_canonical(folder, error);
  if (error || found.empty()) found = folder.lexically_normal();
  return found.filename().empty() ? found.parent_path() : found;
}

bool is_below(const path& folder, const path& above) {
  return std::mismatch(folder.begin(), folder.end(), above.begin(), above.end()).second == above.end();
}

}  // namespace

Result<std::optional<path>> find_vault_of_agent(const Environment& environment, FileSystem& files, const path& working_folder,
                                                const std::string& from_command_line) {
  const auto loaded = TRY(load_config(files, environment.user_config_file(), {}, environment.home));
  const path here = resolved(working_folder);
  size_t longest = 0;
  std::string named = from_command_line.empty() ? loaded.config.default_vault : from_command_line;
  for (const auto& [folder, vault] : loaded.config.agents.vaults) {
    const path above = resolved(expand_home(folder, environment.home));
    if (above.native().size() < longest || !is_below(here, above)) continue;
    longest = above.native().size();
    named = vault;
  }
  if (named.empty() || named == "off") return std::nullopt;
  return TRY(existing_folder(environment.working_folder / named, ""));
}

Result<Vault> Vault::open(const path& root, const Environment& environment, FileSystem& files, const Clock& clock) {
  TRY(existing_folder(root, ""));
  std::error_code error;
  Vault vault;
  vault.root_ = std::filesystem::canonical(root, error);
  if (error) return fail_errno("open the vault", root.string(), error.value());
  auto host = TRY(host_id(environment, files));
  vault.host_ = std::move(host);
  vault.host_name_ = environment.host_name;
  vault.id_ = hex(as_bytes(sha256(vault.root_.native())), 16);
  vault.state_folder_ = environment.state_home / "loci" / vault.id_;
  vault.user_config_file_ = environment.user_config_file();
  auto loaded = TRY(load_config(files, vault.user_config_file_, vault.config_file(), environment.home));
  vault.loaded_ = std::move(loaded);
  vault.files_ = &files;
  vault.clock_ = &clock;
  return vault;
}

}  // namespace loci
