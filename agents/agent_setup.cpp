// Where each agent keeps its settings, and how they are written: the hooks' shape is Claude Code's, and others' after it.
#include <algorithm>
#include <array>

#include "agents/codex_config.h"
#include "agents/codex_trust.h"
#include "agents/connect.h"
#include "agents/hook_call.h"

namespace loci {
namespace {

using Path = std::vector<std::string>;

struct EventOf {
  std::string_view agents, ours;
};
constexpr std::array claude_events{EventOf{"SessionStart", "session-start"},
                                   EventOf{"UserPromptSubmit", "user-prompt-submit"},
                                   EventOf{"Stop", "stop"},
                                   EventOf{"SessionEnd", "session-end"},
                                   EventOf{"PreCompact", "pre-compact"},
                                   EventOf{"PostCompact", "post-compact"}};
constexpr std::array gemini_events{EventOf{"SessionStart", "session-start"}, EventOf{"BeforeAgent", "user-prompt-submit"},
                                   EventOf{"AfterAgent", "stop"}, EventOf{"SessionEnd", "session-end"},
                                   EventOf{"PreCompress", "pre-compact"}};
constexpr int timeout_seconds = 5;  // far beyond what a hook takes: agents' own are minutes

// How an agent's hook calls a program: with words of its own, or as one line of the shell.
enum class Calls : std::uint8_t { words, line, line_in_milliseconds };

std::vector<std::string> words_of(const Connection& connection, std::initializer_list<std::string_view> command) {
  std::vector<std::string> words{"--vault", connection.vault.string()};
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

Json handler_of(const Connection& connection, std::string_view event, Calls calls) {
  const auto words = words_of(connection, {"hook", event});
  Json handler = Json::object();
  handler.add_unchecked("type", "command");
  if (calls == Calls::words) {
    handler.add_unchecked("command", connection.program.string());
    handler.add_unchecked("args", words);
  } else {
    std::string line = quoted_word(connection.program.string());
    for (const std::string& word : words) line += ' ' + quoted_word(word);
    handler.add_unchecked("command", line);
  }
  handler.add_unchecked("timeout", calls == Calls::line_in_milliseconds ? timeout_seconds * 1000 : timeout_seconds);
  return handler;
}

Json group_of(Json handler) {
  Json group = Json::object();
  group.add_unchecked("hooks", Json::Array{std::move(handler)});
  return group;
}

// The words of a handler's command, those of a line of the shell unquoted.
std::vector<std::string> words_in(const Json& handler) {
  std::vector<std::string> words;
  if (handler.find("args")) {
    words = handler.texts_at("args");
    words.insert(words.begin(), handler.text_at("command"));
    return words;
  }
  return words_of_call(handler.text_at("command"));
}

bool is_our_handler(const Json& handler) { return is_hook_of_loci(words_in(handler)); }

bool has_our_handler(const Json& group) { return std::ranges::any_of(group.array_at("hooks"), is_our_handler); }

// A group that holds nothing but calls of loci's hook.
bool is_our_group(const Json& group) {
  const auto& handlers = group.array_at("hooks");
  return !handlers.empty() && std::ranges::all_of(handlers, is_our_handler);
}

// All that have one of ours, in the order of the file.
Json our_groups(const Json& settings) {
  Json groups = Json::object();
  const Json* hooks = settings.find("hooks");
  if (!hooks || !hooks->as_object()) return groups;
  for (const auto& [event, list] : *hooks->as_object())
    if (list.as_array())
      for (const Json& group : *list.as_array())
        if (has_our_handler(group)) groups.set(event, group);
  return groups;
}

std::optional<std::string> vault_of_hooks(const std::string& text) {
  const auto settings = parse_settings(text);
  if (!settings) return std::nullopt;
  const Json groups = our_groups(settings->to_json());
  for (const auto& [event, group] : *groups.as_object())
    return vault_in_words(words_in(*std::ranges::find_if(group.array_at("hooks"), is_our_handler)));
  return std::nullopt;
}

// Lists and objects that are empty without ours go with it.
Status remove_if_empty(SettingsEditor& editor, const Path& where) {
  const auto root = TRY(parse_settings(editor.text()));
  const SettingsNode* node = &root;
  for (const std::string& key : where) node = node ? node->find(key) : nullptr;
  if (!node || !node->members.empty() || (!node->is_list && !node->is_object)) return {};
  const auto inside = std::string_view(editor.text()).substr(node->begin + 1, node->end - node->begin - 2);
  if (inside.find_first_not_of(" \t\r\n") != std::string_view::npos) return {};  // a comment
  return editor.apply([&](std::string_view text) { return remove_member(text, where); });
}

// Of a group that somebody put a handler of their own into, that one stays.
Status take_out_of_others_groups(SettingsEditor& editor, const std::string& event) {
  const auto settings = TRY(parse_settings(editor.text())).to_json();
  const Json* hooks = settings.find("hooks");
  const size_t count = hooks ? hooks->array_at(event).size() : 0;
  for (size_t i = 0; i < count; ++i) {
    const Path handlers{"hooks", event, std::to_string(i), "hooks"};
    TRY(editor.apply([&](std::string_view now) { return remove_elements(now, handlers, is_our_handler); }));
  }
  return {};
}

Result<SettingsEdit> without_hooks(const std::string& text) {
  SettingsEditor editor(text);
  const auto root = TRY(parse_settings(text));
  const Json groups = our_groups(root.to_json());
  for (const auto& [event, group] : *groups.as_object()) {
    const Path list{"hooks", event};
    TRY(editor.apply([&](std::string_view now) { return remove_elements(now, list, is_our_group); }));
    TRY(take_out_of_others_groups(editor, event));
    TRY(remove_if_empty(editor, list));
  }
  if (!groups.as_object()->empty()) TRY(remove_if_empty(editor, {"hooks"}));
  return editor.take();
}

Result<SettingsEdit> with_hooks(const std::string& text, std::span<const EventOf> events, const Connection& connection,
                                Calls calls) {
  Json wanted = Json::object();
  for (const EventOf& event : events) wanted.set(event.agents, group_of(handler_of(connection, event.ours, calls)));
  const auto root = TRY(parse_settings(text));
  const Json present = our_groups(root.to_json());
  if (std::ranges::is_permutation(*present.as_object(), *wanted.as_object())) return SettingsEdit{text, {}, {}};
  SettingsEditor editor(text);
  TRY(editor.apply([](std::string_view now) { return without_hooks(std::string(now)); }));
  for (const auto& [event, group] : *wanted.as_object())
    TRY(editor.apply([&](std::string_view now) { return add_element(now, Path{"hooks", event}, group); }));
  return editor.take();
}

AgentFile hooks_file(const path& file, std::span<const EventOf> events, const Connection& connection, Calls calls) {
  return {.file = file,
          .connect = [=](const std::string& text) { return with_hooks(text, events, connection, calls); },
          .disconnect = without_hooks,
          .vault = vault_of_hooks};
}

// One member that is ours. What somebody has put into it besides stays as long as it is there.
struct OurMember {
  Path where;
  Json value;
  std::function<std::string(const Json&)> vault;
};

const SettingsNode* node_at(const SettingsNode& root, const Path& where) {
  const SettingsNode* node = &root;
  for (const std::string& key : where) node = node ? node->find(key) : nullptr;
  return node;
}

Json with_others(const Json& ours, const Json& present) {
  if (!ours.as_object() || !present.as_object()) return ours;
  Json all = Json::object();
  for (const auto& [key, value] : *ours.as_object()) {
    const Json* there = present.find(key);
    all.add_unchecked(key, there ? with_others(value, *there) : value);
  }
  for (const auto& [key, value] : *present.as_object())
    if (!ours.find(key)) all.add_unchecked(key, value);
  return all;
}

bool is_same_object(const Json& one, const Json& other) {
  return one.as_object() && other.as_object() && std::ranges::is_permutation(*one.as_object(), *other.as_object());
}

Result<SettingsEdit> with_member(const std::string& text, const OurMember& ours) {
  const auto root = TRY(parse_settings(text));
  const SettingsNode* present = node_at(root, ours.where);
  const Json wanted = present ? with_others(ours.value, present->to_json()) : ours.value;
  if (present && is_same_object(present->to_json(), wanted)) return SettingsEdit{text, {}, {}};
  SettingsEditor editor(text);
  if (present) TRY(editor.apply([&](std::string_view now) { return remove_member(now, ours.where); }));
  TRY(editor.apply([&](std::string_view now) { return add_member(now, ours.where, wanted); }));
  return editor.take();
}

Result<SettingsEdit> without_member(const std::string& text, const OurMember& ours) {
  SettingsEditor editor(text);
  TRY(editor.apply([&](std::string_view now) { return remove_member(now, ours.where); }));
  if (editor.text() != text) TRY(remove_if_empty(editor, Path(ours.where.begin(), ours.where.end() - 1)));
  return editor.take();
}

std::string vault_of_args(const Json& server) { return vault_in_words(server.texts_at("args")); }

AgentFile member_file(const path& file, OurMember ours) {
  return {.file = file,
          .connect = [ours](const std::string& text) { return with_member(text, ours); },
          .disconnect = [ours](const std::string& text) { return without_member(text, ours); },
          .vault = [ours](const std::string& text) -> std::optional<std::string> {
            const auto root = parse_settings(text);
            const SettingsNode* node = root ? node_at(*root, ours.where) : nullptr;
            return node ? std::optional(ours.vault(node->to_json())) : std::nullopt;
          }};
}

// Two things in one file.
AgentFile both(AgentFile a, const AgentFile& b) {
  const auto joined = [](const auto& first, const auto& second) {
    return [first, second](const std::string& text) -> Result<SettingsEdit> {
      SettingsEditor editor(text);
      TRY(editor.apply([&](std::string_view now) { return first(std::string(now)); }));
      TRY(editor.apply([&](std::string_view now) { return second(std::string(now)); }));
      return editor.take();
    };
  };
  a.connect = joined(a.connect, b.connect);
  a.disconnect = joined(a.disconnect, b.disconnect);
  a.vault = [first = a.vault, second = b.vault](const std::string& text) {
    const auto vault = first(text);
    return vault ? vault : second(text);
  };
  return a;
}

bool has_members(const Json& object) { return object.as_object() && !object.as_object()->empty(); }

Json server_of(const Connection& connection) {
  Json server = Json::object();
  server.add_unchecked("command", connection.program.string());
  server.add_unchecked("args", words_of(connection, {"mcp"}));
  if (has_members(connection.environment)) server.add_unchecked("env", connection.environment);
  return server;
}

// `alwaysLoad`: otherwise the model sees the names of the tools only, and has to look for the rest.
Json claude_server(const Connection& connection) {
  Json server = Json::object();
  server.add_unchecked("type", "stdio");
  const Json plain = server_of(connection);
  for (const auto& [key, value] : *plain.as_object()) server.add_unchecked(key, value);
  server.add_unchecked("alwaysLoad", true);
  return server;
}

path folder_named_by(const Environment& environment, const char* variable, const path& otherwise) {
  const auto named = environment.variable ? environment.variable(variable) : std::nullopt;
  return named && named->starts_with('/') ? path(*named) : otherwise;
}

bool switches_hooks_off(const path& file) {
  const auto text = read_file(real_file_system(), file);
  const auto settings = text ? parse_settings(*text) : Result<SettingsNode>(fail(ErrorCode::not_found, ""));
  const Json all = settings ? settings->to_json() : Json();
  const Json* off = all.find("disableAllHooks");
  return off && off->as_bool() && *off->as_bool();
}

// Whatever scope says so.
std::vector<std::string> notes_of_switched_off_hooks(const std::vector<path>& scopes) {
  std::vector<std::string> notes;
  for (const path& file : scopes)
    if (switches_hooks_off(file))
      notes.push_back("all hooks are switched off in " + file.string() +
                      " (\"disableAllHooks\"): nothing of a conversation is stored or recalled until that is taken out");
  return notes;
}

AgentSetup claude_code(bool is_project, const Connection& connection, const Environment& environment) {
  const path usual = environment.home / ".claude";
  const path own = folder_named_by(environment, "CLAUDE_CONFIG_DIR", usual);
  const path project = environment.working_folder;
  const path settings = is_project ? project / ".claude/settings.local.json" : own / "settings.json";
  const Json server = claude_server(connection);
  const std::string scope = is_project ? "local" : "user";
  Path where{"mcpServers", "loci"};
  if (is_project) where.insert(where.begin(), {"projects", project.string()});
  AgentFile mcp = member_file((own == usual ? environment.home : own) / ".claude.json", {where, server, vault_of_args});
  mcp.connect_words = {"claude", "mcp", "add-json", "--scope", scope, "loci", to_string(server)};
  mcp.disconnect_words = {"claude", "mcp", "remove", "--scope", scope, "loci"};
  mcp.is_restored = false;
  AgentSetup setup{"Claude Code", {hooks_file(settings, claude_events, connection, Calls::words), std::move(mcp)}, {}};
  const std::vector<path> scopes{"/etc/claude-code/managed-settings.json", own / "settings.json", project / ".claude/settings.json",
                                 project / ".claude/settings.local.json"};
  setup.asks_afterwards = [scopes] { return notes_of_switched_off_hooks(scopes); };
  return setup;
}

// What its user has to do before Codex runs the hooks.
std::vector<std::string> notes_of_trust(const path& working_folder) {
  const auto waiting = codex_hooks_without_trust(working_folder);
  const std::string how = ": start codex, type /hooks, and approve those of loci";
  if (!waiting) return {"Codex runs a new or changed hook only when you trust it" + how};
  if (waiting->empty()) return {};
  std::string events;
  for (const std::string& event : *waiting) events += (events.empty() ? "" : ", ") + event;
  return {"Codex does not run " + std::to_string(waiting->size()) + " of loci's hooks until you trust them (" + events + ")" + how};
}

AgentSetup codex(bool is_project, const Connection& connection, const Environment& environment) {
  const path own = folder_named_by(environment, "CODEX_HOME", environment.home / ".codex");
  const path folder = is_project ? environment.working_folder / ".codex" : own;
  AgentSetup setup{"Codex", {hooks_file(folder / "hooks.json", claude_events, connection, Calls::line)}, {}};
  const CodexServer server{connection.program.string(), words_of(connection, {"mcp"}), connection.environment};
  setup.files.push_back({.file = folder / "config.toml",
                         .connect = [server](const std::string& text) { return with_codex_server(text, server); },
                         .disconnect = without_codex_server,
                         .vault = [](const std::string& text) -> std::optional<std::string> {
                           const auto words = codex_server_words(text);
                           return words ? std::optional(vault_in_words(*words)) : std::nullopt;
                         }});
  setup.asks_afterwards = [working_folder = environment.working_folder] { return notes_of_trust(working_folder); };
  if (is_project) setup.notes.push_back("Codex reads a project's .codex/ only where you trust the project");
  return setup;
}

AgentSetup gemini(bool is_project, const Connection& connection, const Environment& environment) {
  const path folder = is_project ? environment.working_folder : environment.home;
  const path file = folder / ".gemini/settings.json";
  AgentSetup setup{"Gemini CLI",
                   {both(hooks_file(file, gemini_events, connection, Calls::line_in_milliseconds),
                         member_file(file, {{"mcpServers", "loci"}, server_of(connection), vault_of_args}))},
                   {}};
  setup.notes.push_back("Gemini CLI starts MCP servers only in folders that you trust");
  return setup;
}

AgentSetup opencode(bool is_project, const Connection& connection, const Environment& environment) {
  const path folder = is_project ? environment.working_folder : environment.config_home / "opencode";
  std::error_code error;
  path file = folder / "opencode.jsonc", other = folder / "opencode.json";
  if (!std::filesystem::exists(file, error)) std::swap(file, other);
  auto command = words_of(connection, {"mcp"});
  command.insert(command.begin(), connection.program.string());
  Json server = Json::object();
  server.add_unchecked("type", "local");
  server.add_unchecked("command", command);
  if (has_members(connection.environment)) server.add_unchecked("environment", connection.environment);
  server.add_unchecked("enabled", true);
  const auto vault = [](const Json& there) { return vault_in_words(there.texts_at("command")); };
  const OurMember ours{{"mcp", "loci"}, server, vault};
  AgentFile unused = member_file(other, ours);  // it was used before the other came
  unused.connect = unused.disconnect;
  AgentSetup setup{"opencode", {member_file(file, ours), std::move(unused)}, {}};
  setup.notes.push_back(
      "opencode calls no hooks: the model has the memory's tools, and conversations are stored only if it is told to");
  return setup;
}

AgentSetup openclaw(const Connection& connection, const Environment& environment) {
  const path folder = folder_named_by(environment, "OPENCLAW_STATE_DIR", environment.home / ".openclaw");
  AgentSetup setup{
      "OpenClaw", {member_file(folder / "openclaw.json", {{"mcp", "servers", "loci"}, server_of(connection), vault_of_args})}, {}};
  setup.notes.push_back("OpenClaw calls no hooks of loci's: the model has the memory's tools, and its own memory stays as it is");
  return setup;
}

}  // namespace

Result<AgentSetup> agent_setup(std::string_view agent, bool is_project, const Connection& connection,
                               const Environment& environment) {
  if (agent == "claude-code") return claude_code(is_project, connection, environment);
  if (agent == "codex") return codex(is_project, connection, environment);
  if (agent == "gemini") return gemini(is_project, connection, environment);
  if (agent == "opencode") return opencode(is_project, connection, environment);
  if (agent != "openclaw")
    return fail(ErrorCode::usage, "'" + std::string(agent) + "' is no agent that loci knows",
                "those are claude-code, codex, gemini, opencode and openclaw");
  if (is_project) return fail(ErrorCode::refused, "OpenClaw has no settings of a project", "leave --project out");
  return openclaw(connection, environment);
}

std::vector<std::pair<std::string, std::string>> plugin_files(const Connection& connection, std::string_view version) {
  Json author = Json::object();
  author.add_unchecked("name", "loci");
  Json plugin = Json::object();
  plugin.add_unchecked("name", "loci");
  plugin.add_unchecked("version", version);
  plugin.add_unchecked("description", "A memory in markdown files: what was said before, and what is known, in every conversation");
  plugin.add_unchecked("author", std::move(author));
  Json servers = Json::object(), mcp = Json::object(), events = Json::object(), hooks = Json::object();
  servers.add_unchecked("loci", claude_server(connection));
  mcp.add_unchecked("mcpServers", std::move(servers));
  for (const EventOf& event : claude_events)
    events.add_unchecked(std::string(event.agents), Json::Array{group_of(handler_of(connection, event.ours, Calls::words))});
  hooks.add_unchecked("description", "Stores what is said, and puts what is remembered before the model");
  hooks.add_unchecked("hooks", std::move(events));
  return {{".claude-plugin/plugin.json", to_pretty_string(plugin) + "\n"},
          {"hooks/hooks.json", to_pretty_string(hooks) + "\n"},
          {".mcp.json", to_pretty_string(mcp) + "\n"}};
}

}  // namespace loci
