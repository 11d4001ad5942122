#include "agents/other_hooks.h"

#include <algorithm>
#include <array>

#include "agents/hook_call.h"
#include "agents/hooks_file.h"

namespace loci {
namespace {

constexpr std::array<std::string_view, 2> stops{"Stop", "AfterAgent"};
constexpr size_t longest_settings = size_t{4} << 20;

bool is_of_another(const Json& handler) { return !is_hook_of_loci(words_of_handler(handler)); }

// "name@marketplace": true. Which hooks it has stands elsewhere: it may have any.
bool is_plugin_of_another(const Json::Member& plugin) {
  const auto& [name, enabled] = plugin;
  return enabled.as_bool() && *enabled.as_bool() && name.substr(0, name.find('@')) != "loci";
}

path folder_of(const Environment& environment, const char* variable, const path& otherwise) {
  const auto named = environment.variable ? environment.variable(variable) : std::nullopt;
  return named && named->starts_with('/') ? path(*named) : otherwise;
}

std::vector<path> settings_files(const Environment& environment, const path& working_folder) {
  const path home = environment.home;
  return {"/etc/claude-code/managed-settings.json",
          folder_of(environment, "CLAUDE_CONFIG_DIR", home / ".claude") / "settings.json",
          working_folder / ".claude/settings.json",
          working_folder / ".claude/settings.local.json",
          folder_of(environment, "CODEX_HOME", home / ".codex") / "hooks.json",
          working_folder / ".codex/hooks.json",
          home / ".gemini/settings.json",
          working_folder / ".gemini/settings.json"};
}

}  // namespace

bool calls_others_at_stop(std::string_view settings) {
  const auto parsed = parse_settings(settings);
  const Json all = parsed ? parsed->to_json() : Json();
  const Json* plugins = all.find("enabledPlugins");
  if (plugins && plugins->as_object() && std::ranges::any_of(*plugins->as_object(), is_plugin_of_another)) return true;
  const Json* hooks = all.find("hooks");
  if (!hooks) return false;
  return std::ranges::any_of(stops, [&](std::string_view event) {
    const auto& groups = hooks->array_at(event);
    return std::ranges::any_of(groups,
                               [](const Json& group) { return std::ranges::any_of(group.array_at("hooks"), is_of_another); });
  });
}

bool others_may_make_it_go_on(const Environment& environment, const path& working_folder, FileSystem& files) {
  return std::ranges::any_of(settings_files(environment, working_folder), [&](const path& file) {
    const auto bytes = read_file_if_any(files, file, longest_settings);
    return bytes && *bytes && calls_others_at_stop(**bytes);
  });
}

}  // namespace loci
