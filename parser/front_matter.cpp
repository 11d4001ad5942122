#include "parser/front_matter.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "base/unicode.h"
#include "parser/comments.h"
#include "parser/front_values.h"
#include "parser/front_words.h"
#include "parser/tag_marks.h"

namespace loci {
namespace {

constexpr std::string_view blanks = " \t";

bool is_fence(std::string_view line, std::string_view fence) {
  if (!line.starts_with(fence)) return false;
  const std::string_view rest = line.substr(fence.size());
  const size_t behind = rest.find_first_not_of(blanks);
  return behind == std::string_view::npos || (behind > 0 && rest[behind] == '#');
}

std::string_view from_first_shown(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    if (const char32_t c = decode_code_point(text, at); !is_white_space(c) && !is_unseen(c)) return text.substr(begin);
  }
  return {};
}

// To a person: marks without a word, but for a comment behind them, or three that are the same and one word ("---toml"). No
// heading, and no code.
bool looks_like_fence(std::string_view text) {
  const char first = text.front();
  if (first == '#' || text.starts_with("```") || text.starts_with("~~~")) return false;
  const bool is_mark = classify(static_cast<unsigned char>(first)) == CharacterClass::punctuation;
  if (is_mark && text.starts_with(std::string(3, first))) {
    const std::string_view behind = from_first_shown(text.substr(std::min(text.find_first_not_of(first), text.size())));
    if (behind.find_first_of(blanks) == std::string_view::npos) return true;
  }
  const std::string_view marks = text.substr(0, text.find('#'));
  for (size_t at = 0; at < marks.size();) {
    const char32_t c = decode_code_point(marks, at);
    if (classify(c) != CharacterClass::punctuation && !is_white_space(c) && !is_unseen(c)) return false;
  }
  return true;
}

bool looks_like_yaml(std::string_view line) {
  if (is_blank(line) || line == "-") return true;
  if (blanks.contains(line.front()) || line.starts_with("- ")) return true;
  if (line.front() == '#' || line.front() == ']' || line.front() == '}') return true;
  return find_key_end(line) != std::string_view::npos;
}

// Said of the first line that holds something: a key ends on its line, unless brackets or a mark in front allow more.
bool may_begin_mapping(std::string_view line) {
  return line.contains(':') || std::string_view("{?&!").contains(line[line.find_first_not_of(blanks)]);
}

bool is_comment(std::string_view line) { return line[line.find_first_not_of(blanks)] == '#'; }

// A line that begins with the word, or one made of it, however it is written.
bool names_tags(std::string_view line) {
  const size_t begin = std::min(line.find_first_not_of(" \t\"'?-"), line.size());
  return fold(line.substr(begin, 3)) == "tag";
}

// "title: Doctor #private" says it of the whole note.
void add_marks(std::vector<std::string>& tags, std::string_view block) {
  std::unordered_set<std::string> known(tags.begin(), tags.end());
  for (const std::string& name : marked_tags(block))
    if (known.insert(name).second) add_tag(tags, name);
}

// Looks for the fence that closes, for as long as what stands before it may be front matter.
class FenceSearch {
 public:
  explicit FenceSearch(const Lines& lines) : lines_(lines) {}

  FrontMatter run() {
    for (size_t line = 1; line < lines_.count(); ++line) {
      const std::string_view text = lines_[line];
      if (is_fence(text, "---") || is_fence(text, "...")) return closed_at(line);
      take(text);
      if (!looks_like_yaml_ && (!may_be_mapping_ || lines_.end(line) - lines_.begin(1) > longest_yaml))
        return none_before(line + 1);
    }
    return {.undecided = true};
  }

 private:
  void take(std::string_view text) {
    looks_like_yaml_ = looks_like_yaml_ && looks_like_yaml(text);
    names_tags_ = names_tags_ || names_tags(text);
    if (has_begun_ || is_blank(text) || is_comment(text)) return;
    has_begun_ = true;
    may_be_mapping_ = may_begin_mapping(text);
  }

  FrontMatter closed_at(size_t line) {
    const size_t begin = lines_.begin(1);
    FrontValues values = read_front_values(lines_.text().substr(begin, lines_.begin(line) - begin));
    const bool is_front_matter = looks_like_yaml_ || values.is_mapping;
    if (!is_front_matter && !names_tags_) return none_before(line + 1);
    if (values.error) ++values.error->line;
    return {.lines = is_front_matter ? line + 1 : 0,
            .lines_read = line + 1,
            .undecided = !is_front_matter,  // its tags are of the whole file: nothing behind can be read without it
            .tags = std::move(values.tags),
            .date = std::move(values.date),
            .error = std::move(values.error)};
  }

  FrontMatter none_before(size_t line) const { return {.lines_read = line, .undecided = !lines_.is_terminated(line - 1)}; }

  const Lines& lines_;
  bool looks_like_yaml_ = true;
  bool may_be_mapping_ = true;
  bool names_tags_ = false;
  bool has_begun_ = false;
};

// What a person may take for metadata at the head of a file, up to its first text: keys, behind headings, HTML and fences of any
// kind, one behind the other. Nothing but its tags is taken.
class Head {
 public:
  Head(const Lines& lines, size_t first) : lines_(lines), line_(first) {}

  FrontMatter run(FrontMatter front) {
    const size_t begin = lines_.begin(line_);
    while (line_ < lines_.count() && lines_.end(line_) - begin <= longest_yaml && goes_on(lines_[line_])) ++line_;
    const bool is_at_end = line_ >= lines_.count() || !lines_.is_terminated(line_);
    front.undecided = front.undecided || is_at_end || !tags_.empty();  // they are of the whole file, as above
    front.lines_read = std::max(front.lines_read, std::min(line_ + 1, lines_.count()));
    std::ranges::move(tags_, std::back_inserter(front.tags));
    return front;
  }

 private:
  // Takes a line if it is still one of the head.
  bool goes_on(std::string_view line) {
    const std::string_view text = from_first_shown(line);
    if (is_in_comment_ || text.starts_with("<!--")) return take_comment(text);
    if (text.empty()) return take_blank();
    if (take_key(line)) return true;
    if (looks_like_fence(text)) return take_fence();
    if (text.front() == '#' || text.front() == '<' || text.front() == '%') return is_fenced_ || !has_key_;
    return take_words(text);
  }

  bool take_comment(std::string_view text) {
    if (!is_in_comment_ && (opens_metadata(text) || is_core_marker(text))) return false;  // of an entry
    const size_t end = text.find("-->");
    is_in_comment_ = end == std::string_view::npos;
    return is_in_comment_ || from_first_shown(text.substr(end + 3)).empty();
  }

  // Between fences keys may stand apart. Without any they are the first text, as words are.
  bool take_blank() {
    if (is_fenced_ ? has_words_ && !has_key_ : has_key_) return false;
    is_at_fence_ = has_key_ = has_words_ = false;
    return true;
  }

  bool take_key(std::string_view line) {
    const size_t behind = behind_tags_key(line);
    const bool names_tags = behind != std::string_view::npos;
    is_in_tags_ = names_tags || (is_in_tags_ && is_below_key(line));
    if (!is_in_tags_ && !is_key(line)) return false;
    has_key_ = true;
    if (is_in_tags_)
      add_words_as_tags(tags_, line.substr(names_tags ? behind : 0));
    else if (is_fenced_ || line.starts_with('{'))
      take_value(line);
    return true;
  }

  // Of another key, which may hold keys of its own: {"title":"x","tags":["a"]}.
  void take_value(std::string_view line) {
    if (may_hold_tags(line)) std::ranges::move(read_front_values(line).tags, std::back_inserter(tags_));
    std::ranges::move(marked_tags(line), std::back_inserter(tags_));
  }

  bool take_fence() {
    is_fenced_ = is_at_fence_ = true;
    has_key_ = has_words_ = false;
    return true;
  }

  // Between fences a line may have a fault.
  bool take_words(std::string_view text) {
    const bool is_code = text.starts_with("```") || text.starts_with("~~~");
    has_words_ = true;
    return is_fenced_ && (is_at_fence_ || has_key_) && !is_code;
  }

  // "**Date:** today" is one, too.
  static bool is_key(std::string_view line) {
    const bool is_bold = line.starts_with('*') && line.find_first_of(" \t") != 1;
    return (is_bold || !std::string_view("-*+#><|`[(!0123456789").contains(line.front())) &&
           line.find_first_of(":=") != std::string_view::npos;
  }

  // Indented, an item, or what closes brackets; "#a", but no heading.
  static bool is_below_key(std::string_view line) {
    if (line.starts_with('#')) return line.find_first_of(" \t#", 1) != 1;
    size_t at = 0;
    const bool is_item = std::string_view("-*+]}\"'").contains(line.front());
    return (is_item && !line.starts_with("---")) || is_white_space(decode_code_point(line, at));
  }

  const Lines& lines_;
  size_t line_;
  std::vector<std::string> tags_;
  bool is_in_comment_ = false;
  bool is_fenced_ = false;                    // a fence stands somewhere above
  bool is_at_fence_ = false;                  // and no blank line in between
  bool has_key_ = false, has_words_ = false;  // of the lines behind the last fence or blank line
  bool is_in_tags_ = false;                   // below the key for them
};

}  // namespace

FrontMatter read_front_matter(const Lines& lines) {
  FrontMatter front;
  if (lines.count() > 0 && is_fence(lines[0], "---")) front = FenceSearch(lines).run();
  if (front.lines > 0) add_marks(front.tags, lines.text().substr(lines.begin(0), lines.begin(front.lines) - lines.begin(0)));
  return Head(lines, front.lines).run(std::move(front));
}

}  // namespace loci
