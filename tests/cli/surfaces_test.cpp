// Command line, HTTP and MCP offer the same: what one of them takes, all take.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "cli/commands.h"
#include "operations/schema.h"
#include "operations/table.h"

namespace loci::cli {
namespace {

// An option that says how a command prints, or one that every command has.
bool is_of_printing(const OptionSpec& option) {
  return option.name == "--jsonl" || std::ranges::any_of(global_options, [&](const auto& one) { return one.name == option.name; });
}

// Words behind a command, not options; and what a daemon's caller waits.
bool is_no_option(const Parameter& parameter) {
  constexpr std::string_view names[] = {"--q", "--id", "--timeout"};
  return std::ranges::find(names, parameter.name) != std::end(names);
}

TEST(Surfaces, ACommandHasTheOptionsOfItsOperation) {
  size_t compared = 0;
  for (const MemoryOperation* operation : all_operations()) {
    const Command* command = find_command(operation->name);
    if (!command || command->options.empty()) continue;  // one that takes JSON, or is told apart by words
    const std::set<std::string_view> only_here = {"--seen",    "--purge",   "--yes", "--dry-run", "--explain",
                                                  "--rebuild", "--abandon", "--to",  "--private"};
    std::set<std::string_view> of_table, of_command;
    for (const Parameter& parameter : operation->parameters)
      if (!is_no_option(parameter)) of_table.insert(parameter.name);
    for (const OptionSpec& option : command->options)
      if (!is_of_printing(option) && (!only_here.contains(option.name) || of_table.contains(option.name)))
        of_command.insert(option.name);
    if (command->name == "session") continue;  // `session ID` and `session end ID`
    EXPECT_EQ(of_command, of_table) << operation->name;
    ++compared;
  }
  EXPECT_GE(compared, 11U);
}

TEST(Surfaces, AToolTakesEverythingButWhatOnlyAPersonMayGive) {
  for (const MemoryOperation* operation : all_operations()) {
    if (operation->tool.empty()) continue;
    const Json schema = input_schema_of(*operation);
    for (const Parameter& parameter : operation->parameters) {
      const Json* properties = schema.find("properties");
      const bool is_offered = properties && properties->find(parameter.json_key());
      EXPECT_EQ(is_offered, !parameter.only_person) << operation->tool << " " << parameter.name;
    }
  }
}

}  // namespace
}  // namespace loci::cli
