#include "parser/front_matter.h"

#include <algorithm>

#include "base/clock.h"
#include "parser/tags.h"

namespace loci {
namespace {

constexpr std::string_view blanks = " \t";

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool is_fence(std::string_view line, std::string_view fence) {
  return line.starts_with(fence) && is_blank(line.substr(fence.size()));
}

// The position of the colon behind a key at column one; npos if the line has none.
size_t find_key_end(std::string_view line) {
  if (line.empty() || std::string_view(" \t<>-#*+|!&%@`[]{}").find(line.front()) != std::string_view::npos)
    return std::string_view::npos;
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return colon;
  return colon + 1 == line.size() || blanks.find(line[colon + 1]) != std::string_view::npos ? colon : std::string_view::npos;
}

bool looks_like_yaml(std::string_view line) {
  if (is_blank(line) || line == "-") return true;
  if (blanks.find(line.front()) != std::string_view::npos || line.starts_with("- ")) return true;
  if (line.front() == '#' || line.front() == ']' || line.front() == '}') return true;
  return find_key_end(line) != std::string_view::npos;
}

std::string_view without_comment(std::string_view value) {
  const size_t comment = value.find(" # ");
  return trimmed(comment == std::string_view::npos ? value : value.substr(0, comment));
}

std::string_view unquoted(std::string_view text) {
  text = trimmed(text);
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front())
    return text.substr(1, text.size() - 2);
  return text;
}

void add_tag(std::vector<std::string>& tags, std::string_view text) {
  text = unquoted(text);
  while (text.starts_with('#')) text.remove_prefix(1);
  if (!text.empty() && text != "null" && text != "~" && tags.size() < most_tags_read) tags.emplace_back(text);
}

std::string date_of(std::string_view value) {
  constexpr size_t date_length = 10;
  value = unquoted(without_comment(value));
  if (parse_time(value)) return std::string(value);
  const std::string_view date = value.substr(0, date_length);
  return date.size() == date_length && parse_time(date) ? std::string(date) : std::string();
}

bool is_key(std::string_view text, std::string_view lower_name) {
  text = unquoted(text);
  return text.size() == lower_name.size() && std::equal(text.begin(), text.end(), lower_name.begin(), [](char c, char wanted) {
           return wanted == (c >= 'A' && c <= 'Z' ? c + 32 : c);
         });
}

bool is_indented(std::string_view line) { return !line.empty() && blanks.contains(line.front()); }

// "|", ">-", "|2+": the words stand in the lines below.
bool is_block_scalar(std::string_view value) {
  return !value.empty() && (value.front() == '|' || value.front() == '>') &&
         value.substr(1).find_first_not_of("+-0123456789") == std::string_view::npos;
}

// Reads the value of `tags:`: a scalar on one line or folded over several, a block list or a flow list, and what an alias stands
// for. Every word of it is a tag, so that none that keeps a note private is overlooked.
class TagsReader {
 public:
  TagsReader(const Lines& lines, size_t end, FrontMatter& result) : lines_(lines), end_(end), result_(result) {}

  void read(size_t line, std::string_view value) {
    const size_t first = line;
    value = plain(without_comment(value));
    if (value.starts_with('[')) return read_flow_list(line, value.substr(1), first);
    const bool is_scalar = !value.empty();
    if (is_scalar && !is_block_scalar(value)) add_words(unquoted(value));
    while (++line < end_) {
      const std::string_view item = trimmed(lines_[line]);
      if (item.empty() || item.starts_with("# ")) continue;
      const bool is_item = item.starts_with('-') && !is_scalar;
      if (!is_item && (!is_scalar || !is_indented(lines_[line]))) return;
      is_item ? add_item(item) : add_words(without_comment(item));
    }
  }

 private:
  // Without anchors and types in front, "&mine !!str work"; what an alias stands for is read where its anchor is.
  std::string_view plain(std::string_view value) {
    while (value.starts_with('&') || value.starts_with('!') || value.starts_with('*')) {
      const std::string_view word = value.substr(0, value.find_first_of(" \t,]"));
      if (word.starts_with('*')) read_anchor(word.substr(1));
      value = trimmed(value.substr(word.size()));
    }
    return value;
  }

  void read_flow_list(size_t line, std::string_view value, size_t first) {
    while (value.find(']') == std::string_view::npos) {
      add_words(value);
      if (++line >= end_) {
        result_.bad_tags_line = first;
        return;
      }
      value = lines_[line];
    }
    add_words(value.substr(0, value.find(']')));
  }

  void add_item(std::string_view item) {
    while (item.starts_with('-')) item = trimmed(item.substr(1));
    item = plain(without_comment(item));
    if (item.starts_with('[')) return add_words(item.substr(1, item.find(']') - 1));
    add_tag(result_.tags, item);
  }

  // "a, #b c": a tag holds no blank, so both separate.
  void add_words(std::string_view text) {
    while (!text.empty()) {
      const size_t end = std::min(text.find_first_of(", \t"), text.size());
      add_tag(result_.tags, plain(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  void read_anchor(std::string_view name) {
    constexpr size_t most_anchors = 100;
    if (name.empty() || ++anchors_ > most_anchors) return;
    for (size_t line = 1; line < end_; ++line) {
      const std::string_view text = lines_[line];
      for (size_t at = text.find('&'); at != std::string_view::npos; at = text.find('&', at + 1)) {
        const std::string_view word = text.substr(at + 1, text.substr(at + 1).find_first_of(" \t,]"));
        if (word != name) continue;
        const std::string_view value = text.substr(at + 1 + word.size());
        // One of a list is what stands up to the next.
        if (text.substr(0, at).contains('[')) return add_words(value.substr(0, value.find_first_of(",]")));
        if (trimmed(text).starts_with('-')) return add_words(plain(without_comment(trimmed(value))));
        return read(line, value);
      }
    }
  }

  const Lines& lines_;
  size_t end_;
  FrontMatter& result_;
  size_t anchors_ = 0;  // that were looked for: one may name itself
};

void read_keys(const Lines& lines, size_t end, FrontMatter& result) {
  for (size_t line = 1; line < end; ++line) {
    const std::string_view text = lines[line];
    const size_t colon = find_key_end(text);
    if (colon == std::string_view::npos) continue;
    const std::string_view key = text.substr(0, colon);
    const std::string_view value = text.substr(colon + 1);
    if (is_key(key, "tags") || is_key(key, "tag")) TagsReader(lines, end, result).read(line, value);
    if (is_key(key, "date")) result.date = date_of(value);
  }
}

}  // namespace

FrontMatter read_front_matter(const Lines& lines) {
  FrontMatter result;
  if (lines.count() == 0 || !is_fence(lines[0], "---")) return result;
  for (size_t line = 1; line < lines.count(); ++line) {
    const std::string_view text = lines[line];
    if (is_fence(text, "---") || is_fence(text, "...")) {
      result.lines = result.lines_read = line + 1;
      read_keys(lines, line, result);
      return result;
    }
    if (!looks_like_yaml(text)) {
      result.lines_read = line + 1;
      result.undecided = !lines.is_terminated(line);
      return result;
    }
  }
  result.undecided = true;
  return result;
}

}  // namespace loci
