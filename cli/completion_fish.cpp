#include "cli/completion_parts.h"
#include "cli/completion_shells.h"

namespace loci::cli {
namespace {

// Inside '…'.
std::string quoted(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') out += '\\';
    out += c;
  }
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

}  // namespace

std::string fish_completion() {
  std::string out = "# fish completion for loci; made by 'loci completion fish'\n" + fish_functions() + "complete -c loci -f\n";
  for (const OptionSpec& option : global_options)
    out += "complete -c loci -l " + std::string(option.name.substr(2)) + " -d '" + quoted(option.help) + "'" +
           (option.kind == ValueKind::none ? "" : fish_values(option.kind)) + "\n";
  out += "complete -c loci -n __fish_use_subcommand -l version -d 'print the version'\n";
  for (const Command* command : visible_commands()) {
    const std::string name(command->name);
    const std::string after = "complete -c loci -n '__fish_seen_subcommand_from " + name + "'";
    out += "complete -c loci -n __fish_use_subcommand -a " + name + " -d '" + quoted(command->summary) + "'\n";
    for (const OptionSpec& option : command->options)
      out += after + " -l " + std::string(option.name.substr(2)) + " -d '" + quoted(option.help) + "'" +
             (option.kind == ValueKind::none ? "" : fish_values(option.kind)) + "\n";
    out += fish_words(*command);
  }
  return out;
}

}  // namespace loci::cli
