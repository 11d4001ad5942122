#include <algorithm>

#include "agents/connect.h"
#include "base/child_process.h"
#include "cli/command.h"
#include "memory/json_shapes.h"
#include "vault/git/git_exchange.h"

namespace loci::cli {
namespace {

constexpr PositionalSpec connect_positionals[] = {{"AGENT", ValueKind::agent, false}};
constexpr OptionSpec connect_options[] = {
    {"--project", "", ValueKind::none, "for this folder only (else for you, everywhere)"},
    {"--dry-run", "", ValueKind::none, "show what would change, and change nothing"},
    {"--remove", "", ValueKind::none, "disconnect it: its files become what they were"},
    {"--plugin", "DIR", ValueKind::folder, "make a plugin of Claude Code in this folder, and connect nothing"},
};

// What every client of MCP may begin with.
constexpr std::string_view first_words =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"loci connect","version":"1"}}})"
    "\n";
constexpr std::chrono::milliseconds test_patience{10'000};

// As it is found in $PATH, if that is this program: agents ask their user again when a command line changes, and that name stays
// over versions.
Result<path> program_to_call(const Environment& environment) {
  std::error_code error;
  const path own = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return fail_errno("find", "this program", error.value());
  std::string folders = environment.variable ? environment.variable("PATH").value_or("") : "";
  for (size_t at = 0; at < folders.size();) {
    const size_t end = std::min(folders.find(':', at), folders.size());
    const path named = path(folders.substr(at, end - at)) / "loci";
    if (named.is_absolute() && std::filesystem::equivalent(named, own, error) && !error) return named;
    at = end + 1;
  }
  return own;
}

// Variables that say where loci's own files are, and that some agents do not hand on.
Json environment_to_hand_on(const Environment& environment) {
  Json variables = Json::object();
  for (const char* name : {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"})
    if (const auto value = environment.variable ? environment.variable(name) : std::nullopt; value && value->starts_with('/'))
      variables.add_unchecked(name, *value);
  return variables;
}

// What is connected here is in the prompts of every folder, so a repository that somebody cloned and works in must not be taken for
// it: a folder counts only if its owner names it.
Result<path> vault_to_connect(const Invocation& invocation) {
  const auto& around = invocation.environment;
  const auto root = TRY(find_vault(around, invocation.files, invocation.arguments.text("--vault")));
  if (!invocation.arguments.text("--vault").empty() || !around.vault.empty()) return root;
  Environment elsewhere = around;
  elsewhere.working_folder = "/";
  std::error_code error;
  const auto own = find_vault(elsewhere, invocation.files, "");
  if (own && std::filesystem::equivalent(*own, root, error)) return root;
  return fail(ErrorCode::refused,
              "the folder that you are in holds a memory, " + root.string() + ", which is not " +
                  (own ? "your default_vault, " + own->string() : std::string("your default_vault: there is none")),
              "say which one is meant: 'loci --vault " + root.string() + " connect …'" +
                  (own ? ", or 'loci --vault " + own->string() + " connect …'" : std::string()));
}

Result<Connection> connection_of(const Invocation& invocation) {
  const auto root = TRY(vault_to_connect(invocation));
  const auto vault = TRY(Vault::open(root, invocation.environment, invocation.files, invocation.clock));
  auto program = TRY(program_to_call(invocation.environment));
  return Connection{std::move(program), vault.root(), environment_to_hand_on(invocation.environment)};
}

// Of a new file all of it, with its brackets.
void show_new(Output& out, std::string_view text) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    out.line("+" + printable(std::string(text.substr(0, end))));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// A link is followed: then it is told what is written.
std::string written_in(const path& file) {
  std::error_code error;
  if (!std::filesystem::is_symlink(std::filesystem::symlink_status(file, error))) return {};
  return " (a link: " + printable(std::filesystem::canonical(file, error).string()) + ")";
}

void show(Output& out, const std::vector<PlannedEdit>& plan) {
  for (const PlannedEdit& edit : plan) {
    out.line(out.styled(Style::place, printable(edit.file.string())) + (edit.before ? written_in(edit.file) : " (new)"));
    if (!edit.before) {
      show_new(out, edit.edit.text);
      continue;
    }
    for (const std::string& line : edit.edit.removed) out.line("-" + printable(line));
    for (const std::string& line : edit.edit.added) out.line("+" + printable(line));
  }
}

Json shape(const std::vector<PlannedEdit>& plan, const AgentSetup& setup, bool is_done) {
  Json edits = Json::array();
  for (const PlannedEdit& edit : plan) {
    Json one = Json::object();
    one.add_unchecked("file", edit.file.string());
    one.add_unchecked("added", edit.edit.added);
    one.add_unchecked("removed", edit.edit.removed);
    edits.push_back(std::move(one));
  }
  Json value = versioned();
  value.add_unchecked("agent", setup.name);
  value.add_unchecked("done", is_done);
  value.add_unchecked("edits", std::move(edits));
  value.add_unchecked("notes", setup.notes);
  return value;
}

// Does what the agent will call answer? ErrorCode::failed says what did not. The index is there afterwards.
Status test_connection(const Invocation& invocation, const Connection& connection) {
  auto memory = TRY(invocation.open_memory());
  TRY(memory.take_in({}));  // waits for whoever is building the first index
  const auto ask = [&](std::vector<std::string> words, std::string input) {
    words.insert(words.begin(), {connection.program.string(), "--vault", connection.vault.string()});
    return ask_program(
        {.words = std::move(words), .environment = own_environment(), .input = std::move(input), .time_limit = test_patience});
  };
  Json event = Json::object();
  event.add_unchecked("session_id", "loci-connect");
  event.add_unchecked("cwd", invocation.environment.working_folder.string());
  event.add_unchecked("hook_event_name", "PreCompact");
  const auto hook = TRY(ask({"hook", "pre-compact"}, to_string(event)));
  if (hook.status != 0 || !hook.errors.empty())
    return fail(ErrorCode::failed, "the hook does not work: " + hook.errors, "'loci status' says more");
  const auto server = TRY(ask({"mcp"}, std::string(first_words)));
  if (server.status == 0 && server.output.contains("serverInfo")) return {};
  return fail(ErrorCode::failed, "the MCP server does not answer: " + server.errors, "'loci status' says more");
}

bool is_our_plugin(FileSystem& files, const path& plugin_json) {
  const auto bytes = read_file_if_any(files, plugin_json);
  const auto plugin = bytes && *bytes ? parse_json(**bytes) : Result<Json>(fail(ErrorCode::not_found, ""));
  return plugin && plugin->text_at("name") == "loci";
}

Result<int> make_plugin(const Invocation& invocation) {
  if (invocation.arguments.has("--remove"))
    return fail(ErrorCode::usage, "--remove takes no plugin away", "a plugin is its folder: remove that");
  const auto connection = TRY(connection_of(invocation));
  const path folder = invocation.environment.working_folder / invocation.arguments.text("--plugin");
  const auto files = plugin_files(connection, LOCI_VERSION);
  std::error_code error;
  const bool is_new = !std::filesystem::exists(folder, error) || std::filesystem::is_empty(folder, error);
  if (!is_new && !is_our_plugin(invocation.files, folder / files.front().first))
    return fail(ErrorCode::refused, folder.string() + " holds something else", "name a new folder, or an empty one");
  const bool is_dry = invocation.arguments.has("--dry-run");
  for (const auto& [name, bytes] : files) {
    if (is_dry) break;
    TRY(make_folders(invocation.files, (folder / name).parent_path()));
    TRY(write_file(invocation.files, folder / name, bytes));
  }
  if (invocation.out.json()) {
    Json value = versioned();
    value.add_unchecked("plugin", folder.string());
    value.add_unchecked("done", !is_dry);
    invocation.out.value(value);
  } else if (is_dry) {
    for (const auto& [name, bytes] : files) {
      invocation.out.line("would write " + printable((folder / name).string()));
      show_new(invocation.out, bytes);
    }
  } else {
    invocation.out.line("the plugin is in " + printable(folder.string()) + ": try it with 'claude --plugin-dir " +
                        printable(folder.string()) + "'");
  }
  return 0;
}

std::string what_becomes_of_conversations(const path& vault) {
  const GitExchange git(vault, {}, {});
  const auto upstream = git.upstream();
  const std::string pushed = upstream && git.check_ready() ? ", and pushed to '" + upstream->remote + "' with it" : std::string();
  return "conversations with it are stored in this memory from now on" + pushed + "; 'loci pause' and #nomemory keep them out";
}

void say_what_was_done(Output& out, const AgentSetup& setup, const std::vector<PlannedEdit>& plan, const Connection& connection) {
  show(out, plan);
  out.line(plan.empty() ? setup.name + " is connected to " + printable(connection.vault.string()) + " already"
                        : setup.name + " is connected to " + printable(connection.vault.string()));
  if (setup.calls_hooks) out.note(what_becomes_of_conversations(connection.vault));
  for (const std::string& note : setup.notes) out.note(note);
}

// The user's settings count in a project, too.
Status check_other_scope(const Invocation& invocation, const Connection& connection) {
  const Arguments& arguments = invocation.arguments;
  const auto other = agent_setup(arguments.positionals().front(), !arguments.has("--project"), connection, invocation.environment);
  return other ? check_vault_of(*other, connection, invocation.files) : Status();
}

Result<int> connect(const Invocation& invocation, AgentSetup& setup, const Connection& connection) {
  TRY(check_other_scope(invocation, connection));
  const auto plan = TRY(plan_connect(setup, connection, invocation.files));
  Output& out = invocation.out;
  const bool is_dry = invocation.arguments.has("--dry-run");
  if (!is_dry) {
    TRY(carry_out_connect(plan, invocation.files, invocation.environment.state_home));
    TRY(test_connection(invocation, connection));
    std::ranges::move(setup.asks_afterwards(), std::back_inserter(setup.notes));
  }
  if (out.json()) {
    out.value(shape(plan, setup, !is_dry));
  } else if (is_dry) {
    show(out, plan);
    if (plan.empty()) out.line("nothing would change");
  } else {
    say_what_was_done(out, setup, plan, connection);
  }
  return 0;
}

// With --vault it is that memory's connection that goes, and no other's.
Status check_is_connected_to_named(const Invocation& invocation, const AgentSetup& setup) {
  const std::string named = invocation.arguments.text("--vault");
  if (named.empty()) return {};
  const auto root = TRY(find_vault(invocation.environment, invocation.files, named));
  for (const AgentFile& file : setup.files) {
    const auto text = TRY(read_agent_file(invocation.files, file.file));
    const auto vault = vault_named_in(file, text.value_or(""));
    std::error_code error;
    if (!vault || vault->empty() || std::filesystem::equivalent(*vault, root, error)) continue;
    return fail(ErrorCode::refused, setup.name + " is connected to another memory, " + *vault + " (" + file.file.string() + ")",
                "'loci --vault " + *vault + " connect … --remove' disconnects that one");
  }
  return {};
}

Result<int> disconnect(const Invocation& invocation, const AgentSetup& setup) {
  TRY(check_is_connected_to_named(invocation, setup));
  const auto plan = TRY(plan_disconnect(setup, invocation.files, invocation.environment.state_home));
  const bool is_dry = invocation.arguments.has("--dry-run");
  if (!is_dry) TRY(carry_out_disconnect(plan, invocation.files, invocation.environment.state_home));
  Output& out = invocation.out;
  if (out.json()) {
    out.value(shape(plan, setup, !is_dry));
    return 0;
  }
  show(out, plan);
  if (is_dry) return 0;
  out.line(setup.name + (plan.empty() ? " was not connected" : " is disconnected"));
  return 0;
}

Result<int> run_connect(Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  if (arguments.has("--plugin")) return make_plugin(invocation);
  if (arguments.positionals().empty())
    return fail(ErrorCode::usage, "which agent?", "claude-code, codex, gemini, opencode or openclaw");
  const bool is_removed = arguments.has("--remove");
  const auto connection = is_removed ? Connection{} : TRY(connection_of(invocation));
  auto setup = TRY(agent_setup(arguments.positionals().front(), arguments.has("--project"), connection, invocation.environment));
  return is_removed ? disconnect(invocation, setup) : connect(invocation, setup, connection);
}

}  // namespace

constinit const Command connect_command = {
    "connect",
    "Give an agent this memory: its hooks and its MCP server",
    "Writes into the agent's own settings, shows every line of it, and keeps what was there in the state folder. Comments and "
    "what\n"
    "else stands there stay. Connected again, nothing changes; to another memory it is refused: name the folders that have one of\n"
    "their own with 'loci config agents.vaults.FOLDER VAULT'. --remove gives back each file as it was, if nobody changed it since.",
    connect_positionals,
    connect_options,
    run_connect};

}  // namespace loci::cli
