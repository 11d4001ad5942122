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

// "a, #b c": a tag holds no blank, so both separate.
void add_tags(std::vector<std::string>& tags, std::string_view text) {
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(", \t"), text.size());
    add_tag(tags, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
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

// Reads the value of `tags:` that starts behind the colon in `line`; block lists and flow lists go on in the lines up to `end`.
void read_tags(const Lines& lines, size_t line, std::string_view value, size_t end, FrontMatter& result) {
  value = without_comment(value);
  if (value.starts_with('[')) {
    const size_t first = line;
    value.remove_prefix(1);
    while (value.find(']') == std::string_view::npos) {
      add_tags(result.tags, value);
      if (++line >= end) {
        result.bad_tags_line = first;
        return;
      }
      value = lines[line];
    }
    add_tags(result.tags, value.substr(0, value.find(']')));
    return;
  }
  if (!value.empty()) return add_tags(result.tags, unquoted(value));
  while (++line < end) {
    const std::string_view item = trimmed(lines[line]);
    if (item.empty() || item.starts_with("# ")) continue;
    if (!item.starts_with('-')) return;
    add_tag(result.tags, without_comment(item.substr(1)));
  }
}

void read_keys(const Lines& lines, size_t end, FrontMatter& result) {
  for (size_t line = 1; line < end; ++line) {
    const std::string_view text = lines[line];
    const size_t colon = find_key_end(text);
    if (colon == std::string_view::npos) continue;
    const std::string_view key = text.substr(0, colon);
    const std::string_view value = text.substr(colon + 1);
    if (is_key(key, "tags") || is_key(key, "tag")) read_tags(lines, line, value, end, result);
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
