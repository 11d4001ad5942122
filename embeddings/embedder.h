// What vectors say of a question, within a time that nobody notices: else nothing, and the answer is the one by words.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/synchronized.h"
#include "embeddings/vector_file.h"
#include "model/embedding_model.h"
#include "recall/similar_texts.h"
#include "vault/layout/environment.h"
#include "vault/layout/vault.h"

namespace loci {

// [models.embeddings] of the user's settings, which describes the server and the model as [models.NAME] does any other; null: off.
const ModelConfig* embedding_settings(const Config& config);
// As vectors are kept under: what else the same model would be called.
std::string name_of_embedding_model(const Config& config);
// The part of a text that a vector is made of: servers refuse or cut what is longer.
std::string embedded_part(std::string_view text);
// ErrorCode::usage and ErrorCode::refused as open_embedding_model().
Result<std::unique_ptr<EmbeddingModel>> open_configured_embeddings(const Vault& vault, const Environment& environment);

// Any thread.
class Embedder {
 public:
  static constexpr std::chrono::milliseconds patience{150};  // for all of it
  static constexpr std::chrono::seconds rest{30};            // after a server that failed or was too slow

  // Null where embeddings are off. Both are copied.
  static std::unique_ptr<Embedder> of(const Vault& vault, const Environment& environment);

  // Null: there is nothing to compare with, or the server gave no vector in time.
  std::shared_ptr<SimilarTexts> similar_to(const std::string& question);
  // Why the last question got none; none if it did.
  std::optional<std::string> trouble();

 private:
  struct Shared {
    std::vector<std::unique_ptr<EmbeddingModel>> idle;
    std::shared_ptr<const Vectors> vectors;
    std::optional<std::string> trouble;
    std::chrono::steady_clock::time_point rests_until;
  };

  Embedder(Vault vault, const Environment& environment) : vault_(std::move(vault)), environment_(environment) {}
  Result<std::vector<float>> vector_of(const std::string& question, std::chrono::steady_clock::time_point begin);
  std::shared_ptr<const Vectors> newest_vectors();

  const Vault vault_;
  const Environment environment_;
  Synchronized<Shared> shared_;
};

}  // namespace loci
