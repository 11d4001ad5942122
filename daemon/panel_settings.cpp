#include <algorithm>

#include "daemon/panel_upkeep.h"
#include "memory/json_shapes.h"
#include "vault/layout/config_schema.h"

namespace loci {
namespace {

std::vector<std::string> parts_of(const std::string& key) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= key.size();) {
    const size_t end = std::min(key.find('.', begin), key.size());
    parts.push_back(key.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

Json setting_to_json(const Setting& setting) {
  const auto match = find_config_key(parts_of(setting.key));
  Json choices = Json::array();
  if (match)
    for (const std::string_view choice : match->key->choices) choices.push_back(choice);
  Json value = Json::object();
  value.add_unchecked("key", setting.key);
  value.add_unchecked("value", setting.value);
  value.add_unchecked("origin", setting.origin);
  value.add_unchecked("editable", match && !match->key->user_file_only);
  value.add_unchecked("choices", std::move(choices));
  return value;
}

// As the files say now: the vault that a memory has was opened before they changed.
Result<LoadedConfig> loaded_anew(const Vault& vault) {
  return load_config(vault.files(), vault.user_config_file(), vault.config_file(), {});
}

// What keeps something away from agents and models is given up at a terminal, with the file in sight.
Status check_only_added(const Vault& vault, const std::string& key, const std::string& value) {
  if (key != "privacy.never_send") return {};
  const auto now = parse_json(value);
  if (!now || !now->as_array())
    return fail(ErrorCode::usage, "'privacy.never_send' is a list", R"(write ["work/**", "tag:health"])");
  for (const std::string& rule : TRY(loaded_anew(vault)).config.never_send)
    if (std::ranges::find(*now->as_array(), Json(rule)) == now->as_array()->end())
      return fail(ErrorCode::refused, "'" + rule + "' cannot be taken out of privacy.never_send here", "edit .loci/config.toml");
  return {};
}

}  // namespace

Result<Json> panel_settings(const PanelCall&, Memory& memory) {
  const auto loaded = TRY(loaded_anew(memory.vault()));
  Json list = Json::array();
  for (const Setting& setting : loaded.settings) list.push_back(setting_to_json(setting));
  Json value = versioned();
  value.add_unchecked("settings", std::move(list));
  return value;
}

Result<Json> panel_change_setting(const PanelCall& call, Memory& memory) {
  const auto body = TRY(parse_json(call.request.body, {.bytes = max_request_body}));
  const Vault& vault = memory.vault();
  const std::string key = body.text_at("key"), value = body.text_at("value");
  TRY(check_only_added(vault, key, value));
  TRY(set_config(vault.files(), vault.config_file(), key, value, true));
  return panel_settings(call, memory);
}

}  // namespace loci
