#include "parser/front_matter.h"

#include <algorithm>
#include <unordered_set>

#include "base/unicode.h"
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

// To a person: dashes of any kind or plus signs, three of them or one that is as long, and whatever is not shown.
bool looks_like_fence(std::string_view line) {
  constexpr std::u32string_view marks = U"-+\u2010\u2011\u2012\u2013\u2014\u2015\u2212\uFE58\uFE63\uFF0D";
  size_t bytes = 0;
  for (size_t at = 0; at < line.size();) {
    const size_t begin = at;
    const char32_t c = decode_code_point(line, at);
    if (is_white_space(c) || is_unseen(c)) continue;
    if (bytes > 0 && c == '#') break;
    if (!marks.contains(c)) return false;
    bytes += at - begin;
  }
  return bytes >= 3;
}

bool looks_blank(std::string_view line) {
  for (size_t at = 0; at < line.size();)
    if (const char32_t c = decode_code_point(line, at); !is_white_space(c) && !is_unseen(c)) return false;
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

// Looks for the fence that closes, for as long as what stands before it may be front matter.
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

// What only looks like front matter: nothing but its tags is taken.
class LooseHeader {
 public:
  explicit LooseHeader(const Lines& lines) : lines_(lines) {}

  FrontMatter run(FrontMatter front) {
    size_t line = 0;
    while (line < lines_.count() && looks_blank(lines_[line])) ++line;
    is_fenced_ = line < lines_.count() && looks_like_fence(lines_[line]);
    if (is_fenced_) ++line;
    const size_t first = line;
    while (line < lines_.count() && lines_.end(line) - lines_.begin(first) <= longest_yaml && goes_on(line, first)) take(line++);
    const size_t looked_at = std::min(line + 2, lines_.count());  // with the one behind a blank line
    const bool is_at_end = line >= lines_.count() || !lines_.is_terminated(looked_at - 1);
    const bool has_begun = is_fenced_ || line > first;
    front.undecided = front.undecided || (has_begun && is_at_end) || !tags_.empty();  // they are of the whole file, as above
    if (has_begun) front.lines_read = std::max(front.lines_read, looked_at);
    front.tags = std::move(tags_);
    return front;
  }

 private:
  // Between fences whatever begins with a key, over blank lines where another follows. Else keys, and what belongs to that for
  // tags.
  bool goes_on(size_t line, size_t first) const {
    const std::string_view text = lines_[line];
    if (is_fenced_ && looks_like_fence(text)) return false;
    if (looks_blank(text)) return is_fenced_ && (line + 1 >= lines_.count() || may_follow_blank(lines_[line + 1]));
    return is_key(text) || (is_fenced_ && line > first) || (is_in_tags_ && is_below_key(text));
  }

  bool may_follow_blank(std::string_view text) const {
    return looks_blank(text) || is_key(text) || (is_in_tags_ && is_below_key(text));
  }

  void take(size_t line) {
    const std::string_view text = lines_[line];
    const size_t behind = behind_tags_key(text);
    is_in_tags_ = behind != std::string_view::npos || (is_in_tags_ && is_below_key(text));
    if (is_in_tags_) add_words_as_tags(tags_, text.substr(behind == std::string_view::npos ? 0 : behind));
  }

  static bool is_key(std::string_view text) {
    if (behind_tags_key(text) != std::string_view::npos) return true;
    return !std::string_view("-*+#><|`[(!0123456789").contains(text.empty() ? '#' : text.front()) &&
           text.find_first_of(":=") != std::string_view::npos;
  }

  // Indented, an item, or what closes brackets; "#a", but no heading.
  static bool is_below_key(std::string_view text) {
    if (text.starts_with('#')) return text.find_first_of(" \t#", 1) != 1;
    size_t at = 0;
    return text.empty() || std::string_view("-*+]}\"'").contains(text.front()) || is_white_space(decode_code_point(text, at));
  }

  const Lines& lines_;
  std::vector<std::string> tags_;
  bool is_fenced_ = false;
  bool is_in_tags_ = false;  // below the key for them
};

}  // namespace

FrontMatter read_front_matter(const Lines& lines) {
  FrontMatter front;
  if (lines.count() > 0 && is_fence(lines[0], "---")) front = FenceSearch(lines).run();
  if (front.lines > 0) add_marks(front.tags, lines.text().substr(lines.begin(0), lines.begin(front.lines) - lines.begin(0)));
  return front.lines > 0 || !front.tags.empty() ? front : LooseHeader(lines).run(std::move(front));
}

}  // namespace loci
