#include "importers/importers.h"

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"
#include "tests/support/test_environment.h"

namespace loci::importers {
namespace {

class UsualPlaces : public testing::Test {
 protected:
  std::optional<path> of(const char* name) const { return found_place(*importer_named(name), environment); }

  TemporaryFolder folder;
  Environment environment = environment_in(folder);
};

TEST_F(UsualPlaces, AreTakenIfTheyAreThere) {
  EXPECT_FALSE(of("openclaw"));
  std::filesystem::create_directories(folder / "home/.openclaw/workspace");
  EXPECT_EQ(of("openclaw"), folder / "home/.openclaw/workspace");
}

TEST_F(UsualPlaces, AreWhereTheProgramsOwnVariableSays) {
  environment.variable = [&](const std::string& name) -> std::optional<std::string> {
    if (name == "OPENCLAW_STATE_DIR") return (folder / "claw").string();
    if (name == "CODEX_HOME") return (folder / "codex").string();
    return std::nullopt;
  };
  for (const char* there : {"home/.openclaw/workspace", "home/.codex", "claw/workspace", "codex"})
    std::filesystem::create_directories(folder / there);
  EXPECT_EQ(of("openclaw"), folder / "claw/workspace");
  EXPECT_EQ(of("codex"), folder / "codex");
}

}  // namespace
}  // namespace loci::importers
