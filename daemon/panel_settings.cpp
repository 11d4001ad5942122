#include <algorithm>

#include "daemon/panel_upkeep.h"
#include "memory/json_shapes.h"
#include "vault/layout/config_edit.h"
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
Status check_only_added(const Vault& vault, const std::string& key, const std::string* value) {
  if (key != "privacy.never_send") return {};
  const auto now = parse_json(value ? *value : "[]");
  if (!now || !now->as_array())
    return fail(ErrorCode::usage, "'privacy.never_send' is a list", R"(write ["work/**", "tag:health"])");
  for (const std::string& rule : TRY(loaded_anew(vault)).config.never_send)
    if (std::ranges::find(*now->as_array(), Json(rule)) == now->as_array()->end())
      return fail(ErrorCode::refused, "'" + rule + "' cannot be taken out of privacy.never_send here", "edit .loci/config.toml");
  return {};
}

Result<Json> written_in_vault(const Vault& vault, const std::string& key) {
  const auto value = TRY(config_value_in(vault.files(), vault.config_file(), key));
  return value ? Json(*value) : Json();
}

Status check_unchanged(const std::string& key, const Json& now, const Json* expected) {
  if (!expected || now == *expected) return {};
  const std::string* value = now.as_string();
  return fail(ErrorCode::refused,
              "somebody has changed '" + key + "' since: " + (value ? "it is " + *value : "it is not set") + " now");
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
  const std::string key = body.text_at("key");
  const Json* wanted = body.find("value");
  if (!wanted || !(wanted->as_string() || wanted->is_null())) return fail(ErrorCode::usage, R"(there is no "value" in the body)");
  const std::string* value = wanted->as_string();
  TRY(check_only_added(vault, key, value));
  const Json before = TRY(written_in_vault(vault, key));
  TRY(check_unchanged(key, before, body.find("if")));
  TRY(value ? set_config(vault.files(), vault.config_file(), key, *value, true)
            : unset_config(vault.files(), vault.config_file(), key, true));
  Json answer = TRY(panel_settings(call, memory));
  answer.add_unchecked("before", before);
  answer.add_unchecked("after", TRY(written_in_vault(vault, key)));
  return answer;
}

}  // namespace loci
