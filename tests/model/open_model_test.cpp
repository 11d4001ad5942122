#include "model/open_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/model/asked_model.h"

namespace loci {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

ModelSettings good() {
  ModelSettings settings;
  settings.name = "claude";
  settings.provider = "anthropic";
  settings.model = "claude-sonnet-4-5";
  return settings;
}

Error error_of(const ModelSettings& settings) {
  const auto model = open_model(real_file_system(), settings);
  EXPECT_FALSE(model);
  return model ? Error{} : model.error();
}

TEST(AModel, OpensWithoutAskingAnybody) {
  const auto model = open_model(real_file_system(), good());
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ((*model)->name(), "claude (anthropic, claude-sonnet-4-5)");
}

TEST(SettingsThatAreWrong, AreNamed) {
  auto settings = good();
  settings.provider = "acme";
  EXPECT_EQ(error_of(settings).code, ErrorCode::usage);
  EXPECT_THAT(error_of(settings).message, HasSubstr("[models.claude] provider"));
  settings = good();
  settings.model.clear();
  EXPECT_EQ(error_of(settings).code, ErrorCode::usage);
  settings = good();
  settings.timeout = std::chrono::seconds(0);
  EXPECT_EQ(error_of(settings).code, ErrorCode::usage);
  settings = good();
  settings.base_url = "https://me@host";
  EXPECT_EQ(error_of(settings).code, ErrorCode::usage);
  EXPECT_THAT(error_of(settings).message, HasSubstr("[models.claude] base_url"));
}

TEST(PlainHttpToAnotherMachine, IsRefused) {
  auto settings = good();
  settings.base_url = "http://example.org";
  EXPECT_EQ(error_of(settings).code, ErrorCode::refused);
}

// Asks a server that knows one key, and says how the key came.
std::string key_that_came(ModelSettings settings) {
  const ModelServer server("{}", test_key);
  settings.provider = "openai";
  settings.base_url = server.base_url();
  const auto model = open_model(real_file_system(), settings, quick());
  if (!model) return std::string(name_of(model.error().code));
  static_cast<void>((*model)->ask(a_request(), {}));
  const auto requests = server.requests();
  return requests.empty() ? "no request" : requests[0].text_at("key");
}

std::optional<std::string> right_key(const std::string&) { return test_key; }

TEST(AKey, ComesFromItsFileFirst) {
  const TemporaryFolder folder;
  folder.write("key", std::string(test_key) + "\n");
  auto settings = good();
  settings.key_file = folder / "key";
  settings.key_env = "KEY";
  settings.variable = [](const std::string&) { return std::optional<std::string>("another"); };
  EXPECT_EQ(key_that_came(settings), "right");
  folder.write("key", std::string(test_key) + "\r\n");
  EXPECT_EQ(key_that_came(settings), "right");
}

TEST(AKey, ComesFromItsVariableThen) {
  auto settings = good();
  settings.key_env = "KEY";
  settings.variable = right_key;
  EXPECT_EQ(key_that_came(settings), "right");
}

TEST(AKey, ComesFromACredentialOfTheModelsNameElse) {
  for (const char* name : {"loci-claude", "claude"}) {
    const TemporaryFolder folder;
    folder.write(name, test_key);
    auto settings = good();
    settings.credentials = folder.path();
    EXPECT_EQ(key_that_came(settings), "right") << name;
    settings.key_env = "KEY";
    settings.variable = [](const std::string&) -> std::optional<std::string> { return std::nullopt; };
    EXPECT_EQ(key_that_came(settings), "right") << "the variable is not set";
  }
}

TEST(AKey, IsNotSentIfNoneIsNamed) {
  const TemporaryFolder folder;
  auto settings = good();
  settings.credentials = folder.path();
  settings.variable = right_key;
  EXPECT_EQ(key_that_came(settings), "none");
}

TEST(AKey, ThatIsNamedAndMissingIsRefused) {
  const TemporaryFolder folder;
  auto settings = good();
  settings.key_file = folder / "key";
  EXPECT_EQ(error_of(settings).code, ErrorCode::refused);
  EXPECT_THAT(error_of(settings).message, HasSubstr("key"));
  settings = good();
  settings.key_env = "LOCI_NO_SUCH_KEY";
  settings.variable = [](const std::string&) -> std::optional<std::string> { return std::nullopt; };
  EXPECT_EQ(error_of(settings).code, ErrorCode::refused);
  EXPECT_THAT(error_of(settings).message, HasSubstr("LOCI_NO_SUCH_KEY"));
}

TEST(AKey, ThatNoHeaderCarriesIsRefusedAndNotShown) {
  const TemporaryFolder folder;
  auto settings = good();
  settings.key_file = folder / "key";
  for (const std::string key :
       {"", "\n", "sec ret", "secret\nX-Evil: 1", "secret\n\n", "secret\x01", "secr\xC3\xA9t", "\tsecret"}) {
    folder.write("key", key);
    const Error error = error_of(settings);
    EXPECT_EQ(error.code, ErrorCode::refused) << key;
    EXPECT_THAT(error.message + error.hint, Not(HasSubstr("sec"))) << key;
  }
}

TEST(AKeyFile, ThatIsNoFileIsRefusedAtOnce) {
  const TemporaryFolder folder;
  auto settings = good();
  settings.key_file = folder / "pipe";
  ASSERT_EQ(::mkfifo(settings.key_file.c_str(), 0600), 0);
  EXPECT_EQ(error_of(settings).code, ErrorCode::refused);
  settings.key_file = folder.path();
  EXPECT_EQ(error_of(settings).code, ErrorCode::refused);
}

TEST(AKeyFile, ThatOthersCanReadIsWarnedOf) {
  const TemporaryFolder folder;
  folder.write("key", test_key);
  auto settings = good();
  settings.key_file = folder / "key";
  for (const mode_t mode : {0600, 0640, 0604}) {
    ASSERT_EQ(::chmod(settings.key_file.c_str(), mode), 0);
    ::testing::internal::CaptureStderr();
    EXPECT_TRUE(open_model(real_file_system(), settings));
    const std::string log = ::testing::internal::GetCapturedStderr();
    EXPECT_EQ(log.contains("others can read it"), mode != 0600) << log;
    EXPECT_THAT(log, Not(HasSubstr(test_key)));
  }
}

}  // namespace
}  // namespace loci
