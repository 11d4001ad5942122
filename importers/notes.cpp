#include "importers/notes.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/clock.h"
#include "base/unicode.h"
#include "parser/blocks.h"
#include "parser/comment_tags.h"
#include "parser/front_matter.h"
#include "parser/front_words.h"
#include "parser/headings.h"
#include "parser/tag_marks.h"
#include "parser/tag_names.h"
#include "parser/tags.h"

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
    if (content.starts_with("- ") || content == "-") return append_item(note_.fields[name_], content.substr(1));
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

// The parser reads those of the outermost mapping.
void add_tags_of_inner_mappings(std::vector<std::string>& tags, const std::vector<YamlNode>& nodes) {
  for (size_t mapping = 1; mapping < nodes.size(); ++mapping) {
    if (nodes[mapping].kind != YamlNode::Kind::mapping) continue;
    for (size_t key = mapping + 1, value = 0; key < nodes[mapping].next; key = nodes[value].next) {
      value = nodes[key].next;
      if (!names_tags(nodes[key].text)) continue;
      for (size_t node = value; node < nodes[value].next; ++node) add_listed_words(tags, nodes[node].text);
    }
  }
}

std::vector<std::string> without_repeated(const std::vector<std::string>& tags) {
  std::vector<std::string> different;
  std::set<std::string_view> known;
  for (const std::string& tag : tags)
    if (known.insert(tag).second) different.push_back(tag);
  return different;
}

void add_tags_of_fields(Note& note) {
  for (const auto& [key, value] : note.fields) {
    if (names_tags(std::string_view(key).substr(key.rfind('.') + 1)))
      add_listed_words(note.tags, value);
    else
      std::ranges::move(find_tags(scrub_utf8(value)), std::back_inserter(note.tags));
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

bool is_code_fence(std::string_view line) { return line.starts_with("```") || line.starts_with("~~~"); }

// Of a line that begins like a heading, whatever it stands in; 0 for any other.
int marks_of_heading(std::string_view line) {
  constexpr size_t most = 6;
  line = trimmed_line(line);
  const size_t marks = std::min(line.find_first_not_of('#'), line.size());
  return marks >= 1 && marks <= most && marks < line.size() && line[marks] == ' ' ? static_cast<int>(marks) : 0;
}

class BlockReader {
 public:
  void read(const BodyLine& line) {
    if (line.heading_level > 0) {
      end();
      headings_.enter(line);
      in_fence_ = false;
      return;
    }
    const std::string_view content = trimmed_line(line.text);
    if (is_code_fence(content)) in_fence_ = !in_fence_;
    if (in_fence_) return append(line.text);
    if (content.empty()) return end();
    if (const size_t bullet = bullet_length(line.text); bullet > 0 && indent_of(line.text) < 2) {
      end();
      block_.is_item = true;
      return append(line.text.substr(bullet));
    }
    append(block_.is_item ? content : line.text);
  }

  std::vector<NoteBlock> take() {
    end();
    if (!blocks_.empty()) std::ranges::move(carried_tags_, std::back_inserter(blocks_.back().tags));  // nothing is below
    return std::move(blocks_);
  }

 private:
  void append(std::string_view line) {
    if (!block_.text.empty()) block_.text += '\n';
    block_.text += line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
  }

  void end() {
    NoteBlock block = std::exchange(block_, {});
    block.text = trimmed_line(block.text);
    if (block.text.empty()) return;
    const std::string text = scrub_utf8(block.text);
    if (says_only_tags(text)) {
      std::ranges::move(marked_tags(text), std::back_inserter(carried_tags_));
      return;
    }
    block.section = headings_.words();
    block.tags = headings_.tags();
    std::ranges::move(std::exchange(carried_tags_, {}), std::back_inserter(block.tags));
    if (text.contains("<!--")) std::ranges::move(marked_tags(text), std::back_inserter(block.tags));
    blocks_.push_back(std::move(block));
  }

  std::vector<NoteBlock> blocks_;
  NoteBlock block_;
  HeadingsAbove headings_;
  std::vector<std::string> carried_tags_;  // of comments that stand alone: they are of the next block
  bool in_fence_ = false;
};

std::string without_tags(std::string_view heading) {
  std::string words;
  while (!(heading = trimmed_line(heading)).empty()) {
    const std::string_view word = heading.substr(0, heading.find_first_of(blanks));
    heading.remove_prefix(word.size());
    if (!find_tags(word).empty()) continue;
    if (!words.empty()) words += ' ';
    words += word;
  }
  return words;
}

// Where front matter may begin.
size_t behind_blank_lines(std::string_view text) {
  const size_t begin = text.find_first_not_of(blanks);
  return begin == std::string_view::npos || begin == 0 ? 0 : text.rfind('\n', begin) + 1;
}

}  // namespace

bool names_tags(std::string_view key) {
  const std::string name = name_seen(scrub_utf8(key));
  return name == "tags" || name == "tag";
}

void add_listed_words(std::vector<std::string>& tags, std::string_view list) {
  const std::string text = scrub_utf8(list);
  for (const std::string& item : tag_items(text))
    if (item.contains(' ')) add_tag(tags, item);
  add_listed_tags(tags, text);
}

std::vector<BodyLine> body_lines(std::string_view body) {
  const Lines lines(body);
  const Outline outline = outline_of(lines);
  std::vector<BodyLine> read;
  bool in_fence = false;
  for (size_t line = 0, block = 0; line < lines.count();) {
    while (block < outline.blocks.size() && outline.blocks[block].line < line) ++block;
    const bool starts_block = block < outline.blocks.size() && outline.blocks[block].line == line;
    if (starts_block && outline.blocks[block].type == BlockType::heading) {
      const size_t behind = block + 1 < outline.blocks.size() ? outline.blocks[block + 1].line : lines.count();
      const size_t next = heading_level(lines[line]) > 0 ? line + 1 : behind;
      read.push_back({body.substr(lines.begin(line), lines.begin(next) - lines.begin(line)), outline.blocks[block].heading_level});
      line = next;
      in_fence = false;
      continue;
    }
    if (is_code_fence(trimmed_line(lines[line]))) in_fence = !in_fence;
    read.push_back({lines[line], in_fence ? 0 : marks_of_heading(lines[line])});
    ++line;
  }
  return read;
}

void HeadingsAbove::enter(const BodyLine& heading) {
  while (!headings_.empty() && headings_.back().level >= heading.heading_level) headings_.pop_back();
  const std::string text = scrub_utf8(heading.text);
  std::string_view title = trimmed_line(text);
  if (marks_of_heading(title) > 0)
    title = trimmed_line(title.substr(title.find_first_not_of('#')));
  else if (const size_t underline = title.rfind('\n'); underline != std::string_view::npos)
    title = trimmed_line(title.substr(0, underline));
  headings_.push_back({heading.heading_level, without_tags(title), find_tags(title)});
}

std::string HeadingsAbove::words() const { return headings_.empty() ? std::string() : headings_.back().words; }

std::vector<std::string> HeadingsAbove::tags() const {
  std::vector<std::string> tags;
  for (const Heading& heading : headings_) tags.insert(tags.end(), heading.tags.begin(), heading.tags.end());
  return tags;
}

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

std::string slug(std::string_view words) {
  std::string out;
  for (const char c : words) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) >= 0x80 || c == '_';
    if (is_plain)
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!out.empty() && out.back() != '-')
      out += '-';
  }
  while (out.ends_with('-')) out.pop_back();
  return out;
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

Note read_note(std::string_view text) {
  Note note;
  note.body = text;
  text.remove_prefix(behind_blank_lines(text));
  const Lines all(text);
  const FrontMatter front = read_front_matter(all);
  note.tags = front.tags;
  const auto lines = lines_in(text);
  if (lines.empty() || (front.lines == 0 && !is_fence(lines.front()))) return note;
  const auto close = front.lines > 0 && front.lines <= lines.size() ? lines.begin() + static_cast<std::ptrdiff_t>(front.lines) - 1
                                                                    : std::find_if(lines.begin() + 1, lines.end(), is_fence);
  if (close == lines.end()) return note;
  FrontMatterReader reader(note);
  for (auto line = lines.begin() + 1; line != close; ++line) reader.read(*line);
  add_tags_of_fields(note);
  const char* const begin = lines.front().data() + lines.front().size() + 1;
  if (const auto nodes = read_yaml({begin, static_cast<size_t>(close->data() - begin)}))
    add_tags_of_inner_mappings(note.tags, *nodes);
  note.tags = without_repeated(note.tags);
  const char* const end = close->data() + close->size();
  note.body = text.substr(std::min(static_cast<size_t>(end - text.data()) + 1, text.size()));
  return note;
}

std::vector<NoteBlock> blocks_of(std::string_view body) {
  BlockReader reader;
  for (const BodyLine& line : body_lines(body)) reader.read(line);
  return reader.take();
}

}  // namespace loci::importers
