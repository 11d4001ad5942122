#include "base/hash.h"

// The plain functions, not EVP: its first use loads OpenSSL's configuration and providers (0.9 ms of every start), and each
// digest of a short text takes four times as long. The one-call SHA256() is EVP too, and brings all of libcrypto in.
#define OPENSSL_SUPPRESS_DEPRECATED
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
  SHA256_CTX state;
  SHA256_Init(&state);
  SHA256_Update(&state, data_of(bytes), bytes.size());
  SHA256_Final(digest.data(), &state);
  return digest;
}

// RFC 2104.
std::array<unsigned char, 32> hmac_sha256(std::string_view key, std::string_view bytes) {
  constexpr size_t block = 64;
  const auto short_key = sha256(key);
  std::string inner(key.size() > block ? as_bytes(short_key) : key);
  inner.resize(block);
  std::string outer = inner;
  for (char& c : inner) c ^= 0x36;
  for (char& c : outer) c ^= 0x5C;
  return sha256(outer.append(as_bytes(sha256(inner.append(bytes)))));
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
