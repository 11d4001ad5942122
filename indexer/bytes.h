// Values in blobs of the index: little-endian numbers, varints, strings. Readers take any bytes: what does not fit leaves
// ok() false and gives zeros. Sealed blobs end with their own hash, because SQLite does not notice a flipped bit.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "base/hash.h"

namespace loci {

class ByteWriter {
 public:
  explicit ByteWriter(std::string& out) : out_(out) {}

  template <std::integral T>
  void fixed(T value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);  // the index never leaves its machine, so its byte order will do
    out_.append(bytes, sizeof value);
  }
  void real(double value) { fixed(std::bit_cast<std::uint64_t>(value)); }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_ += static_cast<char>((value & 0x7F) | 0x80);
    out_ += static_cast<char>(value);
  }
  void text(std::string_view value) {
    varint(value.size());
    out_.append(value);
  }

 private:
  std::string& out_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <std::integral T>
  T fixed() {
    std::array<char, sizeof(T)> raw{};
    const auto bytes = take(raw.size());
    if (bytes.size() == raw.size()) bytes.copy(raw.data(), raw.size());
    return std::bit_cast<T>(raw);
  }
  double real() { return std::bit_cast<double>(fixed<std::uint64_t>()); }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(fixed<char>());
      value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    ok_ = false;
    return 0;
  }
  std::string_view text() { return take(varint()); }

  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty() || !ok_; }

 private:
  std::string_view take(std::uint64_t size) {
    if (size > rest_.size()) {
      ok_ = false;
      rest_ = {};
      return {};
    }
    const auto bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return bytes;
  }

  std::string_view rest_;
  bool ok_ = true;
};

inline void seal(std::string& blob) { ByteWriter(blob).fixed(hash64(blob)); }

// What was sealed; none if it is not as it was written.
inline std::optional<std::string_view> unseal(std::string_view blob) {
  if (blob.size() < sizeof(std::uint64_t)) return std::nullopt;
  const auto content = blob.substr(0, blob.size() - sizeof(std::uint64_t));
  if (ByteReader(blob.substr(content.size())).fixed<std::uint64_t>() != hash64(content)) return std::nullopt;
  return content;
}

}  // namespace loci
