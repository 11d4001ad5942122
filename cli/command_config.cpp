#include <algorithm>

#include "cli/command.h"
#include "memory/json_shapes.h"
#include "vault/layout/config.h"

namespace loci::cli {
namespace {

constexpr PositionalSpec config_positionals[] = {{"KEY", ValueKind::config_key, false}, {"VALUE", ValueKind::text, false}};
constexpr OptionSpec config_options[] = {{"--user", "", ValueKind::none, "set it in your own configuration, for all vaults"}};

// "primary" is what people call it; everything else is named as in the file.
std::string full_key(const std::string& key) { return key == "primary" ? "vault.primary" : key; }

// These count in the user's file only: a vault that came from somewhere must not name an address or a key.
bool is_for_the_user_only(const std::string& key) {
  return key == "default_vault" || key.starts_with("models.") || key.starts_with("http.") || key.starts_with("agents.");
}

Json setting_to_json(const Setting& setting) {
  Json value = Json::object();
  value.add_unchecked("key", setting.key);
  value.add_unchecked("value", setting.value);
  value.add_unchecked("origin", setting.origin);
  return value;
}

std::string setting_text(const Output& out, const Setting& setting) {
  return printable(setting.key) + " = " + printable(setting.value) + "  " +
         out.styled(Style::dim, "# " + printable(setting.origin));
}

std::unexpected<Error> unknown_key(const std::string& key, const std::vector<Setting>& settings) {
  std::vector<std::string_view> names;
  for (const Setting& setting : settings) names.push_back(setting.key);
  const std::string_view meant = nearest(key, names);
  return fail(ErrorCode::usage, "there is no setting '" + key + "'",
              meant.empty() ? "'loci config' lists them" : "did you mean '" + std::string(meant) + "'?");
}

Result<int> show(Output& out, const std::vector<Setting>& settings, const std::string& key) {
  Json list = Json::array();
  bool found = false;
  for (const Setting& setting : settings) {
    // A key, or all of a table.
    if (!key.empty() && setting.key != key && !setting.key.starts_with(key + ".")) continue;
    found = true;
    if (out.json())
      list.push_back(setting_to_json(setting));
    else
      out.line(setting_text(out, setting));
  }
  if (!found) return unknown_key(key, settings);
  if (out.json()) {
    Json value = versioned();
    value.add_unchecked("settings", std::move(list));
    out.value(value);
  }
  return 0;
}

// The files that settings come from; without a vault only the user's.
struct SettingFiles {
  path user, vault;
};

Result<SettingFiles> setting_files(const Invocation& invocation) {
  auto root = find_vault(invocation.environment, invocation.files, invocation.arguments.text("--vault"));
  if (root) return SettingFiles{invocation.environment.user_config_file(), *root / vault_config_name};
  if (!invocation.arguments.has("--user") || invocation.arguments.has("--vault")) return std::unexpected(root.error());
  return SettingFiles{invocation.environment.user_config_file(), {}};
}

Result<int> run_config(Invocation& invocation) {
  const auto files = TRY(setting_files(invocation));
  const auto& words = invocation.arguments.positionals();
  const std::string key = words.empty() ? std::string() : full_key(words[0]);
  if (words.size() == 2) {
    const bool in_user_file = invocation.arguments.has("--user") || is_for_the_user_only(key);
    const path& file = in_user_file ? files.user : files.vault;
    if (auto written = set_config(invocation.files, file, key, words[1], !in_user_file); !written)
      return std::unexpected(written.error());
  }
  // After a change as well what counts now: a setting of one file may be overruled by the other.
  const auto loaded = TRY(load_config(invocation.files, files.user, files.vault, invocation.environment.home));
  for (const Problem& warning : loaded.warnings)
    invocation.out.warn(warning.file + ":" + std::to_string(warning.line) + ": " + warning.message);
  return show(invocation.out, loaded.settings, key);
}

}  // namespace

constinit const Command config_command = {
    "config",
    "Show or set settings, and where each comes from",
    "Without a value: the effective settings. With one: sets it in the vault's configuration, which all machines share, or with\n"
    "--user in your own. 'loci config primary HOST' says which machine consolidates.",
    config_positionals,
    config_options,
    run_config};

}  // namespace loci::cli
