#include "embeddings/vector_file.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/hash.h"
#include "embeddings/likeness.h"
#include "model/embedding_model.h"
#include "vault/purge/purge_json.h"

namespace loci {
namespace {

constexpr std::string_view folder_name = "embeddings", file_name = "vectors.bin", magic = "LOCIVEC1";
constexpr size_t header_size = 64, model_key_size = 16, key_size = 32, before_numbers = 40;
constexpr std::uint64_t longest_file = std::uint64_t{1} << 36;

struct Layout {
  size_t dimensions = 0;
  size_t record = 0;
  std::string_view model;  // its hash
};

std::string key_of_model(const std::string& model) { return std::string(as_bytes(sha256(model)).substr(0, model_key_size)); }

std::uint32_t number_at(std::string_view bytes, size_t at) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

void put(std::string& bytes, std::uint32_t number) { bytes.append(reinterpret_cast<const char*>(&number), sizeof number); }

// None for bytes that are no such file.
std::optional<Layout> layout_of(std::string_view bytes) {
  if (bytes.size() < header_size || !bytes.starts_with(magic)) return std::nullopt;
  const Layout layout{number_at(bytes, 8), number_at(bytes, 12), bytes.substr(16, model_key_size)};
  const bool fits = layout.dimensions > 0 && layout.dimensions <= EmbeddingModel::most_dimensions &&
                    layout.record == before_numbers + layout.dimensions;
  return fits ? std::optional(layout) : std::nullopt;
}

std::string header_of(size_t dimensions, const std::string& model) {
  std::string bytes(magic);
  put(bytes, static_cast<std::uint32_t>(dimensions));
  put(bytes, static_cast<std::uint32_t>(before_numbers + dimensions));
  bytes += key_of_model(model);
  bytes.resize(header_size);
  return bytes;
}

std::uint32_t check_of(std::string_view record) {
  const std::uint64_t hash = hash64(record.substr(0, key_size)) ^ hash64(record.substr(key_size + 4));
  return static_cast<std::uint32_t>(hash);
}

bool is_whole(std::string_view record) { return number_at(record, key_size) == check_of(record); }

std::string record_of(const TextVector& one) {
  const ScaledVector vector = scaled(one.vector, largest_stored);
  std::string record = one.hash;
  record.resize(key_size);
  put(record, 0);
  record.append(reinterpret_cast<const char*>(&vector.scale), sizeof vector.scale);
  for (const std::int16_t number : vector.numbers) record += static_cast<char>(static_cast<std::int8_t>(number));
  const std::uint32_t check = check_of(record);
  std::memcpy(record.data() + key_size, &check, sizeof check);
  return record;
}

// The records of purged texts go; so do torn ones.
std::optional<std::string> purge_vectors(std::string_view file, std::string_view bytes, const PurgedText& text) {
  if (!file.ends_with(file_name)) return purge_json_file(bytes, text);
  const auto layout = layout_of(bytes);
  if (!layout) return std::nullopt;
  std::string left(bytes.substr(0, header_size));
  for (size_t at = header_size; at + layout->record <= bytes.size(); at += layout->record) {
    const std::string_view record = bytes.substr(at, layout->record);
    if (!text.has_hash(record.substr(0, key_size))) left += record;
  }
  const bool has_lost = left.size() + layout->record <= bytes.size();
  return has_lost ? left : std::string(bytes);
}

}  // namespace

constinit const Store vector_store{"the vectors of texts", StoreRoot::state, "embeddings/",
                                   Permissions::owner,     purge_vectors,    "embeddings"};

path vector_folder(const path& state_folder) { return state_folder / folder_name; }

Result<std::shared_ptr<const Vectors>> Vectors::open(FileSystem& files, const path& state_folder, const std::string& model) {
  std::shared_ptr<Vectors> vectors(new Vectors);
  vectors->file_ = vector_folder(state_folder) / file_name;
  const auto fd = files.open(vectors->file_, O_RDONLY);
  if (!fd && fd.error().code == ErrorCode::not_found) return vectors;
  if (!fd) return std::unexpected(fd.error());
  const auto info = TRY(files.status(*fd, vectors->file_));
  vectors->inode_ = info.st_ino;
  if (!S_ISREG(info.st_mode) || info.st_size < static_cast<off_t>(header_size)) return vectors;
  const auto size = static_cast<size_t>(info.st_size);
  void* mapped = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, fd->get(), 0);
  if (mapped == MAP_FAILED) return fail(ErrorCode::failed, "cannot map " + vectors->file_.string());
  vectors->bytes_ = static_cast<const std::uint8_t*>(mapped);
  vectors->mapped_ = size;
  const auto layout = layout_of({reinterpret_cast<const char*>(mapped), size});
  if (!layout || layout->model != key_of_model(model)) return vectors;
  vectors->dimensions_ = layout->dimensions;
  vectors->rows_ = (size - header_size) / layout->record;
  return vectors;
}

Vectors::~Vectors() {
  if (bytes_ != nullptr) ::munmap(const_cast<std::uint8_t*>(bytes_), mapped_);
}

const std::uint8_t* Vectors::record(size_t row) const { return bytes_ + header_size + row * (before_numbers + dimensions_); }

std::string Vectors::hash_of(size_t row) const { return {reinterpret_cast<const char*>(record(row)), key_size}; }

std::set<std::string> Vectors::hashes() const {
  std::set<std::string> all;
  for (size_t row = 0; row < rows_; ++row)
    if (is_whole({reinterpret_cast<const char*>(record(row)), before_numbers + dimensions_})) all.insert(hash_of(row));
  return all;
}

bool Vectors::is_outdated() const {
  struct stat info{};
  if (::stat(file_.c_str(), &info) != 0) return bytes_ != nullptr;
  return info.st_ino != inode_ || static_cast<size_t>(info.st_size) != mapped_;
}

class RankedBySimilarity final : public SimilarTexts {
 public:
  RankedBySimilarity(std::shared_ptr<const Vectors> vectors, std::span<const float> query) : vectors_(std::move(vectors)) {
    const ScaledVector asked = scaled(query, largest_asked);
    places_.reserve(vectors_->size());
    for (size_t row = 0; row < vectors_->size(); ++row) {
      const std::uint8_t* record = vectors_->record(row);
      float scale = 0;
      std::memcpy(&scale, record + key_size + 4, sizeof scale);
      const auto sum = product(reinterpret_cast<const std::int8_t*>(record + before_numbers), asked.numbers.data(), query.size());
      const float similarity = static_cast<float>(sum) * scale * asked.scale;
      places_.push_back({similarity >= -2 && similarity <= 2 ? similarity : -2, static_cast<std::uint32_t>(row)});
    }
  }

  std::vector<SimilarText> at(size_t from, size_t count) override {
    const size_t end = std::min(places_.size(), from + count);
    if (end > sorted_) {
      const auto begin = places_.begin();
      std::partial_sort(begin + static_cast<std::ptrdiff_t>(sorted_), begin + static_cast<std::ptrdiff_t>(end), places_.end(),
                        [](const Place& a, const Place& b) {
                          return a.similarity != b.similarity ? a.similarity > b.similarity : a.row < b.row;
                        });
      sorted_ = end;
    }
    std::vector<SimilarText> texts;
    for (size_t i = from; i < end; ++i) texts.push_back({vectors_->hash_of(places_[i].row), places_[i].similarity});
    return texts;
  }

 private:
  struct Place {
    float similarity;
    std::uint32_t row;
  };
  std::shared_ptr<const Vectors> vectors_;
  std::vector<Place> places_;
  size_t sorted_ = 0;  // so many of them are in order
};

std::shared_ptr<SimilarTexts> Vectors::similar_to(std::shared_ptr<const Vectors> vectors, std::span<const float> query) {
  if (query.size() != vectors->dimensions() || vectors->size() == 0) return nullptr;
  return std::make_shared<RankedBySimilarity>(std::move(vectors), query);
}

Status add_vectors(FileSystem& files, const path& state_folder, const std::string& model, std::span<const TextVector> vectors) {
  if (vectors.empty()) return {};
  const path file = vector_folder(state_folder) / file_name;
  const size_t dimensions = vectors.front().vector.size();
  std::string records;
  for (const TextVector& one : vectors) records += record_of(one);

  const auto known = TRY(Vectors::open(files, state_folder, model));
  if (known->dimensions() != dimensions) return write_file(files, file, header_of(dimensions, model) + records);
  const auto fd = TRY(files.open(file, O_WRONLY | O_APPEND));
  const auto info = TRY(files.status(fd, file));
  const std::uint64_t whole = header_size + known->size() * (before_numbers + dimensions);
  if (static_cast<std::uint64_t>(info.st_size) != whole) TRY(files.truncate(fd, whole, file));
  if (whole + records.size() > longest_file) return fail(ErrorCode::refused, file.string() + " is too large");
  TRY(files.write_once(fd, records, file));
  return files.sync_data(fd, file);
}

}  // namespace loci
