#include "model/open_model.h"

#include <array>

#include "model/api_key.h"
#include "model/http_client.h"
#include "model/http_model.h"

namespace loci {
namespace {

std::unexpected<Error> wrong(const ModelSettings& settings, std::string what, std::string hint = {}) {
  return fail(ErrorCode::usage, "[models." + settings.name + "] " + std::move(what), std::move(hint));
}

Result<Endpoint> endpoint_of(const Provider& provider, const ModelSettings& settings) {
  auto endpoint = parse_endpoint(settings.base_url.empty() ? provider.base_url : std::string_view(settings.base_url),
                                 provider.version, provider.path);
  if (!endpoint) endpoint.error().message.insert(0, "[models." + settings.name + "] ");
  return endpoint;
}

std::string proxy_of(const ModelSettings& settings) {
  return variable_of(settings, {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"});
}

std::string no_proxy_of(const ModelSettings& settings) { return variable_of(settings, {"no_proxy", "NO_PROXY"}); }

}  // namespace

std::string variable_of(const ModelSettings& settings, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (settings.variable)
      if (auto value = settings.variable(name); value && !value->empty()) return *value;
  return {};
}

const Provider* find_provider(std::string_view name) {
  for (const Provider* provider : {&openai_provider(), &anthropic_provider(), &ollama_provider()})
    if (provider->name == name) return provider;
  return nullptr;
}

Result<std::unique_ptr<LanguageModel>> open_model(FileSystem& files, const ModelSettings& settings, const RetryPolicy& retry) {
  const Provider* provider = find_provider(settings.provider);
  if (provider == nullptr) return wrong(settings, "provider is none that loci knows", "it is openai, anthropic or ollama");
  if (settings.model.empty()) return wrong(settings, "has no model");
  if (settings.timeout.count() <= 0) return wrong(settings, "timeout_seconds is not above 0");
  auto endpoint = TRY(endpoint_of(*provider, settings));
  auto key = TRY(read_api_key(files, settings));

  HttpModelSettings wanted;
  wanted.name = settings.name + " (" + settings.provider + ", " + settings.model + ")";
  wanted.model = {settings.model, endpoint.url == endpoint_of(*provider, {})->url};
  wanted.endpoint = std::move(endpoint);
  wanted.key = std::move(key);
  wanted.proxy = proxy_of(settings);
  wanted.no_proxy = no_proxy_of(settings);
  wanted.timeout = settings.timeout;
  wanted.retry = retry;
  return make_http_model(*provider, std::move(wanted));
}

Status reach_model(const ModelSettings& settings, std::chrono::milliseconds patience) {
  const Provider* provider = find_provider(settings.provider);
  if (provider == nullptr) return wrong(settings, "provider is none that loci knows", "it is openai, anthropic or ollama");
  auto endpoint = TRY(endpoint_of(*provider, settings));
  const auto client = TRY(HttpClient::open());
  const auto reached = client->reach({.url = std::move(endpoint.url),
                                      .only_this_machine = endpoint.this_machine,
                                      .proxy = proxy_of(settings),
                                      .no_proxy = no_proxy_of(settings)},
                                     {.connect = patience, .total = patience});
  if (!reached) return fail(ErrorCode::remote, reached.error().message);
  return {};
}

}  // namespace loci
