#include "cli/completion_parts.h"

#include <functional>

#include "cli/commands.h"

namespace loci::cli {
namespace {

// With spaces between them.
template <typename Range, typename Projection = std::identity>
std::string joined(const Range& range, Projection word_of = {}) {
  std::string out;
  for (const auto& element : range) out += (out.empty() ? "" : " ") + std::string(std::invoke(word_of, element));
  return out;
}

}  // namespace

std::vector<const Command*> visible_commands() {
  std::vector<const Command*> commands;
  for (const Command* command : all_commands())
    if (!command->hidden) commands.push_back(command);
  return commands;
}

Origin origin_of(ValueKind kind) {
  switch (kind) {
    case ValueKind::entry_id:
    case ValueKind::ended_id:
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
    case ValueKind::ended_id:
      return "ended";
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

std::string option_names(const Command& command) { return joined(options_of(command), &OptionSpec::name); }

std::string command_names() { return joined(visible_commands(), &Command::name); }

std::string words_of(ValueKind kind) { return kind == ValueKind::command ? command_names() : joined(choices_of(kind)); }

std::string options_with_values(std::string_view separator) {
  std::string out;
  for (const Command* command : visible_commands())
    for (const OptionSpec& option : command->options)
      if (option.kind != ValueKind::none)
        out += "'" + std::string(command->name) + " " + std::string(option.name) + "'" + std::string(separator);
  return out;
}

}  // namespace loci::cli
