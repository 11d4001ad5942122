#include "base/hash.h"

#include <openssl/hmac.h>
#include <openssl/sha.h>
#include <xxhash.h>

#include <algorithm>

namespace loci {
namespace {

const unsigned char* data_of(std::string_view bytes) { return reinterpret_cast<const unsigned char*>(bytes.data()); }

}  // namespace

std::uint64_t hash64(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::array<unsigned char, 32> sha256(std::string_view bytes) {
  std::array<unsigned char, 32> digest{};
  SHA256(data_of(bytes), bytes.size(), digest.data());
  return digest;
}

std::array<unsigned char, 32> hmac_sha256(std::string_view key, std::string_view bytes) {
  std::array<unsigned char, 32> digest{};
  unsigned int size = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), data_of(bytes), bytes.size(), digest.data(), &size);
  return digest;
}

std::string hex(std::string_view bytes, size_t digits) {
  static constexpr char alphabet[] = "0123456789abcdef";
  std::string text;
  text.reserve(digits);
  for (size_t i = 0; i < std::min(digits, bytes.size() * 2); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i / 2]);
    text += alphabet[i % 2 == 0 ? byte >> 4 : byte & 15];
  }
  return text;
}

}  // namespace loci
