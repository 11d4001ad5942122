#include "model/provider.h"

namespace loci {
namespace {

std::vector<HttpHeader> headers(std::string_view key) {
  std::vector<HttpHeader> out = {{"anthropic-version", "2023-06-01"}};
  if (!key.empty()) out.push_back({"x-api-key", std::string(key)});
  return out;
}

Json body(const ModelRequest& request, const ProviderModel& model) {
  return Json::Object{
      {"model", model.name},
      {"max_tokens", request.max_output_tokens},
      {"system", request.instructions},
      {"messages", Json::Array{Json::Object{{"role", "user"}, {"content", request.input}}}},
      {"output_config", Json::Object{{"format", Json::Object{{"type", "json_schema"}, {"schema", request.schema}}}}},
  };
}

// What was read from or written to the provider's cache is input, too, and not in input_tokens.
std::optional<TokenUse> tokens_of(const Json& answer) {
  const Json* usage = answer.find("usage");
  if (usage == nullptr || usage->find("input_tokens") == nullptr) return std::nullopt;
  TokenUse tokens;
  for (const char* key : {"input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"})
    tokens.input += static_cast<std::int64_t>(usage->count_at(key));
  tokens.output = static_cast<std::int64_t>(usage->count_at("output_tokens"));
  return tokens;
}

ProviderAnswer read(const Json& answer, const ModelRequest&) {
  ProviderAnswer out;
  out.tokens = tokens_of(answer);
  const Json* content = answer.find("content");
  if (content == nullptr || content->as_array() == nullptr) return out.trouble = "the answer has no content", out;
  for (const Json& block : *content->as_array())
    if (block.text_at("type") == "text") out.text += block.text_at("text");
  const std::string* reason = answer.string_at("stop_reason");
  if (reason == nullptr)
    out.trouble = "the answer does not say why it ended";
  else if (*reason != "end_turn")
    out.trouble = "it stopped with '" + *reason + "'";
  else if (out.text.empty())
    out.trouble = "the answer has no text";
  return out;
}

}  // namespace

const Provider& anthropic_provider() {
  static const Provider provider{"anthropic", "https://api.anthropic.com", "/v1", "/messages", headers, body, read};
  return provider;
}

}  // namespace loci
