#include "model/error_text.h"

#include "base/unicode.h"

namespace loci {
namespace {

constexpr size_t longest = 300;  // characters

// Marks that turn the direction of text, or have no width: they hide what stands beside them.
bool is_invisible(char32_t c) {
  return (c >= 0x200B && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || c == 0xAD ||
         (c >= 0xE0000 && c <= 0xE007F);
}

std::string one_line(std::string_view text) {
  std::string out;
  for (size_t position = 0; position < text.size();) {
    const char32_t c = decode_code_point(text, position);
    if (is_invisible(c)) continue;
    if (classify(c) != CharacterClass::space)
      append_code_point(out, c);
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

void shorten(std::string& text) {
  size_t position = 0;
  for (size_t characters = 0; characters < longest && position < text.size(); ++characters) decode_code_point(text, position);
  if (position < text.size()) text.resize(position), text += "…";
}

}  // namespace

std::string error_text(std::string_view text, std::string_view key) {
  // In this order: what was taken out could have stood inside of the key, and half a key is not found.
  std::string out = one_line(text);
  if (!key.empty())
    for (size_t at = out.find(key); at != std::string::npos; at = out.find(key, at + 5)) out.replace(at, key.size(), "[key]");
  shorten(out);
  return out;
}

}  // namespace loci
