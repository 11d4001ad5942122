#include "model/embedding_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "tests/support/model_server.h"

namespace loci {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::chrono::seconds patience{30};

ModelSettings settings_for(const ModelServer& server, const std::string& provider = "openai", const std::string& key = "") {
  ModelSettings settings;
  settings.name = "embeddings";
  settings.provider = provider;
  settings.base_url = server.base_url();
  settings.model = "small";
  settings.key_env = key.empty() ? "" : "EMBEDDING_KEY";
  settings.variable = [key](const std::string&) { return std::optional(key); };
  return settings;
}

Result<Embedded> embed(const ModelSettings& settings, const std::vector<std::string>& texts,
                       std::chrono::milliseconds limit = patience) {
  auto model = TRY(open_embedding_model(real_file_system(), settings));
  return model->embed(texts, limit, {});
}

float likeness(const std::vector<float>& a, const std::vector<float>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0F);
}

std::string trouble_with(const std::string& fault, std::chrono::milliseconds limit = patience) {
  const auto server = ModelServer::of_embeddings(R"({"fault":")" + fault + "\"}", "sk-right");
  const auto answer = embed(settings_for(server, "openai", "sk-right"), {"a secret plan", "another"}, limit);
  EXPECT_FALSE(answer) << fault;
  if (answer) return {};
  EXPECT_EQ(answer.error().code, ErrorCode::remote) << fault;
  EXPECT_THAT(answer.error().message, HasSubstr("[models.embeddings]"));
  EXPECT_THAT(answer.error().message, Not(HasSubstr("secret")));
  EXPECT_THAT(answer.error().message, Not(HasSubstr("sk-right")));
  return answer.error().message;
}

TEST(TextsThatSayTheSame, GetVectorsThatPointTheSameWay) {
  for (const std::string provider : {"openai", "ollama"}) {
    const auto server = ModelServer::of_embeddings(R"({"synonyms":[["cat","tabby"]]})");
    const auto answer = embed(settings_for(server, provider), {"cat", "tabby", "engine"});
    ASSERT_TRUE(answer) << answer.error().message;
    ASSERT_EQ(answer->vectors.size(), 3U);
    EXPECT_NEAR(likeness(answer->vectors[0], answer->vectors[1]), 1, 1e-4) << provider;
    EXPECT_LT(likeness(answer->vectors[0], answer->vectors[2]), 0.9) << provider;
    EXPECT_EQ(answer->tokens, 3);
  }
}

TEST(AKeyOfTheEmbeddings, GoesIntoTheHeader) {
  const auto server = ModelServer::of_embeddings("{}", "sk-right");
  ASSERT_TRUE(embed(settings_for(server, "openai", "sk-right"), {"text"}));
  EXPECT_EQ(server.requests().back().text_at("key"), "right");
  EXPECT_EQ(server.requests().back().text_at("path"), "/v1/embeddings");
  const auto refused = embed(settings_for(server, "openai", "sk-other"), {"text"});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("401"));
  EXPECT_THAT(refused.error().hint, HasSubstr("key"));
}

TEST(AServerOfEmbeddingsThatIsWrong, IsNotBelieved) {
  for (const char* fault : {"count", "lengths", "zeros", "nan", "large", "prose", "status"}) trouble_with(fault);
  EXPECT_THAT(trouble_with("redirect"), HasSubstr("redirects are not followed"));
  EXPECT_THAT(trouble_with("unauthorized"), HasSubstr("401"));
}

TEST(AServerOfEmbeddingsThatIsSilent, IsWaitedForNoLongerThanWanted) {
  EXPECT_THAT(trouble_with("hang", std::chrono::milliseconds(50)), HasSubstr("no answer within 50 ms"));
}

TEST(SettingsOfEmbeddings, AreChecked) {
  const auto server = ModelServer::of_embeddings();
  auto settings = settings_for(server);
  settings.provider = "anthropic";
  EXPECT_EQ(open_embedding_model(real_file_system(), settings).error().code, ErrorCode::usage);
  settings = settings_for(server);
  settings.model.clear();
  EXPECT_EQ(open_embedding_model(real_file_system(), settings).error().code, ErrorCode::usage);
  settings = settings_for(server);
  settings.base_url = "http://example.org";
  EXPECT_EQ(open_embedding_model(real_file_system(), settings).error().code, ErrorCode::refused);
}

}  // namespace
}  // namespace loci
