#include "vault/purge/purge_markdown.h"

#include <algorithm>
#include <vector>

#include "parser/core_file.h"
#include "parser/entry_edit.h"
#include "parser/parser.h"
#include "parser/same_reading.h"
#include "vault/layout/layout.h"

namespace loci {
namespace {

constexpr std::string_view placeholder = purged_placeholder;

struct Line {
  std::string text;
  std::string end;  // "\n", "\r\n" or nothing
};

std::vector<Line> split(std::string_view file) {
  std::vector<Line> lines;
  while (!file.empty()) {
    const size_t newline = file.find('\n');
    const std::string_view whole = file.substr(0, newline == std::string_view::npos ? file.size() : newline + 1);
    std::string_view text = whole;
    if (text.ends_with('\n')) text.remove_suffix(1);
    if (text.ends_with('\r')) text.remove_suffix(1);
    lines.push_back({std::string(text), std::string(whole.substr(text.size()))});
    file.remove_prefix(whole.size());
  }
  return lines;
}

std::string join(const std::vector<Line>& lines) {
  std::string out;
  for (const Line& line : lines) out += line.text + line.end;
  return out;
}

bool is_target(const ParsedEntry& entry, const PurgedText& purged) {
  return purged.has_hash(entry.hash) || purged.has_id(entry.id) || (entry.metadata && purged.has_id(entry.metadata->ref));
}

// "- " or "12. " at the start of an item, so that it stays one.
std::string list_marker(std::string_view line) {
  size_t end = line.find_first_not_of(' ');
  if (end == std::string_view::npos || end > 3) return {};
  const size_t start = end;
  if (line[end] == '-' || line[end] == '*' || line[end] == '+') {
    ++end;
  } else {
    while (end < line.size() && line[end] >= '0' && line[end] <= '9') ++end;
    if (end == start || end == line.size() || (line[end] != '.' && line[end] != ')')) return {};
    ++end;
  }
  if (end < line.size() && line[end] != ' ' && line[end] != '\t') return {};
  return std::string(line.substr(0, end)) + " ";
}

// What an entry is stays, what it says goes: the sum and all association with it.
Metadata anonymous(const Metadata& metadata) {
  Metadata kept;
  kept.id = metadata.id;
  kept.end = metadata.end;
  kept.at = metadata.at;
  kept.source = metadata.source;
  kept.kind = metadata.kind;
  kept.ref = metadata.ref;
  kept.session = metadata.session;
  kept.turn = metadata.turn;
  kept.role = metadata.role;
  return kept;
}

enum class Blank : std::uint8_t { wholly, with_placeholder };

void blank_text(std::vector<Line>& lines, const ParsedEntry& entry, Blank how) {
  const auto first = static_cast<size_t>(entry.line - 1);
  const auto last = std::min(static_cast<size_t>(entry.line_end), lines.size());
  const bool block = !(comment_of(entry) && comment_of(entry)->end);
  for (size_t i = first; i < last; ++i) {
    const std::string marker = block && i == first ? list_marker(lines[i].text) : std::string();
    lines[i].text.clear();
    if (i == first && how == Blank::with_placeholder) lines[i].text = marker + std::string(placeholder);
  }
}

void blank_metadata(std::vector<Line>& lines, const ParsedEntry& entry, std::string_view file) {
  const auto line = static_cast<size_t>(std::ranges::count(file.substr(0, entry.begin), '\n'));
  if (line < lines.size()) lines[line].text = format_metadata(anonymous(*comment_of(entry)));
}

std::string blanked(std::string_view file, const ParsedFile& parsed, const PurgedText& purged, Blank without_metadata) {
  std::vector<Line> lines = split(file);
  for (const ParsedEntry& entry : parsed.entries) {
    if (!is_target(entry, purged)) continue;
    if (comment_of(entry)) blank_metadata(lines, entry, file);
    blank_text(lines, entry, comment_of(entry) ? Blank::with_placeholder : without_metadata);
  }
  return join(lines);
}

// The entries that stay: what they are and where.
std::vector<ParsedEntry> others(const ParsedFile& parsed, const PurgedText& purged) {
  std::vector<ParsedEntry> kept;
  for (const ParsedEntry& entry : parsed.entries)
    if (!is_target(entry, purged) && entry.text != placeholder) kept.push_back(entry);
  return kept;
}

bool read_alike(const std::vector<ParsedEntry>& before, const std::vector<ParsedEntry>& after) {
  return std::ranges::equal(before, after, [](const ParsedEntry& a, const ParsedEntry& b) {
    return a.id == b.id && a.hash == b.hash && a.line == b.line && a.section == b.section;
  });
}

}  // namespace

bool is_purged(std::string_view text) {
  return text == placeholder || (text.ends_with(placeholder) && text == list_marker(text) + std::string(placeholder));
}

std::string purge_markdown(std::string_view file, const PurgedText& purged) {
  const ParsedFile parsed = parse(file);
  if (std::ranges::none_of(parsed.entries, [&](const ParsedEntry& entry) { return is_target(entry, purged); }))
    return std::string(file);
  std::string out = blanked(file, parsed, purged, Blank::wholly);
  // A gap can join what stood apart (two lists, say). A placeholder keeps them apart.
  if (read_alike(others(parsed, purged), others(parse(out), purged))) return out;
  return blanked(file, parsed, purged, Blank::with_placeholder);
}

std::string purge_memory_file(std::string_view file, std::string_view before, const PurgedText& purged) {
  std::string bytes(before);
  const Place place = place_of(file);
  if (const auto core = place == Place::core && bytes.contains(core_begin_marker) ? read_core(bytes) : CoreSection()) {
    std::vector<std::string> refs;
    for (const CoreLine& line : core->lines)
      if (purged.has_id(line.ref)) refs.push_back(line.ref);
    if (auto without = remove_core_lines_of_all_sides(bytes, refs)) bytes = std::move(*without);
  }
  if (place == Place::consolidated || place == Place::user || place == Place::core)
    for (const ParsedEntry& entry : parse(bytes).entries)
      if (entry.metadata && is_target(entry, purged))
        if (auto without = remove_entry(bytes, entry.id)) bytes = std::move(*without);
  return purge_markdown(bytes, purged);
}

bool tells_of_purged(std::string_view markdown, const PurgedText& purged) {
  const auto tells = [&](const ParsedEntry& entry) {
    if (is_purged(entry.text)) return false;
    return is_target(entry, purged) ||
           (entry.metadata && std::ranges::any_of(entry.metadata->from, [&](const std::string& id) { return purged.has_id(id); }));
  };
  return std::ranges::any_of(parse(markdown).entries, tells);
}

}  // namespace loci
