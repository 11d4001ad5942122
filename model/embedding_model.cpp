#include "model/embedding_model.h"

#include <cmath>

#include "model/api_key.h"
#include "model/endpoint.h"
#include "model/error_text.h"
#include "model/http_client.h"
#include "model/provider.h"
#include "tokens/estimate.h"

namespace loci {
namespace {

using std::chrono::milliseconds;
using Vector = std::vector<float>;

constexpr size_t longest_answer = size_t{64} << 20;  // a batch of the longest vectors, as text

// What differs between the servers.
struct Shape {
  std::string_view name, version, path;
  Json (*body)(const std::string& model, std::span<const std::string> texts);
  // The vector of each text, null where there is none.
  std::vector<const Json*> (*vectors)(const Json& answer, size_t texts);
  std::int64_t (*tokens)(const Json& answer);  // 0: it did not say
};

Json texts_of(std::span<const std::string> texts) { return Json(Json::Array(texts.begin(), texts.end())); }

// https://platform.openai.com/docs/api-reference/embeddings
constexpr Shape openai{"openai",
                       "/v1",
                       "/embeddings",
                       [](const std::string& model, std::span<const std::string> texts) -> Json {
                         return Json::Object{{"model", model}, {"input", texts_of(texts)}, {"encoding_format", "float"}};
                       },
                       [](const Json& answer, size_t texts) {
                         std::vector<const Json*> vectors(texts, nullptr);
                         const auto& data = answer.array_at("data");
                         if (data.size() != texts) return vectors;
                         for (const Json& one : data)
                           if (const size_t index = one.count_at("index"); index < texts) vectors[index] = one.find("embedding");
                         return vectors;
                       },
                       [](const Json& answer) {
                         const Json* usage = answer.find("usage");
                         return usage == nullptr ? 0 : static_cast<std::int64_t>(usage->count_at("prompt_tokens"));
                       }};

// https://github.com/ollama/ollama/blob/main/docs/api.md#generate-embeddings
constexpr Shape ollama{"ollama",
                       "/api",
                       "/embed",
                       [](const std::string& model, std::span<const std::string> texts) -> Json {
                         return Json::Object{{"model", model}, {"input", texts_of(texts)}, {"truncate", true}};
                       },
                       [](const Json& answer, size_t texts) {
                         std::vector<const Json*> vectors(texts, nullptr);
                         const auto& data = answer.array_at("embeddings");
                         for (size_t i = 0; i < texts && data.size() == texts; ++i) vectors[i] = &data[i];
                         return vectors;
                       },
                       [](const Json& answer) { return static_cast<std::int64_t>(answer.count_at("prompt_eval_count")); }};

const Shape* find_shape(std::string_view name) {
  for (const Shape* shape : {&openai, &ollama})
    if (shape->name == name) return shape;
  return nullptr;
}

// Of length 1; nothing if it is no vector, or one that points nowhere.
std::optional<Vector> read_vector(const Json* json) {
  const auto* numbers = json != nullptr ? json->as_array() : nullptr;
  if (numbers == nullptr || numbers->empty() || numbers->size() > EmbeddingModel::most_dimensions) return std::nullopt;
  double square = 0;
  for (const Json& number : *numbers) {
    if (!number.is_number()) return std::nullopt;
    square += number.number_or(0) * number.number_or(0);
  }
  const double length = std::sqrt(square);
  if (!std::isfinite(length) || length < 1e-12) return std::nullopt;
  Vector vector;
  vector.reserve(numbers->size());
  for (const Json& number : *numbers) vector.push_back(static_cast<float>(number.number_or(0) / length));
  return vector;
}

std::string hint_for(int status) {
  if (status == 401 || status == 403) return "check the key of [models.embeddings] in the configuration";
  if (status == 404) return "check base_url and model of [models.embeddings] in the configuration";
  return {};
}

class HttpEmbeddingModel final : public EmbeddingModel {
 public:
  HttpEmbeddingModel(const Shape& shape, std::string model, Endpoint endpoint, Secret key, std::string proxy, std::string no_proxy)
      : shape_(shape),
        model_(std::move(model)),
        endpoint_(std::move(endpoint)),
        key_(std::move(key)),
        proxy_(std::move(proxy)),
        no_proxy_(std::move(no_proxy)) {}

  Result<Embedded> embed(std::span<const std::string> texts, milliseconds patience, std::stop_token stop) override {
    retry_after_.reset();
    refused_texts_ = false;
    if (!client_) {
      auto opened = TRY(HttpClient::open());
      client_ = std::move(opened);
    }
    HttpLimits limits;
    limits.connect = limits.stall = limits.total = patience;
    limits.answer_bytes = longest_answer;
    const auto answer = client_->post(post_of(texts), limits, stop);
    if (!answer) return failed(shown(answer.error().message));
    if (answer->status != 200) return failed_with(*answer);
    const auto json = parse_json(answer->body, {.bytes = longest_answer});
    if (!json || json->as_object() == nullptr) return failed("the answer is no JSON object");
    return read(*json, texts);
  }

  bool refused_texts() const override { return refused_texts_; }
  std::optional<milliseconds> retry_after() const override { return retry_after_; }

 private:
  HttpPost post_of(std::span<const std::string> texts) const {
    HttpPost post;
    post.url = endpoint_.url;
    if (!key_.empty()) post.headers.push_back({"Authorization", std::string("Bearer ").append(key_.text())});
    post.headers.push_back({"Content-Type", "application/json"});
    post.headers.push_back({"Accept", "application/json"});
    post.body = to_string(shape_.body(model_, texts));
    post.only_this_machine = endpoint_.this_machine;
    post.proxy = proxy_;
    post.no_proxy = no_proxy_;
    return post;
  }

  Result<Embedded> read(const Json& json, std::span<const std::string> texts) const {
    Embedded embedded;
    for (const Json* one : shape_.vectors(json, texts.size())) {
      auto vector = read_vector(one);
      if (!vector) return failed("the answer has no usable vector for each of " + std::to_string(texts.size()) + " texts");
      if (!embedded.vectors.empty() && vector->size() != embedded.vectors.front().size())
        return failed("the vectors of one answer have different lengths");
      embedded.vectors.push_back(std::move(*vector));
    }
    embedded.tokens = shape_.tokens(json);
    if (embedded.tokens == 0)
      for (const std::string& text : texts) embedded.tokens += estimate_tokens(text);
    return embedded;
  }

  // The server's own words are left out: they may repeat the texts.
  std::unexpected<Error> failed_with(const HttpAnswer& answer) {
    const std::string status = "status " + std::to_string(answer.status);
    if (answer.status >= 300 && answer.status <= 399)
      return failed(status + ": it sends elsewhere, and redirects are not followed", "put the address that it means into base_url");
    refused_texts_ = answer.status == 400 || answer.status == 413 || answer.status == 422;
    retry_after_ = parse_retry_after(answer.retry_after, answer.date);
    return failed(status, hint_for(answer.status));
  }

  static std::unexpected<Error> failed(std::string message, std::string hint = {}) {
    return fail(ErrorCode::remote, "[models.embeddings] " + std::move(message), std::move(hint));
  }
  std::string shown(std::string_view text) const { return error_text(text, key_.text()); }

  const Shape& shape_;
  const std::string model_;
  const Endpoint endpoint_;
  const Secret key_;
  const std::string proxy_, no_proxy_;
  std::unique_ptr<HttpClient> client_;
  std::optional<milliseconds> retry_after_;
  bool refused_texts_ = false;
};

}  // namespace

Result<std::unique_ptr<EmbeddingModel>> open_embedding_model(FileSystem& files, const ModelSettings& settings) {
  const Shape* shape = find_shape(settings.provider);
  const Provider* provider = find_provider(settings.provider);
  if (shape == nullptr || provider == nullptr)
    return fail(ErrorCode::usage, "[models.embeddings] provider is none that loci knows", "it is openai or ollama");
  if (settings.model.empty()) return fail(ErrorCode::usage, "[models.embeddings] has no model");
  auto endpoint = parse_endpoint(settings.base_url.empty() ? provider->base_url : std::string_view(settings.base_url),
                                 shape->version, shape->path);
  if (!endpoint) endpoint.error().message.insert(0, "[models.embeddings] ");
  if (!endpoint) return std::unexpected(endpoint.error());
  auto key = TRY(read_api_key(files, settings));
  return std::make_unique<HttpEmbeddingModel>(*shape, settings.model, std::move(*endpoint), std::move(key),
                                              variable_of(settings, {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"}),
                                              variable_of(settings, {"no_proxy", "NO_PROXY"}));
}

}  // namespace loci
