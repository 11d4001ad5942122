// Text -> index terms. What a document and a query have to agree on is here and nowhere else; FTS5 sees it through tokenizer.h.
// One object belongs to one thread. Never fails: any bytes are some text. Another result for some text needs another schema number.
//
//   words        folded (lower case, no diacritics), English stem; the unstemmed word too, marked with "=", at the same place
//   camelCase    the whole word; its parts at the same place
//   foo_bar a-b  a sequence of words: a query asks for its parts next to each other
//   v1.2.3 x/y   likewise
//   John's       without the 's
//   CJK, Thai, … one term a code point
//   emoji        one term a code point
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct sb_stemmer;

namespace loci {

// Folded words are cut to this many bytes, so that a line of base64 is one small term.
inline constexpr size_t max_term_bytes = 64;
// In front of an unstemmed word in the index. No stem begins with it.
inline constexpr char original_mark = '=';

struct Token {
  std::string_view term;      // valid during the call
  bool colocated = false;     // stands at the place of the token before it
  size_t begin = 0, end = 0;  // bytes of the text
};

class TokenSink {
 public:
  virtual ~TokenSink() = default;
  virtual bool take(const Token& token) = 0;  // false: stop
};

enum class TokenForm : std::uint8_t {
  index,  // stems, unstemmed words, parts
  query,  // stems
  plain,  // unstemmed words
};

class Tokenizer {
 public:
  Tokenizer();
  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;
  ~Tokenizer();

  // The tokens of `text` in order; false if the sink stopped.
  bool tokenize(std::string_view text, TokenForm form, TokenSink& sink);

  // The English stem of a folded word; valid until the next call.
  std::string_view stem(std::string_view word);

 private:
  struct Word;
  struct Memo;

  std::string_view stem_anew(std::string_view word);
  bool emit(const Word& word, TokenForm form, TokenSink& sink);
  bool emit_parts(const Word& word, std::string_view whole, TokenSink& sink);

  struct Delete {
    void operator()(sb_stemmer* stemmer) const;
  };
  std::unique_ptr<sb_stemmer, Delete> stemmer_;
  std::unique_ptr<Memo> memo_;
};

}  // namespace loci
