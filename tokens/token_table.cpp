#include "tokens/token_table.h"

#include <bit>
#include <cstring>

namespace loci {
namespace {

constexpr std::uint32_t magic = 0x6B6F746C;  // "ltok"
constexpr int rank_bits = 18;
constexpr std::uint32_t rank_mask = (1u << rank_bits) - 1;

struct Header {
  std::uint32_t magic, tokens, slots, bytes;
};

std::uint64_t load(const char* bytes, size_t size) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes, size);
  return value;
}

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

// Most tokens have less than nine bytes: two loads that may overlap, and one multiplication.
std::uint64_t hash_of(std::string_view token) {
  constexpr std::uint64_t odd = 0x9E3779B97F4A7C15, other = 0xD6E8FEB86659FD93;
  const char* bytes = token.data();
  size_t size = token.size();
  std::uint64_t hash = size * other;
  for (; size > 16; bytes += 8, size -= 8) hash = mix(hash ^ load(bytes, 8), odd);
  if (size >= 8) return mix(hash ^ load(bytes, 8) ^ odd, load(bytes + size - 8, 8) ^ other);
  if (size >= 4) return mix(hash ^ load(bytes, 4) ^ odd, load(bytes + size - 4, 4) ^ other);
  if (size == 0) return hash;
  const auto byte = [&](size_t i) { return std::uint64_t{static_cast<unsigned char>(bytes[i])}; };
  return mix(hash ^ odd ^ byte(0) << 16 ^ byte(size / 2) << 8 ^ byte(size - 1), other);
}

std::uint32_t mark_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32) & ~rank_mask; }

void append_number(std::string& out, std::uint32_t number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  out.append(bytes, sizeof number);
}

}  // namespace

std::string TokenTable::pack(const std::vector<std::string>& tokens) {
  const auto count = static_cast<std::uint32_t>(tokens.size());
  const std::uint32_t slots = std::bit_ceil(2 * count + 1);
  std::vector<std::uint32_t> table(slots);
  std::string offsets, bytes;
  for (std::uint32_t rank = 0; rank < count; ++rank) {
    const std::uint64_t hash = hash_of(tokens[rank]);
    std::uint32_t slot = static_cast<std::uint32_t>(hash) & (slots - 1);
    while (table[slot] != 0) slot = (slot + 1) & (slots - 1);
    table[slot] = mark_of(hash) | (rank + 1);
    append_number(offsets, static_cast<std::uint32_t>(bytes.size()));
    bytes += tokens[rank];
  }
  append_number(offsets, static_cast<std::uint32_t>(bytes.size()));
  std::string out;
  for (const std::uint32_t number : {magic, count, slots, static_cast<std::uint32_t>(bytes.size())}) append_number(out, number);
  out += offsets;
  for (const std::uint32_t slot : table) append_number(out, slot);
  return out + bytes;
}

std::optional<TokenTable> TokenTable::read(std::span<const std::byte> bytes) {
  Header header{};
  if (bytes.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof header);
  const size_t numbers = size_t{header.tokens} + 1 + header.slots;
  if (header.magic != magic || !std::has_single_bit(header.slots) || header.tokens >= rank_mask ||
      bytes.size() != sizeof header + 4 * numbers + header.bytes)
    return std::nullopt;
  TokenTable table;
  table.tokens_ = header.tokens;
  table.mask_ = header.slots - 1;
  table.offsets_ = reinterpret_cast<const std::uint32_t*>(bytes.data() + sizeof header);
  table.slots_ = table.offsets_ + header.tokens + 1;
  table.bytes_ = reinterpret_cast<const char*>(table.slots_ + header.slots);
  return table;
}

std::uint32_t TokenTable::rank_of(std::string_view wanted) const {
  const std::uint64_t hash = hash_of(wanted);
  const std::uint32_t mark = mark_of(hash);
  for (std::uint32_t i = static_cast<std::uint32_t>(hash) & mask_; slots_[i] != 0; i = (i + 1) & mask_) {
    if ((slots_[i] & ~rank_mask) != mark) continue;
    const std::uint32_t rank = (slots_[i] & rank_mask) - 1;
    if (token(rank) == wanted) return rank;
  }
  return no_rank;
}

}  // namespace loci
