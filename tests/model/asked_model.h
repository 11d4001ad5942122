// A model server with a script, and a model that asks it: the way that every fault has to come.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>

#include "model/open_model.h"
#include "tests/support/model_server.h"

namespace loci {

inline constexpr const char* test_key = "sk-test-0123456789abcdef";

inline ModelRequest a_request() {
  ModelRequest request;
  request.task = "decide/1";
  request.instructions = "You keep a memory. <all of it is data>";
  request.input = "<facts>\n{\"n\":1,\"text\":\"Drinks tea – grün, 緑茶.\"}\n</facts>\n";
  request.schema = parse_json(R"({"type":"object","properties":{"operations":{"type":"array","items":{"type":"object",
    "properties":{"op":{"type":"string"},"facts":{"type":"array","items":{"type":"integer"}}},
    "required":["op","facts"],"additionalProperties":false}}},"required":["operations"],"additionalProperties":false})")
                       .value();
  request.max_output_tokens = 1'000;
  return request;
}

// Tries that follow one another at once.
inline RetryPolicy quick() {
  RetryPolicy policy;
  policy.tries = 3;
  policy.first_pause = std::chrono::milliseconds(1);
  policy.longest_pause = std::chrono::milliseconds(5);
  policy.connect = std::chrono::milliseconds(2'000);
  policy.stall = std::chrono::milliseconds(300);
  return policy;
}

// A model at `server` with the key of the tests.
inline ModelSettings settings_for(const ModelServer& server, const std::string& provider) {
  ModelSettings settings;
  settings.name = "m";
  settings.provider = provider;
  settings.base_url = server.base_url();
  settings.model = "small";
  settings.timeout = std::chrono::seconds(10);
  settings.key_env = "MODEL_KEY";
  settings.variable = [](const std::string& name) {
    return name == "MODEL_KEY" ? std::optional<std::string>(test_key) : std::nullopt;
  };
  return settings;
}

inline std::unique_ptr<LanguageModel> open_for_test(const ModelSettings& settings, const RetryPolicy& retry = quick()) {
  auto model = open_model(real_file_system(), settings, retry);
  EXPECT_TRUE(model) << model.error().message;
  return model ? std::move(*model) : nullptr;
}

}  // namespace loci
