#include "model/tokens.h"

#include "base/unicode.h"

namespace loci {

std::int64_t count_tokens(std::string_view text) {
  std::int64_t cjk = 0, others = 0;
  for (size_t position = 0; position < text.size();)
    ++(classify(decode_code_point(text, position)) == CharacterClass::cjk ? cjk : others);
  return others / 4 + cjk / 2;
}

}  // namespace loci
