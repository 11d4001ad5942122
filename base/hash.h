// Two hashes: xxh3 to notice that bytes changed, SHA-256 to name a text for good.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace loci {

// XXH3, 64 bits. For change detection only: not stable against an attacker.
std::uint64_t hash64(std::string_view bytes);

// SHA-256 as raw bytes.
std::array<unsigned char, 32> sha256(std::string_view bytes);

// HMAC-SHA-256 as raw bytes.
std::array<unsigned char, 32> hmac_sha256(std::string_view key, std::string_view bytes);

// The first `digits` hex digits (at most 2 per byte), lower case.
std::string hex(std::string_view bytes, size_t digits);

template <std::size_t size>
std::string_view as_bytes(const std::array<unsigned char, size>& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

}  // namespace loci
