#include "tokens/estimate.h"

#include "base/unicode.h"

namespace loci {

std::int64_t estimate_tokens(std::string_view text) {
  std::int64_t cjk = 0, others = 0;
  for (size_t position = 0; position < text.size();)
    ++(classify(decode_code_point(text, position)) == CharacterClass::cjk ? cjk : others);
  return (others + 2 * cjk) / 4;
}

}  // namespace loci
