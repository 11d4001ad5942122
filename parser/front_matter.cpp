#include "parser/front_matter.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "base/unicode.h"
#include "parser/front_values.h"
#include "parser/front_words.h"
#include "parser/head.h"
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

}  // namespace

FrontMatter read_front_matter(const Lines& lines) {
  FrontMatter front;
  if (lines.count() > 0 && is_fence(lines[0], "---")) front = FenceSearch(lines).run();
  if (front.lines > 0) add_marks(front.tags, lines.text().substr(lines.begin(0), lines.begin(front.lines) - lines.begin(0)));
  Head head = read_head(lines, front.lines, HeadOf::file);
  front.undecided = front.undecided || head.is_open || !head.tags.empty();  // they are of the whole file, as above
  front.lines_read = std::max(front.lines_read, head.lines_read);
  std::ranges::move(head.tags, std::back_inserter(front.tags));
  return front;
}

}  // namespace loci
