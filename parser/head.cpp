#include "parser/head.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/unicode.h"
#include "parser/comments.h"
#include "parser/front_values.h"
#include "parser/front_words.h"
#include "parser/headings.h"
#include "parser/tag_marks.h"
#include "parser/tag_names.h"
#include "parser/text_lines.h"
#include "parser/yaml.h"

namespace loci {
namespace {

constexpr std::string_view comment_end = "-->";

std::string_view from_first_shown(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    if (const char32_t c = decode_code_point(text, at); !is_white_space(c) && !is_unseen(c)) return text.substr(begin);
  }
  return {};
}

bool is_code_fence(std::string_view text) { return text.starts_with("```") || text.starts_with("~~~"); }

// To a person: marks without a word, but for a comment behind them, or three that are the same and one word ("---toml"). No
// heading, and no code.
bool looks_like_fence(std::string_view text) {
  const char first = text.front();
  if (first == '#' || is_code_fence(text)) return false;
  const bool is_mark = classify(static_cast<unsigned char>(first)) == CharacterClass::punctuation;
  if (is_mark && text.starts_with(std::string(3, first))) {
    const std::string_view behind = from_first_shown(text.substr(std::min(text.find_first_not_of(first), text.size())));
    if (behind.find_first_of(" \t") == std::string_view::npos) return true;
  }
  const std::string_view marks = text.substr(0, text.find(" #"));
  for (size_t at = 0; at < marks.size();) {
    const char32_t c = decode_code_point(marks, at);
    if (classify(c) != CharacterClass::punctuation && !is_white_space(c) && !is_unseen(c)) return false;
  }
  return true;
}

// What makes a heading of the line above it.
bool is_underline(std::string_view line) {
  constexpr size_t most_indent = 3;
  const size_t indent = line.find_first_not_of(' ');
  if (indent == std::string_view::npos || indent > most_indent || (line[indent] != '=' && line[indent] != '-')) return false;
  return is_blank(line.substr(std::min(line.find_first_not_of(line[indent], indent), line.size())));
}

// "**Date:** today" is one, too.
bool is_key(std::string_view line) {
  const bool is_bold = line.starts_with('*') && line.find_first_of(" \t") != 1;
  return (is_bold || !std::string_view("-*+#><|`[(!0123456789").contains(line.front())) &&
         line.find_first_of(":=") != std::string_view::npos;
}

// Indented, an item, or what closes brackets; "#a", but no heading.
bool is_below_key(std::string_view line) {
  if (line.starts_with('#')) return line.find_first_of(" \t#", 1) != 1;
  size_t at = 0;
  const bool is_item = std::string_view("-*+]}\"'").contains(line.front());
  return (is_item && !line.starts_with("---")) || is_white_space(decode_code_point(line, at));
}

// A mark that ends a sentence, behind a word and before a blank or the end.
bool ends_a_sentence(std::string_view text) {
  constexpr std::u32string_view ends = U".!?\u2026\u3002\uFF01\uFF1F";
  bool is_behind_word = false, is_behind_end = false;
  for (size_t at = 0; at < text.size();) {
    const char32_t c = decode_code_point(text, at);
    if (is_behind_end && is_white_space(c)) return true;
    is_behind_end = (is_behind_word || is_behind_end) && ends.contains(c);
    const CharacterClass kind = classify(c);
    is_behind_word = kind == CharacterClass::word || kind == CharacterClass::cjk || kind == CharacterClass::mark;
  }
  return is_behind_end;
}

bool is_short_as_a_tag(std::string_view item) {
  constexpr std::ptrdiff_t most_blanks = 2;
  return std::ranges::count(item, ' ') <= most_blanks;
}

bool is_sentence(std::string_view text) {
  if (!ends_a_sentence(text) || text.contains('#')) return false;
  return std::ranges::none_of(tag_items(text), is_short_as_a_tag);
}

bool is_item_like_a_tag(std::string_view line) {
  const std::string_view marker = list_marker(line);
  return !marker.empty() && is_short_as_a_tag(tag_name(line.substr(marker.size())));
}

class HeadReader {
 public:
  HeadReader(const Lines& lines, size_t first, HeadOf of)
      : lines_(lines), begin_(lines.begin(first)), line_(first), looked_at_(first), is_of_file_(of == HeadOf::file) {}

  Head run() {
    while (line_ < lines_.count() && lines_.end(line_) - begin_ <= longest_yaml && goes_on(lines_[line_])) ++line_;
    looked_at_ = std::max(looked_at_, line_);
    if (line_ >= lines_.count()) keep_waiting();
    return {.tags = std::move(tags_),
            .end = line_,
            .lines_read = std::min(looked_at_ + 1, lines_.count()),
            .is_open = looked_at_ >= lines_.count() || !lines_.is_terminated(looked_at_)};
  }

 private:
  // Takes a line if it is still one of the head.
  bool goes_on(std::string_view line) {
    const std::string_view text = from_first_shown(line);
    if (is_in_comment_ || text.starts_with("<!--")) return take_comment(text);
    if (text.empty()) return take_blank();
    if (is_at_empty_key_ && !is_item_like_a_tag(line) && !says_only_tags(text)) return false;
    is_at_empty_key_ = false;
    if (heading_level(line) > 0) return take_heading();
    if (take_key(line)) return keep_waiting();
    if (!is_fenced_ && behind_tags_key(line) != std::string_view::npos) return false;
    const bool is_ruled = text.starts_with(std::string(3, text.front()));
    if (!is_ruled && says_only_tags(text.substr(list_marker(text).size()))) return take_tags(text);
    if (looks_like_fence(text)) return take_fence();
    if (text.front() == '#' || text.front() == '<' || text.front() == '%') return is_fenced_ || !has_key_;
    return take_words(text);
  }

  // Its tags wait for what stands below: text has them for itself.
  bool take_comment(std::string_view text) {
    if (opens_metadata(text) || is_core_marker(text)) return false;  // of an entry
    if (!is_in_comment_) comment_ = line_;
    const size_t end = text.find(comment_end);
    is_in_comment_ = end == std::string_view::npos;
    if (is_in_comment_) return true;
    if (says_something(text.substr(end + comment_end.size()))) return false;
    const size_t begin = lines_.begin(comment_);
    wait_with(marked_tags(lines_.text().substr(begin, lines_.end(line_) - begin)));
    return true;
  }

  void wait_with(std::vector<std::string> tags) { std::ranges::move(tags, std::back_inserter(waiting_)); }

  bool keep_waiting() {
    add_tags(std::exchange(waiting_, {}));
    return true;
  }

  void add_tags(std::vector<std::string> tags) {
    for (const std::string& tag : tags) add_tag(tags_, tag);
  }

  // Between fences keys may stand apart. Without any they are the first text, as words are; but nothing stands behind that one.
  bool take_blank() {
    keep_waiting();
    is_at_empty_key_ = !is_fenced_ && is_in_tags_ && !has_value_;
    if (!is_at_empty_key_ && (is_fenced_ ? has_words_ && !has_key_ : has_key_)) return false;
    is_at_fence_ = has_key_ = has_words_ = false;
    return true;
  }

  bool take_heading() {
    if (!is_of_file_ || (has_key_ && !is_fenced_)) return false;
    return keep_waiting();
  }

  bool take_key(std::string_view line) {
    const size_t behind = behind_tags_key(line);
    const bool names_tags = behind != std::string_view::npos;
    if (names_tags && !is_fenced_ && is_sentence(line.substr(behind))) return false;
    is_in_tags_ = names_tags || (is_in_tags_ && is_below_key(line));
    if (!is_in_tags_ && !is_key(line)) return false;
    has_key_ = true;
    if (is_in_tags_) {
      add_words_as_tags(tags_, line.substr(names_tags ? behind : 0));
      has_value_ = !names_tags || !tag_items(line.substr(behind)).empty();
    } else if (is_fenced_ || line.starts_with('{') || says_only_tags(line.substr(line.find_first_of(":=") + 1))) {
      take_value(line);
    }
    return true;
  }

  // Of another key, which may hold keys of its own: {"title":"x","tags":["a"]}.
  void take_value(std::string_view line) {
    if (may_hold_tags(line)) add_tags(read_front_values(line).tags);
    add_tags(marked_tags(line));
  }

  bool take_fence() {
    is_fenced_ = is_at_fence_ = true;
    has_key_ = has_words_ = false;
    return keep_waiting();
  }

  // "#private", or "<div><!-- #private --></div>".
  bool take_tags(std::string_view text) {
    if (text.front() == '<') {
      wait_with(marked_tags(text));
      return true;
    }
    add_tags(marked_tags(text));
    return keep_waiting();
  }

  // Between fences a line may have a fault.
  bool take_words(std::string_view text) {
    has_words_ = true;
    if (is_fenced_ && (is_at_fence_ || has_key_) && !is_code_fence(text)) return true;
    return take_underlined(text);
  }

  // A heading, of which the last line is taken.
  bool take_underlined(std::string_view text) {
    if (!is_of_file_ || has_key_ || is_code_fence(text) || text.front() == '>' || !list_marker(text).empty()) return false;
    for (looked_at_ = line_ + 1; looked_at_ < lines_.count() && lines_.end(looked_at_) - begin_ <= longest_yaml; ++looked_at_) {
      const std::string_view below = lines_[looked_at_];
      if (is_underline(below)) {
        line_ = looked_at_;
        has_words_ = false;
        return keep_waiting();
      }
      if (is_blank(below) || heading_level(below) > 0 || is_code_fence(from_first_shown(below))) return false;
    }
    return false;
  }

  const Lines& lines_;
  size_t begin_, line_, looked_at_, comment_ = 0;
  bool is_of_file_;
  std::vector<std::string> tags_, waiting_;
  bool is_in_comment_ = false;
  bool is_fenced_ = false;                    // a fence stands somewhere above
  bool is_at_fence_ = false;                  // and no blank line in between
  bool has_key_ = false, has_words_ = false;  // of the lines behind the last fence or blank line
  bool is_in_tags_ = false;                   // below the key for them
  bool has_value_ = false;                    // of which something stands there
  bool is_at_empty_key_ = false;              // and if nothing does, behind a blank line
};

}  // namespace

Head read_head(const Lines& lines, size_t first, HeadOf of) { return HeadReader(lines, first, of).run(); }

}  // namespace loci
