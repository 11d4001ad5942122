#include "recall/snippet.h"

#include <algorithm>
#include <cstdint>

#include "base/unicode.h"

namespace loci {
namespace {

constexpr size_t longest_text = size_t{256} << 10;  // bytes that are looked at
constexpr size_t lead_in = 40;                      // code points before the first word that was found

std::string_view without_cut_character(std::string_view text, size_t length) {
  if (text.size() <= length) return text;
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) --length;
  return text.substr(0, length);
}

std::string on_one_line(std::string_view text) {
  std::string line;
  bool blank = false;
  for (size_t position = 0; position < text.size();) {
    const char32_t c = decode_code_point(text, position);
    if (classify(c) == CharacterClass::space) {
      blank = !line.empty();
    } else {
      if (blank) line += ' ';
      blank = false;
      append_code_point(line, c);
    }
  }
  return line;
}

struct Found {
  size_t at = 0;    // number of the code point where the word begins
  size_t word = 0;  // which
};

// A line as code points, with the places where words begin.
class Line {
 public:
  explicit Line(std::string_view line) : line_(line) {
    for (size_t position = 0; position < line.size();) {
      starts_.push_back(position);
      decode_code_point(line, position);
    }
  }

  size_t size() const { return starts_.size(); }

  std::string_view part(size_t begin, size_t end) const {
    const size_t from = begin < size() ? starts_[begin] : line_.size();
    const size_t to = end < size() ? starts_[end] : line_.size();
    return line_.substr(from, to - from);
  }

  std::vector<Found> find(const std::vector<std::string>& words) const {
    std::vector<Found> found;
    std::string folded;
    for (size_t begin = 0; begin < size();) {
      size_t end = begin + 1;
      if (kind(begin) == CharacterClass::word)
        while (end < size() && (kind(end) == CharacterClass::word || kind(end) == CharacterClass::mark)) ++end;
      const bool unspaced = kind(begin) == CharacterClass::cjk || kind(begin) == CharacterClass::emoji;
      folded = unspaced ? std::string(part(begin, begin + snippet_length)) : fold(part(begin, end));
      for (size_t word = 0; word < words.size(); ++word)
        if (!words[word].empty() && folded.starts_with(words[word])) found.push_back({begin, word});
      begin = end;
    }
    return found;
  }

  bool is_blank(size_t at) const { return kind(at) == CharacterClass::space; }

 private:
  CharacterClass kind(size_t at) const {
    size_t position = starts_[at];
    return classify(decode_code_point(line_, position));
  }

  std::string_view line_;
  std::vector<size_t> starts_;
};

// The place from which on most different words stand within one snippet.
size_t best_begin(const std::vector<Found>& found, size_t words) {
  size_t best = 0, most = 0;
  std::vector<size_t> seen(words, SIZE_MAX);
  for (size_t i = 0; i < found.size(); ++i) {
    size_t different = 0;
    for (size_t j = i; j < found.size() && found[j].at < found[i].at + snippet_length - lead_in; ++j) {
      different += seen[found[j].word] != i;
      seen[found[j].word] = i;
    }
    if (different > most) {
      most = different;
      best = found[i].at;
    }
  }
  return best;
}

}  // namespace

std::string snippet_of(std::string_view text, const std::vector<std::string>& words) {
  std::string whole = on_one_line(without_cut_character(text, longest_text));
  const Line line(whole);
  if (line.size() <= snippet_length) return whole;
  size_t begin = best_begin(line.find(words), words.size());
  begin = std::min(begin > lead_in ? begin - lead_in : 0, line.size() - snippet_length);
  size_t end = begin + snippet_length;
  if (begin > 0)
    for (size_t i = begin; i < begin + lead_in; ++i)
      if (line.is_blank(i)) {
        begin = i + 1;
        break;
      }
  if (end < line.size())
    for (size_t i = end; i > end - lead_in; --i)
      if (line.is_blank(i)) {
        end = i;
        break;
      }
  return (begin > 0 ? "…" : "") + std::string(line.part(begin, end)) + (end < line.size() ? "…" : "");
}

}  // namespace loci
