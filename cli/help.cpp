#include "cli/help.h"

#include <algorithm>

#include "cli/commands.h"

namespace loci::cli {
namespace {

std::string padded(std::string_view text, size_t width) {
  std::string out(text);
  out.resize(std::max(out.size() + 2, width), ' ');
  return out;
}

std::string option_with_value(const OptionSpec& option) {
  std::string out(option.name);
  if (!option.value.empty()) out += " " + std::string(option.value);
  return out;
}

std::string option_line(const OptionSpec& option) {
  std::string help(option.help);
  if (const auto choices = choices_of(option.kind); !choices.empty()) {
    help += ": ";
    for (const std::string_view choice : choices) help += std::string(choice) + (choice == choices.back() ? "" : ", ");
  }
  if (option.many) help += " (may be repeated)";
  return "  " + padded(option_with_value(option), 20) + help + "\n";
}

}  // namespace

std::string usage_line(const Command& command) {
  std::string out = "loci " + std::string(command.name);
  if (!command.options.empty()) out += " [OPTION…]";
  for (const PositionalSpec& positional : command.positionals) {
    const std::string name = std::string(positional.name) + (positional.many ? "…" : "");
    out += positional.required ? " " + name : " [" + name + "]";
  }
  return out;
}

std::string overview_text() {
  std::string out =
      "loci keeps a memory in markdown files that you can edit, and finds things in it.\n\n"
      "usage: loci [--vault DIR] [--json] COMMAND …\n\n";
  for (const Command* command : all_commands())
    if (!command->hidden) out += "  " + padded(command->name, 12) + std::string(command->summary) + "\n";
  out +=
      "\n'loci help COMMAND' says more; 'man loci' says all. Start with 'loci init ~/memory'.\n"
      "Exit status: 0 done, 1 failed, 2 wrong usage, 3 no such vault or entry, 4 the index is locked, 5 refused,\n6 a remote "
      "service failed.\n";
  return out;
}

std::string help_text(const Command& command) {
  std::string out = "usage: " + usage_line(command) + "\n\n" + std::string(command.summary) + ".\n";
  if (!command.details.empty()) out += "\n" + std::string(command.details) + "\n";
  out += "\n";
  for (const OptionSpec& option : options_of(command)) out += option_line(option);
  return out;
}

}  // namespace loci::cli
