#include "cli/completion_parts.h"
#include "cli/completion_shells.h"

namespace loci::cli {
namespace {

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

}  // namespace

std::string bash_completion() {
  std::string out =
      "# bash completion for loci; made by 'loci completion bash'\n"
      // What a value is about stands behind a tab: shown as long as there are several.
      "_loci_values() {\n"
      "  mapfile -t COMPREPLY < <(loci ${vault:+--vault \"$vault\"} __complete \"$1\" \"$word\" 2>/dev/null)\n"
      "  if ((${#COMPREPLY[@]} == 1)); then COMPREPLY=(\"${COMPREPLY[0]%%$'\\t'*}\"); fi\n"
      "  COMPREPLY=(\"${COMPREPLY[@]/$'\\t'/  }\")\n"
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

}  // namespace loci::cli
