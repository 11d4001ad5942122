// The vectors of texts, by the hash of the text: one file in the state folder, beside the index and independent of it, so that a
// new index, a moved entry or a renamed file costs no vector. It holds those of one model; where another one is asked, nothing in
// it counts, and the first vector that is added begins it anew.
//
//   64 bytes: "LOCIVEC1", dimensions (4), record size (4), the first 16 bytes of SHA-256 of the model's name, zeros
//   then records of equal size: hash of the text (32 hex digits), check (4), scale (4, float), one signed byte a dimension
//
// A vector has length 1; each number is a byte times the scale. The check is of the rest of the record: one that was torn by a
// crash, or that does not fit, counts as missing. All in the byte order of the machine. Files 0600.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"
#include "base/result.h"
#include "recall/similar_texts.h"
#include "vault/purge/store.h"

namespace loci {

struct TextVector {
  std::string hash;  // 32 hex digits
  std::vector<float> vector;
};

path vector_folder(const path& state_folder);  // whoever adds or rewrites holds its lock

extern const Store vector_store;

// A snapshot of the file as it was when it was opened, mapped. Immutable: any thread.
class Vectors {
 public:
  // Empty if there is no file, or it is of another model.
  static Result<std::shared_ptr<const Vectors>> open(FileSystem& files, const path& state_folder, const std::string& model);
  ~Vectors();
  Vectors(const Vectors&) = delete;
  Vectors& operator=(const Vectors&) = delete;

  size_t size() const { return rows_; }
  size_t dimensions() const { return dimensions_; }
  std::set<std::string> hashes() const;
  // The file has been replaced or has grown since.
  bool is_outdated() const;

  // All texts, the most alike first; null if there are none, or `query` has another number of dimensions.
  static std::shared_ptr<SimilarTexts> similar_to(std::shared_ptr<const Vectors> vectors, std::span<const float> query);

 private:
  Vectors() = default;
  const std::uint8_t* record(size_t row) const;
  std::string hash_of(size_t row) const;

  friend class RankedBySimilarity;
  path file_;
  const std::uint8_t* bytes_ = nullptr;  // the mapping
  size_t mapped_ = 0, rows_ = 0, dimensions_ = 0;
  std::uint64_t inode_ = 0;
};

// Adds vectors behind those that are there; all have the same dimensions. Begins the file anew if it is of another model or
// dimension. The caller holds the lock.
Status add_vectors(FileSystem& files, const path& state_folder, const std::string& model, std::span<const TextVector> vectors);

}  // namespace loci
