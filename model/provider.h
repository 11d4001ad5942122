// What differs between providers: the shape of a request and of an answer. One file each. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "model/http_client.h"
#include "model/language_model.h"

namespace loci {

struct ProviderModel {
  std::string name;         // as the provider calls it
  bool at_provider = true;  // at the provider's own address; else a server that is compatible with it
};

// An answer with status 200, as far as it could be read. Tokens were charged for, whether it can be used or not.
struct ProviderAnswer {
  std::string text;
  std::optional<TokenUse> tokens;
  std::string trouble;  // why it cannot be used: "it stopped at its limit of 8192 tokens"; empty if it can
};

struct Provider {
  std::string_view name;  // in settings
  std::string_view base_url, version, path;
  std::vector<HttpHeader> (*headers)(std::string_view key);  // without content-type; the key may be empty
  Json (*body)(const ModelRequest& request, const ProviderModel& model);
  ProviderAnswer (*read)(const Json& answer, const ModelRequest& request);
};

const Provider& openai_provider();     // https://platform.openai.com/docs/api-reference/chat
const Provider& anthropic_provider();  // https://docs.claude.com/en/api/messages
const Provider& ollama_provider();     // https://github.com/ollama/ollama/blob/main/docs/api.md

// Null if there is none of that name.
const Provider* find_provider(std::string_view name);

// The tokens that Ollama is told to make room for: the prompt counted generously, the answer, rounded up to a power of two, because
// another size makes it load the model anew.
std::int64_t ollama_context(const ModelRequest& request);

}  // namespace loci
