// A text -> the pieces that an encoding merges bytes within: words with the blank before them, up to three digits, runs of marks,
// white space. The patterns are those of OpenAI's tiktoken (tiktoken_ext/openai_public.py), worded for PCRE2. Any thread.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

namespace loci {

enum class Encoding : std::uint8_t { cl100k_base, o200k_base };

class Splitter {
 public:
  // One for each encoding, made on first use. Null if PCRE2 cannot compile the pattern.
  static const Splitter* of(Encoding encoding);

  // `text` is valid UTF-8. The pieces follow each other without a gap. False if PCRE2 gave up, in the middle of the text.
  bool split(std::string_view text, const std::function<void(std::string_view piece)>& visit) const;

  ~Splitter();

 private:
  explicit Splitter(Encoding encoding);

  struct Patterns;
  std::unique_ptr<Patterns> patterns_;
};

}  // namespace loci
