// A subcommand: what it takes, what it says about itself, and what it does. One file each, command_NAME.cpp; commands.cpp
// lists them. The tables are constants, so that a start costs nothing for the commands that were not asked for.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/file_system.h"
#include "cli/arguments.h"
#include "cli/output.h"
#include "memory/memory.h"
#include "vault/layout/environment.h"

namespace loci::cli {

// One call of the program. Lives until it ends.
struct Invocation {
  const Arguments& arguments;
  Output& out;
  const Environment& environment;
  FileSystem& files;
  const Clock& clock;

  // The vault that --vault, $LOCI_VAULT, the working folder or the user's configuration names.
  Result<Memory> open_memory() const;
  Result<Memory> open_memory_at(const path& root) const;  // of this one
  // For a command that rewrites files: what a person did to them by hand is understood first.
  Result<Memory> open_memory_to_change() const;
  // For one that only adds: it waits for that only if git stands elsewhere since.
  Result<Memory> open_memory_to_add() const;
  // As open_memory(), its index brought up to date as far as that goes without waiting; says so where it is not.
  Result<Memory> open_fresh_memory(Freshness& freshness) const;

  // Asks a memory for its newest state; says so where that is not what the answer is from.
  template <typename Answer>
  Result<std::pair<Answer, Freshness>> ask_fresh(Memory& memory,
                                                 const std::function<Result<Answer>(IndexReader&)>& question) const {
    auto answer = memory.ask_fresh<Answer>(question, out.progress());
    out.clear_progress();
    if (answer) warn_if_stale(answer->second);
    return answer;
  }

 private:
  void warn_if_stale(const Freshness& freshness) const;
};

struct Command {
  std::string_view name;
  std::string_view summary;  // one line, without a full stop
  std::string_view details;  // for `loci help NAME`; lines of at most 100 columns; may be empty
  std::span<const PositionalSpec> positionals;
  std::span<const OptionSpec> options;
  Result<int> (*run)(Invocation& invocation);  // the exit status
  bool hidden = false;                         // not listed: for the completion scripts
  bool fails_open = false;                     // whatever goes wrong, the exit status is 0: an agent would stop working
};

// The commands, each in its own file.
extern const Command init_command, add_command, search_command, context_command, count_command, recent_command, sessions_command,
    session_command, show_command, list_command, edit_command, correct_command, forget_command, restore_command, remember_command,
    reindex_command, consolidate_command, log_command, undo_command, resolve_command, status_command, doctor_command,
    export_command, import_command, config_command, daemon_command, mcp_command, used_command, panel_command, service_command,
    turn_command, task_command, digest_command, completion_command, complete_command, help_command, hook_command, connect_command,
    pause_command, resume_command, sync_command, merge_driver_command;

// What every command understands.
inline constexpr OptionSpec global_options[] = {
    {"--vault", "DIR", ValueKind::folder, "the vault to use (else $LOCI_VAULT, else the nearest parent folder with .loci/)"},
    {"--json", "", ValueKind::none, "print one JSON value"},
    {"--help", "", ValueKind::none, "say what a command does and takes"},
};

}  // namespace loci::cli
