// A model that makes vectors of texts: texts that say alike things get vectors that point alike ways. Behind it is a server with
// OpenAI's /v1/embeddings, or Ollama. What comes back is checked: as many vectors as texts, of one length, of finite numbers.
//
// One thread at a time may call embed().
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/file_system.h"
#include "model/open_model.h"

namespace loci {

struct Embedded {
  std::vector<std::vector<float>> vectors;  // one a text, in its order; each of length 1, all with as many dimensions
  std::int64_t tokens = 0;                  // as the provider counted them; estimated if it did not say
};

class EmbeddingModel {
 public:
  static constexpr size_t most_dimensions = 8'192;

  virtual ~EmbeddingModel() = default;

  // One request, one try, `patience` in all. ErrorCode::remote says what is wrong with the server; text of memories and keys are in
  // no message.
  virtual Result<Embedded> embed(std::span<const std::string> texts, std::chrono::milliseconds patience, std::stop_token stop) = 0;

  // After an embed() that failed: the server will not take one of these texts, whenever it is asked; how long it asked to be left
  // alone.
  virtual bool refused_texts() const = 0;
  virtual std::optional<std::chrono::milliseconds> retry_after() const = 0;
};

// `settings.provider` is "openai" or "ollama". ErrorCode::usage says what in the settings is wrong; ErrorCode::refused if the key
// cannot be read, or would go out unencrypted.
Result<std::unique_ptr<EmbeddingModel>> open_embedding_model(FileSystem& files, const ModelSettings& settings);

}  // namespace loci
