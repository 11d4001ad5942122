// The ranks of an encoding as one block of bytes that is read where it lies: nothing is parsed or copied when a program starts.
// Made at build time (pack_table.cpp) from the encoding's own file, and a part of the program.
//
//   header   magic, number of tokens, number of slots (a power of two), number of bytes      4 × 4 bytes
//   offsets  where the bytes of each token begin, by rank, and the end of the last           4 bytes each
//   slots    a hash table with linear probing: rank + 1 in the lower 18 bits, 0: free; the    4 bytes each
//            upper bits of the hash above them, so that most of what is not there is told without a look at its bytes
//   bytes    of all tokens
//
// Numbers are in the byte order of the machine. A view: immutable, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loci {

inline constexpr std::uint32_t no_rank = UINT32_MAX;

class TokenTable {
 public:
  // Nothing if these are no such bytes.
  static std::optional<TokenTable> read(std::span<const std::byte> bytes);

  // The tokens by rank -> the bytes of a table. The program that is run while loci is built calls it.
  static std::string pack(const std::vector<std::string>& tokens);

  // no_rank: it is no token.
  std::uint32_t rank_of(std::string_view token) const;
  std::uint32_t size() const { return tokens_; }

 private:
  std::string_view token(std::uint32_t rank) const { return {bytes_ + offsets_[rank], offsets_[rank + 1] - offsets_[rank]}; }

  const std::uint32_t* offsets_ = nullptr;
  const std::uint32_t* slots_ = nullptr;
  const char* bytes_ = nullptr;
  std::uint32_t tokens_ = 0, mask_ = 0;
};

// The table that is a part of the program; empty where it was built without. `name` is "cl100k_base" or "o200k_base".
std::span<const std::byte> built_in_table(std::string_view name);

}  // namespace loci
