#include <bit>

#include "model/provider.h"
#include "tokens/estimate.h"

namespace loci {
namespace {

std::vector<HttpHeader> headers(std::string_view key) {
  if (key.empty()) return {};
  return {{"Authorization", std::string("Bearer ").append(key)}};
}

// The grammar that `format` becomes says nothing to the model: it is told what is wanted in words, too.
std::string instructions_with_schema(const ModelRequest& request) {
  return request.instructions + "\n\nAnswer with one JSON object of this JSON schema:\n" + to_string(request.schema) + "\n";
}

Json message(std::string_view role, std::string_view text) { return Json::Object{{"role", role}, {"content", text}}; }

Json body(const ModelRequest& request, const ProviderModel& model) {
  return Json::Object{
      {"model", model.name},
      {"stream", false},
      {"messages", Json::Array{message("system", instructions_with_schema(request)), message("user", request.input)}},
      {"format", request.schema},
      // A prompt that does not fit is an error then, where Ollama knows the field; it cuts it silently otherwise.
      {"truncate", false},
      {"options",
       Json::Object{{"num_ctx", ollama_context(request)}, {"num_predict", request.max_output_tokens}, {"temperature", 0}}},
  };
}

std::optional<TokenUse> tokens_of(const Json& answer) {
  if (answer.find("prompt_eval_count") == nullptr) return std::nullopt;
  return TokenUse{static_cast<std::int64_t>(answer.count_at("prompt_eval_count")),
                  static_cast<std::int64_t>(answer.count_at("eval_count"))};
}

std::string trouble_of(const Json& answer, const Json& said, const ModelRequest& request) {
  const Json* done = answer.find("done");
  const std::string* reason = answer.string_at("done_reason");
  if (done == nullptr || done->as_bool() == nullptr || !*done->as_bool() || reason == nullptr)
    return "the answer does not say why it ended";
  if (*reason != "stop") return "it stopped with '" + *reason + "'";
  if (static_cast<std::int64_t>(answer.count_at("prompt_eval_count")) >= ollama_context(request))
    return "the prompt did not fit and was cut";
  return said.text_at("content").empty() ? "the answer has no text" : "";
}

ProviderAnswer read(const Json& answer, const ModelRequest& request) {
  ProviderAnswer out;
  out.tokens = tokens_of(answer);
  const Json* said = answer.find("message");
  if (said == nullptr) return out.trouble = "the answer has no message", out;
  out.text = said->text_at("content");
  out.trouble = trouble_of(answer, *said, request);
  return out;
}

}  // namespace

std::int64_t ollama_context(const ModelRequest& request) {
  constexpr std::int64_t smallest = 4'096;
  const std::int64_t prompt = estimate_tokens(instructions_with_schema(request)) + estimate_tokens(request.input);
  // Half as many again: tokenizers of small models cut finer than the count, and roles take some.
  const std::int64_t wanted = prompt + prompt / 2 + request.max_output_tokens + 256;
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::max(wanted, smallest))));
}

const Provider& ollama_provider() {
  static const Provider provider{"ollama", "http://127.0.0.1:11434", "/api", "/chat", headers, body, read};
  return provider;
}

}  // namespace loci
