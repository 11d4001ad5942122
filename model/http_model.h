// A language model behind HTTP: asks, tries again as the policy says, and says in its own words what went wrong.
#pragma once

#include <memory>
#include <string>

#include "base/secret.h"
#include "model/endpoint.h"
#include "model/http_client.h"
#include "model/language_model.h"
#include "model/provider.h"
#include "model/retry.h"

namespace loci {

struct HttpModelSettings {
  std::string name;  // for people
  ProviderModel model;
  Endpoint endpoint;
  Secret key;                   // empty: none is sent
  std::string proxy, no_proxy;  // of HttpPost
  std::chrono::seconds timeout{600};
  RetryPolicy retry;
};

std::unique_ptr<LanguageModel> make_http_model(const Provider& provider, HttpModelSettings settings);

}  // namespace loci
