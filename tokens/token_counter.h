// How many tokens a text is to a model: byte-pair encoding, exactly as OpenAI's tiktoken does it with `encode_ordinary` (what looks
// like a special token is text). Where the table of the encoding is missing it is an estimate (tokens/estimate.h): who counts can
// tell, and nothing fails. Immutable, any thread; making one costs nothing until it counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tokens/splitter.h"
#include "tokens/token_table.h"

namespace loci {

// Nothing for a name that is none.
std::optional<Encoding> encoding_from(std::string_view name);
std::string_view name_of(Encoding encoding);

struct TokenCount {
  std::int64_t tokens = 0;
  bool exact = false;  // false: estimated

  bool operator==(const TokenCount&) const = default;
};

class TokenCounter {
 public:
  explicit TokenCounter(Encoding encoding) : TokenCounter(encoding, TokenTable::read(built_in_table(name_of(encoding)))) {}
  TokenCounter(Encoding encoding, std::optional<TokenTable> table) : encoding_(encoding), table_(table) {}

  // Bytes that are no UTF-8 count as U+FFFD.
  TokenCount count(std::string_view text) const;
  // The tokens themselves; nothing if they can only be estimated.
  std::optional<std::vector<std::uint32_t>> encode(std::string_view text) const;

 private:
  Encoding encoding_;
  std::optional<TokenTable> table_;
};

}  // namespace loci
