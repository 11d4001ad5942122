// What each provider is sent, and what it is understood to say: recorded exchanges, without a server.
#include "model/provider.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace loci {
namespace {

ModelRequest request() {
  ModelRequest request;
  request.task = "decide/1";
  request.instructions = "Decide.";
  request.input = "<facts>\n</facts>\n";
  request.schema =
      parse_json(R"({"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false})").value();
  request.max_output_tokens = 8'192;
  return request;
}

Json sent_to(const Provider& provider, bool at_provider = true) { return provider.body(request(), {"small", at_provider}); }

std::map<std::string, std::string> headers_of(const Provider& provider, const std::string& key) {
  std::map<std::string, std::string> out;
  for (const HttpHeader& header : provider.headers(key)) out[header.name] = header.value;
  return out;
}

TEST(OpenAi, GetsAStrictSchema) {
  const std::string schema = to_string(request().schema);
  EXPECT_EQ(
      to_string(sent_to(openai_provider())),
      R"({"model":"small","messages":[{"role":"system","content":"Decide."},{"role":"user","content":"<facts>\n</facts>\n"}],)"
      R"("response_format":{"type":"json_schema","json_schema":{"name":"decide_1","strict":true,"schema":)" +
          schema + R"(}},"max_completion_tokens":8192})");
  EXPECT_EQ(sent_to(openai_provider(), false).count_at("max_tokens"), 8'192u) << "what compatible servers know";
  EXPECT_EQ(headers_of(openai_provider(), "k"), (std::map<std::string, std::string>{{"Authorization", "Bearer k"}}));
  EXPECT_TRUE(headers_of(openai_provider(), "").empty());
}

TEST(Anthropic, GetsASchemaInItsOutputConfig) {
  EXPECT_EQ(to_string(sent_to(anthropic_provider())),
            R"({"model":"small","max_tokens":8192,"system":"Decide.","messages":[{"role":"user","content":"<facts>\n</facts>\n"}],)"
            R"("output_config":{"format":{"type":"json_schema","schema":)" +
                to_string(request().schema) + "}}}");
  EXPECT_EQ(headers_of(anthropic_provider(), "k"),
            (std::map<std::string, std::string>{{"anthropic-version", "2023-06-01"}, {"x-api-key", "k"}}));
  EXPECT_FALSE(headers_of(anthropic_provider(), "").contains("x-api-key"));
}

TEST(Ollama, GetsTheSchemaTwiceAndRoomForAllOfIt) {
  const Json body = sent_to(ollama_provider());
  EXPECT_EQ(*body.find("format"), request().schema);
  EXPECT_THAT(body.find("messages")->as_array()->front().text_at("content"),
              ::testing::AllOf(::testing::StartsWith("Decide."), ::testing::HasSubstr(to_string(request().schema))));
  EXPECT_EQ(*body.find("stream"), Json(false));
  EXPECT_EQ(body.find("options")->count_at("num_ctx"), 16'384u);
  EXPECT_EQ(body.find("options")->count_at("num_predict"), 8'192u);
  EXPECT_EQ(headers_of(ollama_provider(), "k").at("Authorization"), "Bearer k");
}

TEST(Ollama, IsGivenAContextThatGrowsInPowersOfTwo) {
  ModelRequest small = request();
  small.max_output_tokens = 100;
  EXPECT_EQ(ollama_context(small), 4'096);
  small.input = std::string(40'000, 'x');
  EXPECT_EQ(ollama_context(small), 16'384) << "10,000 tokens, and half as many again";
}

struct Case {
  std::string name, answer, text, trouble;
  std::optional<TokenUse> tokens = std::nullopt;
};

void expect_read(const Provider& provider, const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    const auto json = parse_json(one.answer);
    ASSERT_TRUE(json) << one.name;
    const ProviderAnswer answer = provider.read(*json, request());
    EXPECT_EQ(answer.text, one.text) << one.name;
    EXPECT_EQ(answer.trouble, one.trouble) << one.name;
    EXPECT_EQ(answer.tokens, one.tokens) << one.name;
  }
}

TEST(OpenAi, IsUnderstood) {
  expect_read(
      openai_provider(),
      {
          {"whole",
           R"({"id":"chatcmpl-B9M","object":"chat.completion","created":1741569952,"model":"gpt-4.1-2025-04-14","choices":[{"index":0,"message":{"role":"assistant","content":"{\"a\":\"b\"}","refusal":null,"annotations":[]},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":19,"completion_tokens":10,"total_tokens":29},"service_tier":"default"})",
           R"({"a":"b"})", "", TokenUse{19, 10}},
          {"without usage", R"({"choices":[{"message":{"content":"x"},"finish_reason":"stop"}]})", "x", ""},
          {"cut",
           R"({"choices":[{"message":{"content":"{\"a"},"finish_reason":"length"}],"usage":{"prompt_tokens":1,"completion_tokens":2}})",
           "{\"a", "it stopped with 'length'", TokenUse{1, 2}},
          {"filtered", R"({"choices":[{"message":{"content":"x"},"finish_reason":"content_filter"}]})", "x",
           "it stopped with 'content_filter'"},
          {"tools", R"({"choices":[{"message":{"content":null,"tool_calls":[]},"finish_reason":"tool_calls"}]})", "",
           "it stopped with 'tool_calls'"},
          {"refused", R"({"choices":[{"message":{"content":null,"refusal":"I cannot."},"finish_reason":"stop"}]})", "",
           "it refused: I cannot."},
          {"no reason", R"({"choices":[{"message":{"content":"x"},"finish_reason":null}]})", "x",
           "the answer does not say why it ended"},
          {"no text", R"({"choices":[{"message":{"content":null},"finish_reason":"stop"}]})", "", "the answer has no text"},
          {"no message", R"({"choices":[{"finish_reason":"stop"}]})", "", "the answer has no message"},
          {"no choice", R"({"choices":[]})", "", "the answer has no message"},
          {"choices of another type", R"({"choices":{"message":1}})", "", "the answer has no message"},
          {"nothing", "{}", "", "the answer has no message"},
      });
}

TEST(Anthropic, IsUnderstood) {
  expect_read(
      anthropic_provider(),
      {
          {"whole",
           R"({"id":"msg_01","type":"message","role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"text","text":"{\"a\":"},{"type":"text","text":"\"b\"}"}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":12,"cache_creation_input_tokens":100,"cache_read_input_tokens":1000,"output_tokens":6}})",
           R"({"a":"b"})", "", TokenUse{1'112, 6}},
          {"thinking", R"({"content":[{"type":"thinking","thinking":"{}"},{"type":"text","text":"x"}],"stop_reason":"end_turn"})",
           "x", ""},
          {"cut", R"({"content":[{"type":"text","text":"x"}],"stop_reason":"max_tokens"})", "x", "it stopped with 'max_tokens'"},
          {"refused", R"({"content":[{"type":"text","text":"No."}],"stop_reason":"refusal"})", "No.", "it stopped with 'refusal'"},
          {"full", R"({"content":[],"stop_reason":"model_context_window_exceeded"})", "",
           "it stopped with 'model_context_window_exceeded'"},
          {"no reason", R"({"content":[{"type":"text","text":"x"}],"stop_reason":null})", "x",
           "the answer does not say why it ended"},
          {"no text", R"({"content":[],"stop_reason":"end_turn"})", "", "the answer has no text"},
          {"nothing", "{}", "", "the answer has no content"},
      });
}

TEST(Ollama, IsUnderstood) {
  expect_read(
      ollama_provider(),
      {
          {"whole",
           R"({"model":"llama3.2","created_at":"2026-11-22T08:52:19Z","message":{"role":"assistant","content":"{\"a\":\"b\"}"},"done_reason":"stop","done":true,"total_duration":4883583458,"load_duration":1334875,"prompt_eval_count":26,"prompt_eval_duration":342546000,"eval_count":282,"eval_duration":4535599000})",
           R"({"a":"b"})", "", TokenUse{26, 282}},
          {"cut", R"({"message":{"content":"x"},"done":true,"done_reason":"length"})", "x", "it stopped with 'length'"},
          {"not done", R"({"message":{"content":"x"},"done":false,"done_reason":"stop"})", "x",
           "the answer does not say why it ended"},
          {"no reason", R"({"message":{"content":"x"},"done":true})", "x", "the answer does not say why it ended"},
          {"a prompt that did not fit", R"({"message":{"content":"x"},"done":true,"done_reason":"stop","prompt_eval_count":16384})",
           "x", "the prompt did not fit and was cut", TokenUse{16'384, 0}},
          {"only thought", R"({"message":{"content":"","thinking":"hm"},"done":true,"done_reason":"stop"})", "",
           "the answer has no text"},
          {"nothing", "{}", "", "the answer has no message"},
      });
}

TEST(AProvider, IsFoundByItsName) {
  EXPECT_EQ(find_provider("openai"), &openai_provider());
  EXPECT_EQ(find_provider("anthropic"), &anthropic_provider());
  EXPECT_EQ(find_provider("ollama"), &ollama_provider());
  EXPECT_EQ(find_provider("OpenAI"), nullptr);
  EXPECT_EQ(find_provider(""), nullptr);
}

}  // namespace
}  // namespace loci
