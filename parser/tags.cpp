#include "parser/tags.h"

#include <algorithm>

#include "base/unicode.h"
#include "parser/backticks.h"
#include "parser/lines.h"
#include "parser/tag_names.h"

namespace loci {
namespace {

// The sign in each of its widths.
constexpr std::string_view number_signs[] = {"#", "\uFF03", "\uFE5F"};

// A tag stands behind a blank of any kind, at the start, and behind what is not shown: nobody sees that it is there.
bool may_stand_behind(std::string_view before) {
  if (before.empty()) return true;
  size_t begin = before.size() - 1;
  while (begin > 0 && (static_cast<unsigned char>(before[begin]) & 0xC0) == 0x80) --begin;
  const char32_t c = decode_code_point(before, begin);
  return is_white_space(c) || is_unseen(c);
}

// The tag behind the # before `position`, which moves behind it; empty if there is none.
std::string_view take_tag(std::string_view text, size_t& position) {
  const size_t begin = position;
  while (position < text.size()) {
    size_t next = position;
    if (!is_tag_character(decode_code_point(text, next))) break;
    position = next;
  }
  std::string_view tag = text.substr(begin, position - begin);
  while (tag.ends_with('/')) tag.remove_suffix(1);
  if (tag.find_first_not_of("0123456789/") == std::string_view::npos || tag_name(tag).empty()) return {};
  return tag;
}

// One paragraph: code spans end inside it.
class ParagraphScanner {
 public:
  ParagraphScanner(std::string_view text, std::vector<std::string>& tags) : text_(text), tags_(tags), backticks_(text) {}

  void run() {
    for (size_t position = 0; position < text_.size();) {
      position = text_.find_first_of("#`\xEF", position);  // the wide signs begin with that byte
      if (position == std::string_view::npos) return;
      if (text_[position] == '`')
        position = behind_code_span(position);
      else
        position = behind_tag(position);
    }
  }

 private:
  size_t behind_tag(size_t hash) {
    size_t position = hash;
    if (!is_number_sign(decode_code_point(text_, position)) || !may_stand_behind(text_.substr(0, hash))) return position;
    const std::string_view tag = take_tag(text_, position);
    if (!tag.empty() && tags_.size() < most_tags_read) tags_.emplace_back(tag);
    return position;
  }

  // Behind the span that opens here; behind the backticks if nothing closes it.
  size_t behind_code_span(size_t open) {
    const size_t length = backticks_.length_at(open), inside = open + length;
    const size_t closing = backticks_.closing(inside, length);
    return closing == std::string_view::npos ? inside : closing + length;
  }

  std::string_view text_;
  std::vector<std::string>& tags_;
  Backticks backticks_;
};

struct FenceLine {
  char mark = 0;  // 0: the line is none
  size_t length = 0;
  std::string_view rest;  // behind the marks

  bool opens() const { return mark != 0 && (mark != '`' || rest.find('`') == std::string_view::npos); }
  bool closes(const FenceLine& open) const { return mark == open.mark && length >= open.length && is_blank(rest); }
};

// Behind any indentation, quote marks and bullets.
FenceLine read_fence(std::string_view line) {
  const size_t start = line.find_first_not_of(" \t>-*+");
  if (start == std::string_view::npos || (line[start] != '`' && line[start] != '~')) return {};
  const size_t end = std::min(line.find_first_not_of(line[start], start), line.size());
  if (end - start < 3) return {};
  return {line[start], end - start, line.substr(end)};
}

// Cuts a text into paragraphs, without the fenced code between them.
class TextScanner {
 public:
  explicit TextScanner(std::string_view text) : text_(text) {}

  std::vector<std::string> run() {
    for (size_t begin = 0; begin < text_.size();) {
      const size_t end = std::min(text_.find('\n', begin), text_.size());
      take_line(text_.substr(begin, end - begin), begin, std::min(end + 1, text_.size()));
      begin = end + 1;
    }
    if (fence_.mark == 0) scan_paragraph(text_.size());
    return std::move(tags_);
  }

 private:
  void take_line(std::string_view line, size_t begin, size_t next) {
    const FenceLine fence = read_fence(line);
    if (fence_.mark != 0) {
      if (fence.closes(fence_)) fence_ = {};
      paragraph_ = next;
    } else if (fence.opens() || is_blank(line)) {
      scan_paragraph(begin);
      if (fence.opens()) fence_ = fence;
      paragraph_ = next;
    }
  }

  void scan_paragraph(size_t end) { ParagraphScanner(text_.substr(paragraph_, end - paragraph_), tags_).run(); }

  std::string_view text_;
  std::vector<std::string> tags_;
  FenceLine fence_;       // that is open
  size_t paragraph_ = 0;  // where the paragraph starts
};

}  // namespace

std::vector<std::string> find_tags(std::string_view text) {
  if (std::ranges::none_of(number_signs, [&](std::string_view sign) { return text.contains(sign); })) return {};
  return TextScanner(text).run();
}

}  // namespace loci
