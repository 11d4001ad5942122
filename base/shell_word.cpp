#include "base/shell_word.h"

namespace loci {

std::string shell_word(std::string_view word) {
  constexpr std::string_view special = " \t!\"#$&'()*;<>?[\\]^`{|}~";
  std::string out;
  for (const char c : word) {
    if (special.contains(c)) out += '\\';
    out += c;
  }
  return out;
}

}  // namespace loci
