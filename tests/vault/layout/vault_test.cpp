#include "vault/layout/vault.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/support/manual_clock.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_environment.h"
#include "vault/layout/socket_path.h"

namespace loci {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class VaultTest : public testing::Test {
 protected:
  VaultTest() : environment_(environment_in(folder_)) {}

  Result<Vault> open(const path& root) { return Vault::open(root, environment_, real_file_system(), clock_); }
  Result<path> find(const std::string& from_command_line = "") {
    return find_vault(environment_, real_file_system(), from_command_line);
  }

  TemporaryFolder folder_;
  ManualClock clock_;
  Environment environment_;
};

TEST_F(VaultTest, AnyFolderIsAVaultAndOpeningItWritesNothing) {
  folder_.write("notes/a.md", "text\n");
  const auto before = folder_.contents();
  const auto vault = open(folder_ / "notes");
  ASSERT_TRUE(vault) << vault.error().message;
  EXPECT_EQ(vault->root(), folder_ / "notes");
  EXPECT_EQ(vault->host(), "test");
  EXPECT_EQ(vault->state_folder(), environment_.state_home / "loci" / vault->id());
  EXPECT_EQ(folder_.contents(), before);
  EXPECT_FALSE(folder_.has("notes/.loci"));
  EXPECT_FALSE(folder_.has("home"));
}

TEST_F(VaultTest, TheIdComesFromTheCanonicalPath) {
  folder_.write("a/x.md", "");
  folder_.write("b/x.md", "");
  fs::create_symlink("a", folder_ / "link");
  const std::string id = open(folder_ / "a")->id();
  EXPECT_EQ(id.size(), 16u);
  EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_EQ(open(folder_ / "link")->id(), id);
  EXPECT_EQ(open(folder_ / "b/../a/")->id(), id);
  EXPECT_NE(open(folder_ / "b")->id(), id);
}

TEST_F(VaultTest, APathThatIsNoFolderIsNotFound) {
  folder_.write("file.md", "");
  for (const char* name : {"none", "file.md"}) {
    const auto vault = open(folder_ / name);
    ASSERT_FALSE(vault);
    EXPECT_EQ(vault.error().code, ErrorCode::not_found);
    EXPECT_THAT(vault.error().message, HasSubstr((folder_ / name).string()));
    EXPECT_THAT(vault.error().hint, HasSubstr("loci init"));
  }
}

TEST_F(VaultTest, ABrokenUserConfigurationIsWrongUsageAndABrokenOneOfTheVaultIsNot) {
  folder_.write("v/.loci/config.toml", "broken");
  const auto vault = open(folder_ / "v");
  ASSERT_TRUE(vault);
  EXPECT_EQ(vault->loaded_config().warnings.size(), 1u);
  folder_.write("home/.config/loci/config.toml", "broken");
  EXPECT_EQ(open(folder_ / "v").error().code, ErrorCode::usage);
}

TEST_F(VaultTest, TheCommandLineComesBeforeTheEnvironmentTheFoldersAboveAndTheDefault) {
  for (const char* name : {"flag", "variable", "above/.loci", "above/deep/down", "default", "elsewhere"})
    fs::create_directories(folder_ / name);
  folder_.write("home/.config/loci/config.toml", "default_vault = \"" + (folder_ / "default").string() + "\"\n");
  environment_.working_folder = folder_ / "above/deep/down";
  environment_.vault = "../../../variable";
  EXPECT_EQ(fs::canonical(find("../../../flag").value()), folder_ / "flag");
  EXPECT_EQ(find((folder_ / "flag").string()).value(), folder_ / "flag");
  EXPECT_EQ(fs::canonical(find().value()), folder_ / "variable");
  environment_.vault = "";
  EXPECT_EQ(find().value(), folder_ / "above");
  environment_.working_folder = folder_ / "elsewhere";
  EXPECT_EQ(find().value(), folder_ / "default");
}

TEST_F(VaultTest, WhatWasNamedAndIsNotThereIsNeverReplacedBySomethingElse) {
  fs::create_directories(folder_ / "above/.loci");
  environment_.working_folder = folder_ / "above";
  EXPECT_EQ(find("none").error().code, ErrorCode::not_found);
  environment_.vault = "none";
  EXPECT_EQ(find().error().code, ErrorCode::not_found);
  EXPECT_THAT(find().error().message, HasSubstr("LOCI_VAULT"));
}

TEST_F(VaultTest, WithoutAnyVaultTheErrorSaysHowToMakeOne) {
  const auto none = find();
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::not_found);
  EXPECT_THAT(none.error().hint, HasSubstr("loci init"));
  folder_.write("home/.config/loci/config.toml", "default_vault = '/does/not/exist'\n");
  EXPECT_THAT(find().error().message, HasSubstr("/does/not/exist"));
  EXPECT_THAT(find().error().message, HasSubstr("default_vault"));
}

class VaultOfAnAgent : public VaultTest {
 protected:
  void configure(const std::string& toml) { folder_.write("home/.config/loci/config.toml", toml); }
  std::optional<path> find_from(const std::string& folder, const std::string& from_command_line = "") {
    const auto found = find_vault_of_agent(environment_, real_file_system(), folder_ / folder, from_command_line);
    EXPECT_TRUE(found) << found.error().message;
    return found.value_or(std::nullopt);
  }
};

TEST_F(VaultOfAnAgent, TheLongestFolderAroundTheAgentsDecides) {
  for (const char* name : {"home/work/loom/src", "home/workshop", "home/play", "team", "loom", "own"})
    fs::create_directories(folder_ / name);
  fs::create_symlink(folder_ / "home/work/loom", folder_ / "link");
  configure("[agents.vaults]\n\"~/work\" = \"" + (folder_ / "team").string() + "\"\n\"~/work/loom/\" = \"" +
            (folder_ / "loom").string() + "\"\n\"~/play\" = \"off\"\n");
  EXPECT_EQ(find_from("home/work", (folder_ / "own").string()), folder_ / "team");
  EXPECT_EQ(find_from("home/work/loom/src"), folder_ / "loom");
  EXPECT_EQ(find_from("link/src"), folder_ / "loom");
  EXPECT_EQ(find_from("home/play", (folder_ / "own").string()), std::nullopt);
  EXPECT_EQ(find_from("home/workshop", (folder_ / "own").string()), folder_ / "own");
  EXPECT_EQ(find_from("home/workshop"), std::nullopt);
}

TEST_F(VaultOfAnAgent, AFolderAboveAndAVariableAreNoMemoryOfAnAgents) {
  fs::create_directories(folder_ / "clone/.loci");
  fs::create_directories(folder_ / "own");
  environment_.vault = (folder_ / "clone").string();
  EXPECT_EQ(find_from("clone"), std::nullopt);
  configure("default_vault = \"" + (folder_ / "own").string() + "\"\n");
  EXPECT_EQ(find_from("clone"), folder_ / "own");
}

TEST(SocketPath, WhoListensIsToldFromTheKernelsTable) {
  EXPECT_EQ(listening_sockets("Num       RefCount Protocol Flags    Type St Inode Path\n"
                              "0000000000000000: 00000002 00000000 00010000 0001 01 21634 /run/user/1000/loci/abc.sock\n"
                              "0000000000000000: 00000003 00000000 00000000 0001 03 21635 /run/connected\n"
                              "0000000000000000: 00000002 00000000 00010000 0001 01 21636 @/abstract\n"
                              "0000000000000000: 00000002 00000000 00010000 0001 01 21637\n"
                              "0000000000000000: 00000002 00000000 00010000 0001 01 21638 /with a blank/loci/x.sock"),
            (std::vector<path>{"/run/user/1000/loci/abc.sock", "@/abstract", "/with a blank/loci/x.sock"}));
}

TEST(EnvironmentTest, TheFoldersFollowTheXdgRules) {
  ::setenv("HOME", "/home/anna", 1);
  ::setenv("XDG_CONFIG_HOME", "relative/does/not/count", 1);
  ::setenv("XDG_STATE_HOME", "/state", 1);
  ::unsetenv("XDG_RUNTIME_DIR");
  ::unsetenv("VISUAL");
  ::setenv("EDITOR", "vi", 1);
  ::setenv("LOCI_VAULT", "/v", 1);
  const Environment environment = Environment::from_process();
  EXPECT_EQ(environment.home, "/home/anna");
  EXPECT_EQ(environment.config_home, "/home/anna/.config");
  EXPECT_EQ(environment.state_home, "/state");
  EXPECT_EQ(environment.runtime, "");
  EXPECT_EQ(environment.editor, "vi");
  EXPECT_EQ(environment.vault, "/v");
  EXPECT_EQ(environment.working_folder, fs::current_path());
}

TEST(EnvironmentTest, ARelativeFolderCountsAsUnset) {
  for (const char* name : {"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"}) ::setenv(name, "relative/folder", 1);
  const Environment environment = Environment::from_process();
  EXPECT_TRUE(environment.home.is_absolute()) << environment.home;
  EXPECT_EQ(environment.config_home, environment.home / ".config");
  EXPECT_EQ(environment.state_home, environment.home / ".local/state");
  EXPECT_EQ(environment.runtime, "");
  ::unsetenv("XDG_RUNTIME_DIR");
}

}  // namespace
}  // namespace loci
