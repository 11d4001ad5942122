#include "model/http_model.h"

#include <random>

#include "base/log.h"
#include "base/stoppable_wait.h"
#include "model/error_text.h"
#include "tokens/estimate.h"

namespace loci {
namespace {

using std::chrono::milliseconds;
template <typename T>
using TryResult = std::expected<T, FailedTry>;

double chance() {
  thread_local std::mt19937_64 engine{std::random_device{}()};
  return std::uniform_real_distribution<double>(0, 1)(engine);
}

// What providers say with a status that is not 200: {"error":{"message","type","code"}} or {"error":"…"}.
struct ProviderError {
  std::string message;
  bool quota_spent = false;
};

ProviderError read_error(const Json& body) {
  const Json* error = body.find("error");
  if (error == nullptr || error->is_null()) return {};
  if (error->as_string() != nullptr) return {*error->as_string()};
  const std::string code = error->text_at("code"), type = error->text_at("type");
  const bool spent = code == "insufficient_quota" || type == "insufficient_quota" || code == "billing_hard_limit_reached";
  return {error->text_at("message"), spent};
}

std::string hint_for(int status, bool quota_spent) {
  if (status == 401 || status == 403) return "check the key of this model in the configuration";
  if (status == 402 || quota_spent) return "the provider's account has nothing left";
  if (status == 404) return "check base_url and model of this model in the configuration";
  return {};
}

class HttpModel final : public LanguageModel {
 public:
  HttpModel(const Provider& provider, HttpModelSettings settings) : provider_(provider), settings_(std::move(settings)) {}

  Result<ModelAnswer> ask(const ModelRequest& request, std::stop_token stop) override {
    last_failure_ = {};
    if (!client_) {
      auto opened = TRY(HttpClient::open());
      client_ = std::move(opened);
    }
    const HttpPost post = post_of(request);
    for (int tries = 1;; ++tries) {
      auto answer = try_once(request, post, stop);
      if (answer) return std::move(*answer);
      const FailedTry& failed = answer.error();
      const auto pause = pause_before_next(failed, tries, settings_.retry, chance());
      if (!pause) return give_up(failed);
      log_info(settings_.name + ": " + failed.message + "; trying again in " + std::to_string(pause->count()) + " ms");
      if (!wait_unless_stopped(*pause, stop)) return give_up({.message = "it was cancelled"});
    }
  }

  std::int64_t tokens_to_send(const ModelRequest& request) const override {
    return estimate_tokens(to_string(provider_.body(request, settings_.model)));
  }

  const std::string& name() const override { return settings_.name; }
  FailedAsk last_failure() const override { return last_failure_; }

 private:
  HttpPost post_of(const ModelRequest& request) const {
    HttpPost post;
    post.url = settings_.endpoint.url;
    post.headers = provider_.headers(settings_.key.text());
    post.headers.push_back({"Content-Type", "application/json"});
    post.headers.push_back({"Accept", "application/json"});
    post.body = to_string(provider_.body(request, settings_.model));
    post.only_this_machine = settings_.endpoint.this_machine;
    post.proxy = settings_.proxy;
    post.no_proxy = settings_.no_proxy;
    return post;
  }

  HttpLimits limits() const {
    HttpLimits limits;
    limits.connect = settings_.retry.connect;
    limits.stall = settings_.retry.stall;
    limits.total = settings_.timeout;
    return limits;
  }

  TryResult<ModelAnswer> try_once(const ModelRequest& request, const HttpPost& post, const std::stop_token& stop) {
    const auto answer = client_->post(post, limits(), stop);
    if (!answer) {
      const bool passes = answer.error().kind == HttpFailure::Kind::connection;
      return std::unexpected(
          FailedTry{.trouble = passes ? Trouble::passing : Trouble::lasting, .message = shown(answer.error().message)});
    }
    if (answer->status != 200) return std::unexpected(failed_with(*answer));
    if (!answer->content_encoding.empty() && answer->content_encoding != "identity")
      return lasting("the answer is compressed, which was not asked for");
    const auto parsed = parse_json(answer->body);
    if (!parsed || parsed->as_object() == nullptr) return lasting("the answer is no JSON object");
    return read(*parsed, request, post);
  }

  TryResult<ModelAnswer> read(const Json& answer, const ModelRequest& request, const HttpPost& post) {
    // Some gateways answer 200 and put their trouble into the body.
    if (const std::string trouble = read_error(answer).message; !trouble.empty()) return lasting("it failed", trouble);
    ProviderAnswer said = provider_.read(answer, request);
    const TokenUse tokens = said.tokens.value_or(TokenUse{estimate_tokens(post.body), estimate_tokens(said.text)});
    if (said.trouble.empty()) return ModelAnswer{std::move(said.text), tokens};
    last_failure_.tokens = tokens;
    return lasting("the answer cannot be used", said.trouble);
  }

  FailedTry failed_with(const HttpAnswer& answer) const {
    if (answer.status >= 300 && answer.status <= 399)
      return {.message = "status " + std::to_string(answer.status) + ": it sends elsewhere, and redirects are not followed",
              .hint = "put the address that it means into base_url"};
    const auto body = parse_json(answer.body);
    const ProviderError error = read_error(body ? *body : Json());
    return {.trouble = trouble_of_status(answer.status, error.quota_spent),
            .message = "status " + std::to_string(answer.status),
            .said = shown(error.message),
            .hint = hint_for(answer.status, error.quota_spent),
            .retry_after = parse_retry_after(answer.retry_after, answer.date)};
  }

  Result<ModelAnswer> give_up(const FailedTry& failed) {
    if (failed.trouble == Trouble::passing) last_failure_.retry_after = failed.retry_after;
    const std::string said = failed.said.empty() ? "" : ": " + failed.said;
    return fail(ErrorCode::remote, settings_.name + ": " + failed.message + said, failed.hint);
  }

  std::string shown(std::string_view text) const { return error_text(text, settings_.key.text()); }
  std::unexpected<FailedTry> lasting(std::string message, std::string_view said = {}) const {
    return std::unexpected(FailedTry{.message = std::move(message), .said = shown(said)});
  }

  const Provider& provider_;
  HttpModelSettings settings_;
  std::unique_ptr<HttpClient> client_;
  FailedAsk last_failure_;
};

}  // namespace

std::unique_ptr<LanguageModel> make_http_model(const Provider& provider, HttpModelSettings settings) {
  return std::make_unique<HttpModel>(provider, std::move(settings));
}

}  // namespace loci
