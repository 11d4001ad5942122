#include "context/sentences.h"

#include "base/unicode.h"
#include "context/data_text.h"

namespace loci {
namespace {

constexpr std::string_view ellipsis = "…";

bool ends_sentence(char32_t c) { return c == U'.' || c == U'!' || c == U'?'; }
bool ends_cjk_sentence(char32_t c) { return c == U'。' || c == U'！' || c == U'？'; }

std::string_view trimmed(std::string_view text) {
  constexpr const char* blanks = " \t\r\n";
  const size_t begin = text.find_first_not_of(blanks);
  return begin == std::string_view::npos ? std::string_view{} : text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

size_t stems_in(std::string_view sentence, const StemCounts& wanted) {
  size_t count = 0;
  for (const auto& [stem, occurrences] : stems_without_function_words(sentence)) count += wanted.contains(stem) ? 1 : 0;
  return count;
}

class Stretch {
 public:
  Stretch(const std::vector<std::string_view>& sentences, size_t start) : sentences_(sentences), begin_(start), end_(start + 1) {}

  std::string line() const {
    std::string line = begin_ > 0 ? std::string(ellipsis) : std::string();
    for (size_t i = begin_; i < end_; ++i) line += (line.empty() ? "" : " ") + as_data_line(sentences_[i]);
    if (end_ < sentences_.size()) line += " " + std::string(ellipsis);
    return line;
  }

  // One sentence more behind, else before, as long as it fits.
  void grow(const TokenCounter& counter) {
    for (bool grew = true; grew;) {
      grew = try_to(end_ < sentences_.size(), end_, 1, counter);
      grew |= try_to(begin_ > 0, begin_, -1, counter);
    }
  }

 private:
  bool try_to(bool possible, size_t& border, int step, const TokenCounter& counter) {
    if (!possible) return false;
    border += static_cast<size_t>(step);
    if (counter.count(line()).tokens <= longest_text) return true;
    border -= static_cast<size_t>(step);
    return false;
  }

  const std::vector<std::string_view>& sentences_;
  size_t begin_, end_;
};

// The longest beginning, in whole characters of the line, that fits with the mark of omission behind it.
std::string beginning_of(const std::string& line, const TokenCounter& counter) {
  const auto cut = [&](size_t bytes) {
    while (bytes > 0 && (static_cast<unsigned char>(line[bytes]) & 0xC0) == 0x80) --bytes;
    const size_t entity = line.rfind('&', bytes);  // "&am" would be no escape any more
    if (entity != std::string::npos && entity < bytes && line.find(';', entity) >= bytes) bytes = entity;
    return line.substr(0, bytes) + std::string(ellipsis);
  };
  size_t fits = 0, too_long = line.size();
  while (fits + 1 < too_long) {
    const size_t middle = (fits + too_long) / 2;
    (counter.count(cut(middle)).tokens <= longest_text ? fits : too_long) = middle;
  }
  return cut(fits);
}

}  // namespace

std::vector<std::string_view> sentences_of(std::string_view text) {
  std::vector<std::string_view> sentences;
  size_t begin = 0;
  const auto finish = [&](size_t end) {
    if (const auto sentence = trimmed(text.substr(begin, end - begin)); !sentence.empty()) sentences.push_back(sentence);
    begin = end;
  };
  for (size_t position = 0; position < text.size();) {
    const char32_t c = decode_code_point(text, position);
    const bool before_blank = position < text.size() && (text[position] == ' ' || text[position] == '\t');
    if (c == U'\n' || ends_cjk_sentence(c) || (ends_sentence(c) && before_blank)) finish(position);
  }
  finish(text.size());
  return sentences;
}

std::string line_around_match(std::string_view text, const StemCounts& wanted, const TokenCounter& counter) {
  std::string line = as_data_line(text);
  if (static_cast<std::int64_t>(line.size()) <= longest_text || counter.count(line).tokens <= longest_text) return line;
  const auto sentences = sentences_of(text);
  size_t best = 0, most = 0;
  for (size_t i = 0; i < sentences.size(); ++i)
    if (const size_t found = stems_in(sentences[i], wanted); found > most) {
      best = i;
      most = found;
    }
  Stretch stretch(sentences, best);
  if (line = stretch.line(); counter.count(line).tokens > longest_text) return beginning_of(line, counter);
  stretch.grow(counter);
  return stretch.line();
}

}  // namespace loci
