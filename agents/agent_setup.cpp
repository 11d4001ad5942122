// Where each agent keeps its settings, and what of loci's stands there.
#include <algorithm>
#include <array>

#include "agents/codex_config.h"
#include "agents/codex_trust.h"
#include "agents/connect.h"
#include "agents/hook_call.h"
#include "agents/hooks_file.h"
#include "agents/member_file.h"

namespace loci {
namespace {

using Path = std::vector<std::string>;

constexpr std::array claude_events{EventOf{"SessionStart", "session-start"},
                                   EventOf{"UserPromptSubmit", "user-prompt-submit"},
                                   EventOf{"Stop", "stop"},
                                   EventOf{"SessionEnd", "session-end"},
                                   EventOf{"PreCompact", "pre-compact"},
                                   EventOf{"PostCompact", "post-compact"}};
constexpr std::array gemini_events{EventOf{"SessionStart", "session-start"}, EventOf{"BeforeAgent", "user-prompt-submit"},
                                   EventOf{"AfterAgent", "stop"}, EventOf{"SessionEnd", "session-end"},
                                   EventOf{"PreCompress", "pre-compact"}};

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
  a.words = [first = a.words, second = b.words](const std::string& text) {
    auto words = first(text);
    return words ? words : second(text);
  };
  return a;
}

std::vector<std::string> words_of_server(const Json& server) {
  auto words = server.texts_at("args");
  words.insert(words.begin(), server.text_at("command"));
  return words;
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
  AgentFile mcp = member_file((own == usual ? environment.home : own) / ".claude.json", {where, server, words_of_server});
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
                         .words =
                             [](const std::string& text) {
                               const auto words = codex_server_words(text);
                               return words && is_server_of_loci(*words) ? words : std::nullopt;
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
                         member_file(file, {{"mcpServers", "loci"}, server_of(connection), words_of_server}))},
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
  const auto words = [](const Json& there) { return there.texts_at("command"); };
  const OurMember ours{{"mcp", "loci"}, server, words};
  AgentFile unused = member_file(other, ours);  // it was used before the other came
  unused.connect = unused.disconnect;
  AgentSetup setup{"opencode", {member_file(file, ours), std::move(unused)}, {}};
  setup.calls_hooks = false;
  setup.notes.push_back(
      "opencode calls no hooks: the model has the memory's tools, and conversations are stored only if it is told to");
  return setup;
}

AgentSetup openclaw(const Connection& connection, const Environment& environment) {
  const path folder = folder_named_by(environment, "OPENCLAW_STATE_DIR", environment.home / ".openclaw");
  AgentSetup setup{"OpenClaw",
                   {member_file(folder / "openclaw.json", {{"mcp", "servers", "loci"}, server_of(connection), words_of_server})},
                   {}};
  setup.calls_hooks = false;
  setup.notes.push_back(
      "OpenClaw calls no hooks of loci's: the model has the memory's tools, and conversations are stored only if it is told to; "
      "its own memory stays as it is");
  return setup;
}

}  // namespace

std::optional<std::string> vault_named_in(const AgentFile& file, const std::string& text) {
  const auto words = file.words(text);
  return words ? std::optional(vault_in_words(*words)) : std::nullopt;
}

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
    events.add_unchecked(std::string(event.agents), Json::Array{hook_group(connection, event.ours, Calls::words)});
  hooks.add_unchecked("description", "Stores what is said, and puts what is remembered before the model");
  hooks.add_unchecked("hooks", std::move(events));
  return {{".claude-plugin/plugin.json", to_pretty_string(plugin) + "\n"},
          {"hooks/hooks.json", to_pretty_string(hooks) + "\n"},
          {".mcp.json", to_pretty_string(mcp) + "\n"}};
}

}  // namespace loci
