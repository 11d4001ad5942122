#include "embeddings/embedder.h"

#include <utility>

namespace loci {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr size_t longest_part = 2'000;  // bytes, some 500 tokens: what small models take

}  // namespace

const ModelConfig* embedding_settings(const Config& config) {
  const auto named = config.models.find("embeddings");
  return named == config.models.end() ? nullptr : &named->second;
}

std::string name_of_embedding_model(const Config& config) {
  const ModelConfig* settings = embedding_settings(config);
  return settings == nullptr ? std::string() : settings->provider + " " + settings->model;
}

std::string embedded_part(std::string_view text) {
  if (text.size() <= longest_part) return std::string(text);
  size_t end = longest_part;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end));
}

Result<std::unique_ptr<EmbeddingModel>> open_configured_embeddings(const Vault& vault, const Environment& environment) {
  const ModelConfig* named = embedding_settings(vault.config());
  if (named == nullptr) return fail(ErrorCode::usage, "there is no [models.embeddings] in " + vault.user_config_file().string());
  const ModelConfig& model = *named;
  return open_embedding_model(vault.files(), {.name = "embeddings",
                                              .provider = model.provider,
                                              .base_url = model.base_url,
                                              .model = model.model,
                                              .key_file = model.key_file,
                                              .key_env = model.key_env,
                                              .credentials = environment.credentials,
                                              .variable = environment.variable});
}

std::unique_ptr<Embedder> Embedder::of(const Vault& vault, const Environment& environment) {
  if (embedding_settings(vault.config()) == nullptr) return nullptr;
  return std::unique_ptr<Embedder>(new Embedder(vault, environment));
}

std::shared_ptr<SimilarTexts> Embedder::similar_to(const std::string& question) {
  const auto begin = steady_clock::now();
  if (question.empty() || shared_.with([&](const Shared& shared) { return begin < shared.rests_until; })) return nullptr;
  const auto vectors = newest_vectors();
  if (!vectors || vectors->size() == 0) return nullptr;
  const auto vector = vector_of(question, begin);
  shared_.with([&](Shared& shared) {
    shared.trouble = vector ? std::nullopt : std::optional(vector.error().message);
    if (!vector) shared.rests_until = steady_clock::now() + rest;
  });
  return vector ? Vectors::similar_to(vectors, *vector) : nullptr;
}

std::optional<std::string> Embedder::trouble() {
  return shared_.with([](const Shared& shared) { return shared.trouble; });
}

Result<std::vector<float>> Embedder::vector_of(const std::string& question, steady_clock::time_point begin) {
  auto model = shared_.with([](Shared& shared) -> std::unique_ptr<EmbeddingModel> {
    if (shared.idle.empty()) return nullptr;
    auto taken = std::move(shared.idle.back());
    shared.idle.pop_back();
    return taken;
  });
  if (!model) model = TRY(open_configured_embeddings(vault_, environment_));
  const auto left = patience - std::chrono::duration_cast<milliseconds>(steady_clock::now() - begin);
  if (left <= milliseconds(0)) return fail(ErrorCode::remote, "[models.embeddings] no time was left to ask");
  const std::vector<std::string> texts{embedded_part(question)};
  auto answer = model->embed(texts, left, {});
  shared_.with([&](Shared& shared) { shared.idle.push_back(std::move(model)); });
  if (!answer) return std::unexpected(answer.error());
  return std::move(answer->vectors.front());
}

std::shared_ptr<const Vectors> Embedder::newest_vectors() {
  return shared_.with([&](Shared& shared) {
    if (!shared.vectors || shared.vectors->is_outdated()) {
      auto opened = Vectors::open(vault_.files(), vault_.state_folder(), name_of_embedding_model(vault_.config()));
      shared.vectors = opened ? std::move(*opened) : nullptr;
    }
    return shared.vectors;
  });
}

}  // namespace loci
