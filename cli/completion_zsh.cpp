#include "cli/commands.h"
#include "cli/completion_parts.h"
#include "cli/completion_shells.h"

namespace loci::cli {
namespace {

// Inside '…', and without what _arguments reads as a mark.
std::string quoted(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':') out += '\\';
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
  out += "[" + quoted(option.help) + "]";
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

}  // namespace

std::string zsh_completion() {
  std::string out =
      "#compdef loci\n"
      "# zsh completion for loci; made by 'loci completion zsh'\n"
      "_loci_values() {\n"
      "  local -a lines values\n"
      "  lines=(${(f)\"$(loci ${opt_args[--vault]:+--vault ${opt_args[--vault]}} __complete $1 \"$PREFIX\" 2>/dev/null)\"})\n"
      "  values=(${lines%%$'\\t'*})\n"
      "  if [[ $lines[1] != *$'\\t'* ]]; then compadd -a values; return; fi\n"
      "  lines=(${lines/$'\\t'/  })\n"
      "  compadd -l -d lines -a values\n"
      "}\n\n"
      "_loci() {\n"
      "  local -a commands\n"
      "  commands=(\n";
  for (const Command* command : visible_commands())
    out += "    '" + std::string(command->name) + ":" + quoted(command->summary) + "'\n";
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

}  // namespace loci::cli
