#include "cli/commands.h"

#include <algorithm>

#include "base/out_of_memory.h"
#include "cli/help.h"

namespace loci::cli {

namespace {

constexpr const Command* table[] = {
    &init_command,     &add_command,         &search_command,       &context_command,    &used_command,    &count_command,
    &recent_command,   &sessions_command,    &session_command,      &turn_command,       &task_command,    &digest_command,
    &show_command,     &list_command,        &edit_command,         &correct_command,    &forget_command,  &restore_command,
    &remember_command, &consolidate_command, &log_command,          &undo_command,       &reindex_command, &resolve_command,
    &status_command,   &doctor_command,      &export_command,       &import_command,     &config_command,  &daemon_command,
    &mcp_command,      &panel_command,       &service_command,      &connect_command,    &hook_command,    &pause_command,
    &resume_command,   &sync_command,        &merge_driver_command, &completion_command, &help_command,    &complete_command};

// Those that are there for what they change. An answer that cannot be printed is a failure; a change stays done, and doing it again
// would double it.
constexpr const Command* changes[] = {
    &init_command,   &add_command,     &turn_command,     &task_command,        &edit_command,        &correct_command,
    &forget_command, &restore_command, &remember_command, &consolidate_command, &undo_command,        &import_command,
    &pause_command,  &resume_command,  &connect_command,  &sync_command,        &merge_driver_command};

// The index of the command's name among the words; words.size() if there is none. Global options may stand in front of it.
size_t position_of_command(std::span<const std::string> words) {
  for (size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with("-")) return i;
    if (words[i] == "--vault") ++i;
  }
  return words.size();
}

const Command* command_in(std::span<const std::string> words) {
  const size_t position = position_of_command(words);
  return position < words.size() ? find_command(words[position]) : nullptr;
}

bool contains(std::span<const std::string> words, std::string_view word) {
  const auto end = std::ranges::find(words, "--");
  return std::find(words.begin(), end, word) != end;
}

Result<const Command*> command_named(const std::string& name) {
  if (const Command* command = find_command(name)) return command;
  std::vector<std::string_view> names;
  for (const Command* command : all_commands())
    if (!command->hidden) names.push_back(command->name);
  const std::string_view meant = nearest(name, names);
  return fail(ErrorCode::usage, "there is no command '" + name + "'",
              meant.empty() ? "'loci help' lists the commands" : "did you mean 'loci " + std::string(meant) + "'?");
}

// Without a command: --version, --help, or nothing at all.
Result<int> run_without_command(std::span<const std::string> words, Output& out) {
  if (contains(words, "--version")) {
    out.line("loci " LOCI_VERSION);
    return 0;
  }
  for (const std::string& word : words) {
    const bool known = word == "--json" || word == "--help" || word == "-h" || word == "--vault" || !word.starts_with("-");
    if (!known && !word.starts_with("--vault="))
      return fail(ErrorCode::usage, "unknown option '" + word + "'", "'loci help' lists what there is");
  }
  const bool asked = contains(words, "--help") || contains(words, "-h");
  if (asked) {
    out.write(overview_text());
    return 0;
  }
  return fail(ErrorCode::usage, "which command?", "'loci help' lists them");
}

Result<int> run(std::span<const std::string> words, Output& out, const Environment& environment, FileSystem& files,
                const Clock& clock, bool& is_change) {
  const size_t position = position_of_command(words);
  if (position == words.size()) return run_without_command(words, out);
  const auto command = TRY(command_named(words[position]));
  std::vector<std::string> rest(words.begin(), words.end());
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(position));
  if (contains(rest, "--help") || contains(rest, "-h")) {
    out.write(help_text(*command));
    return 0;
  }
  const auto options = options_of(*command);
  const auto arguments = parse_arguments(rest, options, command->positionals);
  if (!arguments) {
    Error error = arguments.error();
    if (error.hint.empty()) error.hint = "usage: " + usage_line(*command);
    return std::unexpected(std::move(error));
  }
  is_change = std::ranges::find(changes, command) != std::end(changes);
  Invocation invocation{*arguments, out, environment, files, clock};
  return command->run(invocation);
}

}  // namespace

std::span<const Command* const> all_commands() { return table; }

bool takes_signals_itself(std::span<const std::string> words) {
  const Command* command = command_in(words);
  return command == &daemon_command || command == &panel_command;
}

const Command* find_command(std::string_view name) {
  const auto found = std::ranges::find(table, name, &Command::name);
  return found == std::end(table) ? nullptr : *found;
}

std::vector<OptionSpec> options_of(const Command& command) {
  std::vector<OptionSpec> options(command.options.begin(), command.options.end());
  options.insert(options.end(), std::begin(global_options), std::end(global_options));
  return options;
}

int run_command_line(std::span<const std::string> words, const Environment& environment, FileSystem& files, const Clock& clock) {
  Output out(Output::detect(contains(words, "--json"), environment.no_color));
  bool is_change = false;
  const auto status = within_memory("do that", [&] { return run(words, out, environment, files, clock, is_change); });
  if (!status) out.error(status.error());
  const bool printed = out.flush();
  out.clear_progress();
  const int exit_status = status ? *status : static_cast<int>(status.error().code);
  if (const Command* command = command_in(words); command && command->fails_open) return 0;
  if (printed || exit_status != 0) return exit_status;
  if (!is_change) return 1;
  out.warn("it is done, but what came of it could not be printed: there is no need to repeat it");
  return 0;
}

}  // namespace loci::cli
