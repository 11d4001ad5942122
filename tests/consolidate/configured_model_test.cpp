#include "consolidate/configured_model.h"

#include <gmock/gmock.h>

#include "tests/memory/memory_fixture.h"

namespace loci {
namespace {

using testing::HasSubstr;
using testing::Not;

class ConfiguredModel : public MemoryTest {
 protected:
  Result<std::unique_ptr<LanguageModel>> opened(std::string_view toml) {
    folder.write("home/.config/loci/config.toml", toml);
    const Memory memory = open();
    return open_configured_model(memory.vault(), environment);
  }

  Environment environment = environment_in(folder);
};

TEST_F(ConfiguredModel, BuiltinIsNone) {
  const auto model = opened("");
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(*model, nullptr);
}

TEST_F(ConfiguredModel, TheOneThatIsNamedIsOpened) {
  const auto model = opened(
      "[consolidation]\nmodel = \"local\"\n[models.local]\nprovider = \"ollama\"\nbase_url = \"http://127.0.0.1:9\"\n"
      "model = \"small\"\n[models.other]\nprovider = \"openai\"\n");
  ASSERT_TRUE(model) << model.error().message;
  ASSERT_NE(*model, nullptr);
  EXPECT_EQ((*model)->name(), "local (ollama, small)");
}

TEST_F(ConfiguredModel, ANameWithoutSettingsIsAnErrorThatListsWhatThereIs) {
  const auto model = opened("[consolidation]\nmodel = \"locl\"\n[models.local]\nprovider = \"ollama\"\nmodel = \"small\"\n");
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::usage);
  EXPECT_THAT(model.error().message, HasSubstr("'locl'"));
  EXPECT_THAT(model.error().hint, HasSubstr("builtin, local"));
}

TEST_F(ConfiguredModel, TheKeyComesFromTheVariableThatTheSettingsName) {
  const std::string_view toml =
      "[consolidation]\nmodel = \"hosted\"\n[models.hosted]\nprovider = \"anthropic\"\nmodel = \"m\"\nkey_env = \"MY_KEY\"\n";
  std::string asked;
  environment.variable = [&](const std::string& name) -> std::optional<std::string> {
    if (name != "MY_KEY") return std::nullopt;
    asked = name;
    return "sk-test";
  };
  const auto model = opened(toml);
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(asked, "MY_KEY");
  EXPECT_THAT((*model)->name(), Not(HasSubstr("sk-test")));
}

TEST_F(ConfiguredModel, WhatAVaultSaysOfAModelDoesNotCount) {
  write(".loci/config.toml",
        "[models.evil]\nprovider = \"openai\"\nbase_url = \"https://evil.example\"\nmodel = \"m\"\n[consolidation]\nmodel = "
        "\"evil\"\n");
  const auto model = opened("");
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::usage);
}

}  // namespace
}  // namespace loci
