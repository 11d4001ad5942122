#include "cli/completion.h"

#include <algorithm>

#include "cli/commands.h"

namespace loci::cli {
namespace {

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
    case ValueKind::task:
    case ValueKind::run:
    case ValueKind::config_key:
      return Origin::vault;
    case ValueKind::file:
    case ValueKind::utterances:
      return Origin::files;
    case ValueKind::folder:
      return Origin::folders;
    case ValueKind::command:
      return Origin::words;
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
    case ValueKind::task:
      return "tasks";
    case ValueKind::run:
      return "runs";
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

std::string words_of(ValueKind kind) { return kind == ValueKind::command ? command_names() : words(choices_of(kind)); }

// "'add --tag' 'add --project' …": the options that the next word belongs to, so that it is none of the command's own words.
std::string options_with_values(std::string_view separator) {
  std::string out;
  for (const Command* command : visible_commands())
    for (const OptionSpec& option : command->options)
      if (option.kind != ValueKind::none)
        out += "'" + std::string(command->name) + " " + std::string(option.name) + "'" + std::string(separator);
  return out;
}

std::string bash_action(ValueKind kind) {
  switch (origin_of(kind)) {
    case Origin::words:
      return "COMPREPLY=($(compgen -W '" + words_of(kind) + "' -- \"$word\"))";
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

// What is offered for each of a command's own words.
std::string bash_words(const Command& command) {
  if (command.positionals.empty()) return "COMPREPLY=()";
  std::string out = "case $at in ";
  int at = 1;
  for (const PositionalSpec& positional : command.positionals) {
    out += (positional.many ? "*" : std::to_string(at)) + ") " + bash_action(positional.kind) + " ;; ";
    ++at;
  }
  return out + "esac";
}

std::string bash_script() {
  std::string out =
      "# bash completion for loci; made by 'loci completion bash'\n"
      "_loci_values() {\n"
      "  local IFS=$'\\n'\n"
      "  COMPREPLY=($(loci ${vault:+--vault \"$vault\"} __complete \"$1\" \"$word\" 2>/dev/null))\n"
      "}\n\n"
      "_loci_takes_value() {\n"
      "  case \"$1\" in " +
      options_with_values("|") +
      "*' --vault') return 0 ;; esac\n"
      "  return 1\n"
      "}\n\n"
      "_loci() {\n"
      "  local word=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\" command= vault= at=1 i\n"
      "  COMPREPLY=()\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    case \"${COMP_WORDS[i]}\" in\n"
      "      --vault) vault=\"${COMP_WORDS[++i]}\" ;;\n"
      "      -*) ;;\n"
      "      *) command=\"${COMP_WORDS[i]}\"; break ;;\n"
      "    esac\n"
      "  done\n"
      "  for ((i++; i < COMP_CWORD; i++)); do\n"
      "    if _loci_takes_value \"$command ${COMP_WORDS[i]}\"; then ((i++)); elif [[ ${COMP_WORDS[i]} != -* ]]; then ((at++)); fi\n"
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
  for (const Command* command : visible_commands())
    out += "    " + std::string(command->name) + ")\n      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '" +
           option_names(*command) + "' -- \"$word\"))\n      else " + bash_words(*command) + "; fi ;;\n";
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
      return "(" + words_of(kind) + ")";
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

std::string zsh_words(const Command& command) {
  if (command.positionals.empty()) return "      '*:argument: '";
  std::string out;
  int at = 1;
  for (const PositionalSpec& positional : command.positionals) {
    out += std::string(out.empty() ? "" : " \\\n") + "      '" + (positional.many ? "*" : std::to_string(at)) +
           ":argument:" + zsh_action(positional.kind) + "'";
    ++at;
  }
  return out;
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
    out += zsh_words(*command) + " ;;\n";
  }
  out +=
      "    esac ;;\n  esac\n}\n\nif [[ $zsh_eval_context[-1] == loadautofunc ]]; then _loci \"$@\"; else compdef _loci loci; fi\n";
  return out;
}

std::string fish_values(ValueKind kind) {
  switch (origin_of(kind)) {
    case Origin::words:
      return " -x -a '" + words_of(kind) + "'";
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

// `__loci_at COMMAND N` succeeds while the Nth of the command's own words is typed, `__loci_at COMMAND N on` also behind it.
std::string fish_functions() {
  return "function __loci_takes_value\n"
         "  switch \"$argv\"\n"
         "    case " +
         options_with_values(" ") +
         "'* --vault'\n"
         "      return 0\n"
         "  end\n"
         "  return 1\n"
         "end\n"
         "function __loci_at -a wanted number on\n"
         "  set -l command ''\n"
         "  set -l at 1\n"
         "  set -l is_value 0\n"
         "  for word in (commandline -opc)[2..-1]\n"
         "    if test $is_value = 1\n"
         "      set is_value 0\n"
         "    else if __loci_takes_value \"$command $word\"\n"
         "      set is_value 1\n"
         "    else if string match -q -- '-*' $word\n"
         "      continue\n"
         "    else if test -z \"$command\"\n"
         "      set command $word\n"
         "    else\n"
         "      set at (math $at + 1)\n"
         "    end\n"
         "  end\n"
         "  test \"$command\" = $wanted; or return 1\n"
         "  test $at -eq $number; or test -n \"$on\" -a $at -gt $number\n"
         "end\n";
}

std::string fish_words(const Command& command) {
  std::string out;
  int at = 1;
  for (const PositionalSpec& positional : command.positionals) {
    if (origin_of(positional.kind) != Origin::none)
      out += "complete -c loci -n '__loci_at " + std::string(command.name) + " " + std::to_string(at) +
             (positional.many ? " on" : "") + "'" + fish_values(positional.kind) + "\n";
    ++at;
  }
  return out;
}

std::string fish_script() {
  std::string out = "# fish completion for loci; made by 'loci completion fish'\n" + fish_functions() + "complete -c loci -f\n";
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
    out += fish_words(*command);
  }
  return out;
}

}  // namespace

std::string completion_script(std::string_view shell) {
  if (shell == "zsh") return zsh_script();
  if (shell == "fish") return fish_script();
  return bash_script();
}

}  // namespace loci::cli
