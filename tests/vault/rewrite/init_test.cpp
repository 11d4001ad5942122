#include "vault/rewrite/init.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "parser/core_file.h"
#include "parser/parser.h"
#include "parser/prompt_text.h"
#include "tests/support/faulty_file_system.h"
#include "tests/support/manual_clock.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_environment.h"
#include "vault/archive/append.h"
#include "vault/layout/host.h"
#include "vault/rewrite/user_file.h"

namespace loci {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class InitTest : public testing::Test {
 protected:
  Result<InitResult> init(FileSystem& files = real_file_system(), const std::string& host = "home") {
    return init_vault(folder_ / "new/vault", environment_in(folder_, host), files, clock_);
  }
  Vault vault(const std::string& host = "home") {
    return *Vault::open(folder_ / "new/vault", environment_in(folder_, host), real_file_system(), clock_);
  }

  TemporaryFolder folder_;
  ManualClock clock_;
};

TEST(VaultTemplate, HoldsNoMemoryAndNoProblem) {
  for (const TemplateFile& file : vault_template()) {
    if (!file.name.ends_with(".md")) continue;
    const ParsedFile parsed = parse(file.bytes);
    EXPECT_THAT(parsed.entries, IsEmpty()) << file.name;
    EXPECT_THAT(parsed.problems, IsEmpty()) << file.name;
    EXPECT_EQ(parsed.open_end, OpenEnd::none) << file.name;
    EXPECT_EQ(prompt_text(file.bytes), "") << file.name;
  }
}

TEST_F(InitTest, LaysDownTheTemplateForItsOwnerAlone) {
  const auto result = init();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_THAT(result->made, UnorderedElementsAre("MEMORY.md", "user.md", "consolidated/memory.md", ".loci/config.toml",
                                                 ".gitignore", ".gitattributes"));
  EXPECT_THAT(result->existed, IsEmpty());
  for (const auto& item : std::filesystem::recursive_directory_iterator(folder_ / "new")) {
    const auto others = std::filesystem::perms::group_all | std::filesystem::perms::others_all;
    EXPECT_EQ(item.status().permissions() & others, std::filesystem::perms::none) << item.path();
  }
  EXPECT_TRUE(std::filesystem::is_directory(folder_ / "new/vault/archive"));
}

TEST_F(InitTest, TheFirstHostIsPrimaryAndTheSettingsAreTheDefaults) {
  ASSERT_TRUE(init());
  EXPECT_TRUE(is_first_host(vault()));
  EXPECT_EQ(vault().config().primary, "home");
  EXPECT_THAT(vault().loaded_config().warnings, IsEmpty());
  const auto settings = vault().loaded_config().settings;
  for (const Setting& setting : settings) EXPECT_EQ(setting.origin == "default", setting.key != "vault.primary") << setting.key;
}

// What the comments of the file call a default is one.
TEST_F(InitTest, EverySettingThatIsShownHasItsDefault) {
  ASSERT_TRUE(init());
  const auto before = vault().loaded_config().settings;
  std::string text = folder_.read("new/vault/.loci/config.toml");
  for (size_t at = text.find("\n# "); at != std::string::npos; at = text.find("\n# ", at + 1)) {
    const size_t name_end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", at + 3);
    if (text.compare(name_end, 3, " = ") == 0) text.erase(at + 1, 2);
  }
  folder_.write("new/vault/.loci/config.toml", text);
  const auto after = vault().loaded_config();
  EXPECT_THAT(after.warnings, IsEmpty());
  size_t shown = 0;
  for (size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(after.settings.at(i).value, before[i].value) << before[i].key;
    shown += after.settings[i].origin != "default";
  }
  EXPECT_GT(shown, 20U);
}

TEST_F(InitTest, LeavesExistingFilesAsTheyAre) {
  folder_.write("new/vault/user.md", "mine\n");
  folder_.write("new/vault/notes/a.md", "mine too\n");
  const auto result = init();
  ASSERT_TRUE(result);
  EXPECT_THAT(result->existed, UnorderedElementsAre("user.md"));
  EXPECT_EQ(folder_.read("new/vault/user.md"), "mine\n");
  const auto before = folder_.contents("new");
  const auto again = init();
  ASSERT_TRUE(again);
  EXPECT_THAT(again->made, IsEmpty());
  EXPECT_EQ(folder_.contents("new"), before);
}

TEST_F(InitTest, ASecondMachineJoinsAndChangesNothing) {
  ASSERT_TRUE(init());
  const auto result = init(real_file_system(), "work");
  ASSERT_TRUE(result);
  EXPECT_THAT(result->made, IsEmpty());
  EXPECT_FALSE(is_first_host(vault("work")));
  EXPECT_EQ(vault("work").config().primary, "home");
}

TEST_F(InitTest, AnInterruptedInitIsFinishedByTheNext) {
  FaultyFileSystem files;
  ASSERT_TRUE(init(files));
  const size_t calls = files.calls().size();
  const auto whole = folder_.contents("new");
  const auto expect_whole = [&](size_t number) {
    for (const auto& [name, bytes] : whole) EXPECT_EQ(folder_.read(name), bytes) << number;
  };
  size_t failed = 0;
  for (size_t number = 0; number < calls; number += 5) {
    for (const char* made : {"new", "home/.local/state"}) std::filesystem::remove_all(folder_ / made);
    files.fail_from(number, EIO);
    if (init(files))
      expect_whole(number);  // what failed is noted in the state folder, and nobody's memory
    else
      ++failed;
    ASSERT_TRUE(init()) << number;
    expect_whole(number);
  }
  EXPECT_GT(failed, calls / 10);
}

TEST_F(InitTest, ANewVaultTakesEntriesAndAddsNothingToAPrompt) {
  ASSERT_TRUE(init());
  EXPECT_EQ(user_file_use(vault())->used, 0U);
  EXPECT_EQ(core_injection(folder_.read("new/vault/MEMORY.md")).text, "");
  EXPECT_TRUE(read_core(folder_.read("new/vault/MEMORY.md")));
  const auto appended = append_entries(vault(), {{.metadata = {}, .text = "first"}});
  ASSERT_TRUE(appended);
  EXPECT_EQ(appended->at(0).file, "archive/2026-11-21.md");
  Metadata metadata;
  metadata.id = "one";
  ASSERT_TRUE(add_to_user_file(vault(), metadata, "Plumber.", "Work"));
  EXPECT_EQ(user_file_use(vault())->injected, "# User\n## Work\nPlumber.");
}

}  // namespace
}  // namespace loci
