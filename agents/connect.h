// Connecting an agent: its hooks and its MCP server, in the agent's own files. What is done is worked out first and shown, or
// carried out; each file is read again before it is replaced, since agents write theirs at any time. One thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agents/settings_text.h"
#include "base/file_system.h"
#include "vault/layout/environment.h"

namespace loci {

// What of loci's stands in the files.
struct Connection {
  path program;      // as it is called for years: a changed command line asks the user again
  path vault;        // canonical
  Json environment;  // an object: variables that agents do not hand on
};

// One file of an agent's, and what of ours belongs into it. The functions are pure.
struct AgentFile {
  path file;
  std::function<Result<SettingsEdit>(const std::string& text)> connect;     // unchanged if all of it is there already
  std::function<Result<SettingsEdit>(const std::string& text)> disconnect;  // unchanged if nothing is
  // That call loci in there, the program first; none: ours is not there.
  std::function<std::optional<std::vector<std::string>>(const std::string& text)> words;
  // The agent's own command for the same, which knows whether the agent runs; empty: it has none.
  std::vector<std::string> connect_words = {}, disconnect_words = {};
  bool is_restored = true;  // as it was, byte for byte, by a disconnect; not of a file that the agent writes all the time
};

// The vault that ours in there names; none: ours is not there.
std::optional<std::string> vault_named_in(const AgentFile& file, const std::string& text);

struct AgentSetup {
  std::string name;  // "Claude Code"
  std::vector<AgentFile> files;
  std::vector<std::string> notes;  // what its user has to know or do
  // What only the agent itself can tell of that, once it is connected; may take seconds.
  std::function<std::vector<std::string>()> asks_afterwards = [] { return std::vector<std::string>(); };
  bool calls_hooks = true;  // false: it tells of no conversation by itself, and a note says so
};

// "claude-code", "codex", "gemini", "opencode", "openclaw", for the user or, in `environment.working_folder`, for one project.
// ErrorCode::usage for another name, ErrorCode::refused for an agent that has no settings of a project.
Result<AgentSetup> agent_setup(std::string_view agent, bool is_project, const Connection& connection,
                               const Environment& environment);

// What stands in one of an agent's files; none: there is no such file. ErrorCode::refused for what is no plain file of the user's
// own, nor a link to one.
Result<std::optional<std::string>> read_agent_file(FileSystem& files, const path& file);

struct PlannedEdit {
  path file;
  const AgentFile* agent_file = nullptr;
  std::optional<std::string> before;  // none: there is no such file
  SettingsEdit edit;
};

// ErrorCode::refused if the agent is connected to another vault there. The hooks of the user's settings and of a project's are
// called for the same events: with two vaults, each conversation would be torn.
Status check_vault_of(const AgentSetup& setup, const Connection& connection, FileSystem& files);

// What would change. ErrorCode::refused for a file that cannot be read as the agent reads it, and, when connecting, if it is
// connected to another vault already.
Result<std::vector<PlannedEdit>> plan_connect(const AgentSetup& setup, const Connection& connection, FileSystem& files);
Result<std::vector<PlannedEdit>> plan_disconnect(const AgentSetup& setup, FileSystem& files, const path& state_home);

// Backups go to <state home>/loci/connections/ (0600) first. A link is kept, and what it leads to edited. All files or none: the
// error names one that stays changed, because somebody wrote it meanwhile.
Status carry_out_connect(const std::vector<PlannedEdit>& plan, FileSystem& files, const path& state_home);
Status carry_out_disconnect(const std::vector<PlannedEdit>& plan, FileSystem& files, const path& state_home);

// The files of a Claude Code plugin, by their names in its folder.
std::vector<std::pair<std::string, std::string>> plugin_files(const Connection& connection, std::string_view version);

}  // namespace loci
