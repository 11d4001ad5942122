#include "cli/commands.h"

#include <gtest/gtest.h>

#include <set>

#include "cli/completion.h"
#include "cli/help.h"

namespace loci::cli {
namespace {

TEST(Commands, EachHasASummaryAndItsOwnName) {
  std::set<std::string_view> names;
  for (const Command* command : all_commands()) {
    EXPECT_TRUE(names.insert(command->name).second) << command->name;
    EXPECT_FALSE(command->summary.empty()) << command->name;
    EXPECT_FALSE(command->summary.ends_with('.')) << command->name;
    EXPECT_NE(command->run, nullptr) << command->name;
  }
}

TEST(Commands, TheHelpOfEachNamesEveryOption) {
  for (const Command* command : all_commands()) {
    const std::string text = help_text(*command);
    for (const OptionSpec& option : options_of(*command)) EXPECT_NE(text.find(option.name), std::string::npos) << command->name;
  }
}

TEST(Commands, AllAreListedButTheHiddenOnes) {
  const std::string text = overview_text();
  for (const Command* command : all_commands())
    EXPECT_EQ(text.find("  " + std::string(command->name) + " ") != std::string::npos, !command->hidden) << command->name;
}

TEST(Completion, EveryScriptKnowsEveryCommandAndOption) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const std::string script = completion_script(shell);
    for (const Command* command : all_commands()) {
      if (command->hidden) continue;
      EXPECT_NE(script.find(command->name), std::string::npos) << shell << " " << command->name;
      for (const OptionSpec& option : options_of(*command))
        EXPECT_NE(script.find(option.name.substr(2)), std::string::npos) << shell << " " << command->name << " " << option.name;
    }
  }
}

}  // namespace
}  // namespace loci::cli
