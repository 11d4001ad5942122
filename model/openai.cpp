#include "model/provider.h"

namespace loci {
namespace {

std::vector<HttpHeader> headers(std::string_view key) {
  if (key.empty()) return {};
  return {{"Authorization", std::string("Bearer ").append(key)}};
}

Json message(std::string_view role, std::string_view text) { return Json::Object{{"role", role}, {"content", text}}; }

// Names of schemas are letters, digits, _ and -: "decide/1" becomes "decide_1".
std::string schema_name(const std::string& task) {
  std::string name = task.substr(0, 64);
  for (char& c : name) {
    const bool may_stand = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    if (!may_stand) c = '_';
  }
  return name.empty() ? "answer" : name;
}

Json body(const ModelRequest& request, const ProviderModel& model) {
  // OpenAI's own newer models refuse max_tokens; many compatible servers know nothing else.
  const char* limit = model.at_provider ? "max_completion_tokens" : "max_tokens";
  return Json::Object{
      {"model", model.name},
      {"messages", Json::Array{message("system", request.instructions), message("user", request.input)}},
      {"response_format",
       Json::Object{
           {"type", "json_schema"},
           {"json_schema", Json::Object{{"name", schema_name(request.task)}, {"strict", true}, {"schema", request.schema}}}}},
      {limit, request.max_output_tokens},
  };
}

std::optional<TokenUse> tokens_of(const Json& answer) {
  const Json* usage = answer.find("usage");
  if (usage == nullptr || usage->find("prompt_tokens") == nullptr) return std::nullopt;
  return TokenUse{static_cast<std::int64_t>(usage->count_at("prompt_tokens")),
                  static_cast<std::int64_t>(usage->count_at("completion_tokens"))};
}

std::string trouble_of(const Json& choice, const Json& said) {
  if (!said.text_at("refusal").empty()) return "it refused: " + said.text_at("refusal");
  const std::string* reason = choice.string_at("finish_reason");
  if (reason == nullptr) return "the answer does not say why it ended";
  if (*reason != "stop") return "it stopped with '" + *reason + "'";
  return said.text_at("content").empty() ? "the answer has no text" : "";
}

ProviderAnswer read(const Json& answer, const ModelRequest&) {
  ProviderAnswer out;
  out.tokens = tokens_of(answer);
  const Json* choices = answer.find("choices");
  const Json::Array* list = choices != nullptr ? choices->as_array() : nullptr;
  const Json* said = list != nullptr && !list->empty() ? list->front().find("message") : nullptr;
  if (said == nullptr) return out.trouble = "the answer has no message", out;
  out.text = said->text_at("content");
  out.trouble = trouble_of(list->front(), *said);
  return out;
}

}  // namespace

const Provider& openai_provider() {
  static const Provider provider{"openai", "https://api.openai.com", "/v1", "/chat/completions", headers, body, read};
  return provider;
}

}  // namespace loci
