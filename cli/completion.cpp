#include "cli/completion.h"

#include <algorithm>
#include <set>

#include "cli/commands.h"

namespace loci::cli {
namespace {

constexpr size_t most_values = 200;
constexpr size_t entries_looked_at = 2000;  // of the newest: a key press must not read a whole memory

std::vector<const Command*> visible_commands() {
  std::vector<const Command*> commands;
  for (const Command* command : all_commands())
    if (!command->hidden) commands.push_back(command);
  return commands;
}

// Where the values of a kind come from: words, the vault, files, or nowhere.
enum class Origin : std::uint8_t { none, words, vault, files, folders };

Origin origin_of(ValueKind kind) {
  switch (kind) {
    case ValueKind::entry_id:
    case ValueKind::tag:
    case ValueKind::project:
    case ValueKind::session:
    case ValueKind::config_key:
      return Origin::vault;
    case ValueKind::file:
    case ValueKind::utterances:
      return Origin::files;
    case ValueKind::folder:
      return Origin::folders;
    default:
      return choices_of(kind).empty() ? Origin::none : Origin::words;
  }
}

std::string_view vault_word(ValueKind kind) {
  switch (kind) {
    case ValueKind::entry_id:
      return "ids";
    case ValueKind::tag:
      return "tags";
    case ValueKind::project:
      return "projects";
    case ValueKind::session:
      return "sessions";
    case ValueKind::config_key:
      return "settings";
    default:
      return "";
  }
}

template <typename Range>
std::string words(const Range& range) {
  std::string out;
  for (const auto& word : range) out += (out.empty() ? "" : " ") + std::string(word);
  return out;
}

std::string option_names(const Command& command) {
  std::string out;
  for (const OptionSpec& option : options_of(command)) out += (out.empty() ? "" : " ") + std::string(option.name);
  return out;
}

std::string command_names() {
  std::string out;
  for (const Command* command : visible_commands()) out += (out.empty() ? "" : " ") + std::string(command->name);
  return out;
}

// The first positional's kind decides what is offered for the words of a command.
ValueKind first_positional(const Command& command) {
  return command.positionals.empty() ? ValueKind::none : command.positionals.front().kind;
}

std::string bash_action(ValueKind kind) {
  switch (origin_of(kind)) {
    case Origin::words:
      return "COMPREPLY=($(compgen -W '" + words(choices_of(kind)) + "' -- \"$word\"))";
    case Origin::vault:
      return "_loci_values " + std::string(vault_word(kind));
    case Origin::files:
      return "COMPREPLY=($(compgen -f -- \"$word\"))";
    case Origin::folders:
      return "COMPREPLY=($(compgen -d -- \"$word\"))";
    case Origin::none:
      break;
  }
  return "COMPREPLY=()";
}

std::string bash_script() {
  std::string out =
      "# bash completion for loci; made by 'loci completion bash'\n"
      "_loci_values() {\n"
      "  local IFS=$'\\n'\n"
      "  COMPREPLY=($(loci ${vault:+--vault \"$vault\"} __complete \"$1\" \"$word\" 2>/dev/null))\n"
      "}\n\n"
      "_loci() {\n"
      "  local word=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\" command= vault= i\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    case \"${COMP_WORDS[i]}\" in\n"
      "      --vault) vault=\"${COMP_WORDS[++i]}\" ;;\n"
      "      -*) ;;\n"
      "      *) command=\"${COMP_WORDS[i]}\"; break ;;\n"
      "    esac\n"
      "  done\n"
      "  case \"$command $previous\" in\n"
      "    *' --vault') " +
      bash_action(ValueKind::folder) + "; return ;;\n";
  for (const Command* command : visible_commands())
    for (const OptionSpec& option : command->options)
      if (option.kind != ValueKind::none)
        out += "    '" + std::string(command->name) + " " + std::string(option.name) + "') " + bash_action(option.kind) +
               "; return ;;\n";
  out += "  esac\n  case \"$command\" in\n    '') COMPREPLY=($(compgen -W '" + command_names() +
         " --vault --json --help --version' -- \"$word\")) ;;\n";
  for (const Command* command : visible_commands()) {
    const std::string action = command->name == "help" ? "COMPREPLY=($(compgen -W '" + command_names() + "' -- \"$word\"))"
                                                       : bash_action(first_positional(*command));
    out += "    " + std::string(command->name) + ")\n      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '" +
           option_names(*command) + "' -- \"$word\"))\n      else " + action + "; fi ;;\n";
  }
  out += "  esac\n}\ncomplete -F _loci loci\n";
  return out;
}

// Inside '…' of zsh and fish, and without what zsh's _arguments reads as a mark.
std::string quoted_help(std::string_view text, bool zsh) {
  std::string out;
  for (const char c : text) {
    if (zsh && (c == '[' || c == ']' || c == ':')) out += '\\';
    if (c == '\'') {
      out += zsh ? "'\\''" : "\\'";
      continue;
    }
    out += c;
  }
  return out;
}

std::string zsh_action(ValueKind kind) {
  switch (origin_of(kind)) {
    case Origin::words:
      return "(" + words(choices_of(kind)) + ")";
    case Origin::vault:
      return "_loci_values " + std::string(vault_word(kind));
    case Origin::files:
      return "_files";
    case Origin::folders:
      return "_files -/";
    case Origin::none:
      break;
  }
  return " ";
}

std::string zsh_option(const OptionSpec& option) {
  std::string out = "      '" + std::string(option.many ? "*" : "") + std::string(option.name);
  out += "[" + quoted_help(option.help, true) + "]";
  if (option.kind != ValueKind::none) out += ":" + std::string(option.value) + ":" + zsh_action(option.kind);
  return out + "'";
}

std::string zsh_script() {
  std::string out =
      "#compdef loci\n"
      "# zsh completion for loci; made by 'loci completion zsh'\n"
      "_loci_values() {\n"
      "  local -a values\n"
      "  values=(${(f)\"$(loci ${opt_args[--vault]:+--vault ${opt_args[--vault]}} __complete $1 \"$PREFIX\" 2>/dev/null)\"})\n"
      "  compadd -a values\n"
      "}\n\n"
      "_loci() {\n"
      "  local -a commands\n"
      "  commands=(\n";
  for (const Command* command : visible_commands())
    out += "    '" + std::string(command->name) + ":" + quoted_help(command->summary, true) + "'\n";
  out +=
      "  )\n"
      "  local context state line\n"
      "  typeset -A opt_args\n"
      "  _arguments -C \\\n"
      "    '--vault[the vault to use]:DIR:_files -/' '--json[print one JSON value]' \\\n"
      "    '--help[say what there is]' '--version[print the version]' \\\n"
      "    '1:command:->command' '*::argument:->argument'\n"
      "  case $state in\n"
      "    command) _describe command commands ;;\n"
      "    argument) case $line[1] in\n";
  for (const Command* command : visible_commands()) {
    out += "    " + std::string(command->name) + ") _arguments \\\n";
    for (const OptionSpec& option : options_of(*command)) out += zsh_option(option) + " \\\n";
    const std::string action = command->name == "help" ? "(" + command_names() + ")" : zsh_action(first_positional(*command));
    out += "      '*:argument:" + action + "' ;;\n";
  }
  out +=
      "    esac ;;\n  esac\n}\n\nif [[ $zsh_eval_context[-1] == loadautofunc ]]; then _loci \"$@\"; else compdef _loci loci; fi\n";
  return out;
}

std::string fish_values(ValueKind kind) {
  switch (origin_of(kind)) {
    case Origin::words:
      return " -x -a '" + words(choices_of(kind)) + "'";
    case Origin::vault:
      return " -x -a '(loci __complete " + std::string(vault_word(kind)) + " (commandline -ct) 2>/dev/null)'";
    case Origin::files:
      return " -r -F";
    case Origin::folders:
      return " -x -a '(__fish_complete_directories)'";
    case Origin::none:
      break;
  }
  return " -x";
}

std::string fish_script() {
  std::string out = "# fish completion for loci; made by 'loci completion fish'\ncomplete -c loci -f\n";
  for (const OptionSpec& option : global_options)
    out += "complete -c loci -l " + std::string(option.name.substr(2)) + " -d '" + quoted_help(option.help, false) + "'" +
           (option.kind == ValueKind::none ? "" : fish_values(option.kind)) + "\n";
  out += "complete -c loci -n __fish_use_subcommand -l version -d 'print the version'\n";
  for (const Command* command : visible_commands()) {
    const std::string name(command->name);
    const std::string after = "complete -c loci -n '__fish_seen_subcommand_from " + name + "'";
    out += "complete -c loci -n __fish_use_subcommand -a " + name + " -d '" + quoted_help(command->summary, false) + "'\n";
    for (const OptionSpec& option : command->options)
      out += after + " -l " + std::string(option.name.substr(2)) + " -d '" + quoted_help(option.help, false) + "'" +
             (option.kind == ValueKind::none ? "" : fish_values(option.kind)) + "\n";
    if (command->name == "help")
      out += after + " -x -a '" + command_names() + "'\n";
    else if (origin_of(first_positional(*command)) != Origin::none)
      out += after + fish_values(first_positional(*command)) + "\n";
  }
  return out;
}

void add_if(std::vector<std::string>& values, std::set<std::string>& seen, const std::string& value, std::string_view prefix) {
  if (!value.empty() && value.starts_with(prefix) && values.size() < most_values && seen.insert(value).second)
    values.push_back(value);
}

}  // namespace

std::string completion_script(std::string_view shell) {
  if (shell == "zsh") return zsh_script();
  if (shell == "fish") return fish_script();
  return bash_script();
}

std::vector<std::string> completion_values(Memory& memory, std::string_view what, std::string_view prefix) {
  std::vector<std::string> values;
  std::set<std::string> seen;
  if (what == "settings") {
    for (const Setting& setting : memory.vault().loaded_config().settings) add_if(values, seen, setting.key, prefix);
    return values;
  }
  auto reader = memory.reader();
  if (!reader) return values;
  if (what == "sessions") {
    if (const auto sessions = (*reader)->sessions(entries_looked_at))
      for (const SessionSummary& session : *sessions) add_if(values, seen, session.id, prefix);
    return values;
  }
  if (what == "ids" && !prefix.empty()) {
    if (const auto entries = (*reader)->find(prefix, most_values))
      for (const Entry& entry : *entries) add_if(values, seen, entry.id, prefix);
    return values;
  }
  const auto entries = (*reader)->recent(EntryFilter{}, entries_looked_at);
  if (!entries) return values;
  for (const Entry& entry : *entries) {
    if (what == "ids") add_if(values, seen, entry.id, prefix);
    if (what == "projects") add_if(values, seen, entry.project, prefix);
    if (what == "tags")
      for (const std::string& tag : entry.tags) add_if(values, seen, tag, prefix);
  }
  return values;
}

}  // namespace loci::cli
