#include "importers/notes.h"

#include <algorithm>

#include "base/clock.h"
#include "parser/front_matter.h"

namespace loci::importers {
namespace {

constexpr std::string_view blanks = " \t\r\n";

size_t indent_of(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

std::string unquoted(std::string_view value) {
  value = trimmed_line(value);
  if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front())
    value = value.substr(1, value.size() - 2);
  return std::string(value);
}

void append_item(std::string& list, std::string_view item) {
  const std::string value = unquoted(item);
  if (value.empty()) return;
  if (!list.empty()) list += '\n';
  list += value;
}

// "[a, b]" as a list, all else as it is.
std::string value_of(std::string_view text) {
  text = trimmed_line(text);
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return unquoted(text);
  text = text.substr(1, text.size() - 2);
  std::string list;
  while (!text.empty()) {
    const size_t end = std::min(text.find(','), text.size());
    append_item(list, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return list;
}

bool starts_block(std::string_view value) { return value.starts_with('>') || value.starts_with('|'); }

// Reads the lines between the fences: keys at column one, and one level of what stands indented below one of them.
class FrontMatterReader {
 public:
  explicit FrontMatterReader(Note& note) : note_(note) {}

  void read(std::string_view line) {
    const size_t indent = indent_of(line);
    const std::string_view content = trimmed_line(line);
    if (content.empty() || content.front() == '#') return;
    if (content.starts_with("- ") || content == "-") return append_item(note_.fields[outer_], content.substr(1));
    if (indent > 0 && in_block_) return append_words(content);
    const size_t colon = content.find(':');
    if (colon == std::string_view::npos) return;
    const std::string key = unquoted(content.substr(0, colon));
    const std::string_view value = trimmed_line(content.substr(colon + 1));
    if (indent == 0) outer_ = key;
    name_ = indent == 0 ? key : outer_ + '.' + key;
    in_block_ = starts_block(value);
    note_.fields[name_] = in_block_ ? std::string() : value_of(value);
  }

 private:
  void append_words(std::string_view words) {
    std::string& text = note_.fields[name_];
    if (!text.empty()) text += ' ';
    text += words;
  }

  Note& note_;
  std::string outer_, name_;
  bool in_block_ = false;
};

bool is_fence(std::string_view line) { return trimmed_line(line) == "---"; }

bool has_word(std::string_view text, std::string_view word) {
  const auto is_end = [&](size_t at) { return at >= text.size() || std::string_view(" ,\n#").contains(text[at]); };
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
    if ((at == 0 || is_end(at - 1)) && is_end(at + word.size())) return true;
  return false;
}

// Those that only YAML tells, which this reader does not know: a tag may be all that keeps a note private. Of an item of two words
// that is a tag itself, the words say nothing more.
void add_tags(Note& note, const std::vector<std::string>& tags) {
  const auto items = note.list("tags");
  for (const std::string& tag : tags) {
    const bool is_told = std::ranges::any_of(items, [&](const std::string& item) {
      return item == tag || (has_word(item, tag) && std::ranges::find(tags, item) != tags.end());
    });
    if (!is_told) append_item(note.fields["tags"], tag);
  }
}

// "- ", "* " or "+ ", or a number with a dot: how long it is, with the indent.
size_t bullet_length(std::string_view line) {
  const size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
  const std::string_view rest = line.substr(indent);
  if (rest.starts_with("- ") || rest.starts_with("* ") || rest.starts_with("+ ")) return indent + 2;
  const size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  if (digits > 0 && digits < 4 && rest.substr(digits).starts_with(". ")) return indent + digits + 2;
  return 0;
}

class BlockReader {
 public:
  void read(std::string_view line) {
    const std::string_view content = trimmed_line(line);
    if (content.starts_with("```") || content.starts_with("~~~")) in_fence_ = !in_fence_;
    if (in_fence_) return append(line);
    if (content.empty()) return end();
    if (const size_t marks = std::min(content.find_first_not_of('#'), content.size());
        marks >= 1 && marks <= 6 && marks < content.size() && content[marks] == ' ') {
      end();
      section_ = trimmed_line(content.substr(marks));
      return;
    }
    if (const size_t bullet = bullet_length(line); bullet > 0 && indent_of(line) < 2) {
      end();
      block_.is_item = true;
      return append(line.substr(bullet));
    }
    append(block_.is_item ? content : line);
  }

  std::vector<Block> take() {
    end();
    return std::move(blocks_);
  }

 private:
  void append(std::string_view line) {
    if (!block_.text.empty()) block_.text += '\n';
    block_.text += line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
  }

  void end() {
    Block block = std::exchange(block_, {});
    block.text = trimmed_line(block.text);
    if (block.text.empty()) return;
    block.section = section_;
    blocks_.push_back(std::move(block));
  }

  std::vector<Block> blocks_;
  Block block_;
  std::string section_;
  bool in_fence_ = false;
};

}  // namespace

std::string_view trimmed_line(std::string_view text) {
  const size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::vector<std::string_view> lines_in(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string date_in_name(std::string_view name) {
  constexpr size_t length = 10;
  const std::string_view date = name.substr(0, length);
  return date.size() == length && parse_time(date) ? std::string(date) : std::string();
}

std::string_view Note::field(std::string_view name) const {
  const auto found = fields.find(name);
  return found == fields.end() ? std::string_view() : std::string_view(found->second);
}

std::vector<std::string> Note::list(std::string_view name) const {
  std::vector<std::string> items;
  for (const std::string_view line : lines_in(field(name))) items.emplace_back(line);
  return items;
}

Note read_note(std::string_view text) {
  Note note;
  note.body = text;
  const Lines all(text);
  const FrontMatter front = read_front_matter(all);
  const auto lines = lines_in(text);
  if (lines.empty() || (front.lines == 0 && !is_fence(lines.front()))) return note;
  const auto close = front.lines > 0 && front.lines <= lines.size() ? lines.begin() + static_cast<std::ptrdiff_t>(front.lines) - 1
                                                                    : std::find_if(lines.begin() + 1, lines.end(), is_fence);
  if (close == lines.end()) return note;
  FrontMatterReader reader(note);
  for (auto line = lines.begin() + 1; line != close; ++line) reader.read(*line);
  add_tags(note, front.tags);
  const char* const end = close->data() + close->size();
  note.body = text.substr(std::min(static_cast<size_t>(end - text.data()) + 1, text.size()));
  return note;
}

std::vector<Block> blocks_of(std::string_view body) {
  BlockReader reader;
  for (const std::string_view line : lines_in(body)) reader.read(line);
  return reader.take();
}

}  // namespace loci::importers
