#include "context/data_text.h"

#include "base/unicode.h"
#include "indexer/tokens.h"

namespace loci {
namespace {

void append_escaped(std::string& out, char32_t code_point) {
  if (code_point == U'&')
    out += "&amp;";
  else if (code_point == U'<')
    out += "&lt;";
  else if (code_point == U'>')
    out += "&gt;";
  else
    append_code_point(out, code_point);
}

class JoinedWords final : public TokenSink {
 public:
  bool take(const Token& token) override {
    text.append(token.term).append(" ");
    return true;
  }
  std::string text = " ";
};

}  // namespace

std::string as_data(std::string_view text) {
  const std::string clean = scrub_utf8(text);
  std::string out;
  for (size_t position = 0; position < clean.size();) append_escaped(out, decode_code_point(clean, position));
  return out;
}

std::string as_data_line(std::string_view text) {
  const std::string clean = scrub_utf8(text);
  std::string out;
  bool is_apart = false;
  for (size_t position = 0; position < clean.size();) {
    const char32_t code_point = decode_code_point(clean, position);
    if (classify(code_point) == CharacterClass::space) {
      is_apart = true;
      continue;
    }
    if (is_apart && !out.empty()) out += ' ';
    is_apart = false;
    append_escaped(out, code_point);
  }
  return out;
}

std::string joined_words_of(std::string_view text) {
  thread_local Tokenizer tokenizer;
  JoinedWords words;
  tokenizer.tokenize(text, TokenForm::plain, words);
  return std::move(words.text);
}

}  // namespace loci
