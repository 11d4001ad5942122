#include "parser/entry_back.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "parser/entry_edit.h"
#include "parser/headings.h"
#include "parser/parser.h"
#include "parser/same_reading.h"
#include "parser/text_lines.h"

namespace loci {
namespace {

std::unexpected<Error> cannot_stand() {
  return fail(ErrorCode::refused, "the entry cannot be put there without changing what stands around it", "edit the file by hand");
}

// In the file's own line ends: those of what was taken out may have been others.
std::string in_line_ends_of(std::string_view file, std::string_view markdown) {
  std::string lines(markdown);
  const std::string_view newline = line_end_of(file.empty() ? markdown : file);
  for (size_t at = 0; (at = lines.find("\r\n", at)) != std::string::npos;) lines.erase(at, 1);
  if (!lines.ends_with('\n')) lines += '\n';
  return with_line_ends(lines, newline);
}

std::string splice(std::string_view file, size_t begin, size_t end, std::string_view bytes) {
  return std::string(file.substr(0, begin)).append(bytes).append(file.substr(end));
}

bool says_the_same(const ParsedEntry& a, const ParsedEntry& b) { return a.id == b.id && a.hash == b.hash; }

bool is_replaced(const ParsedFile& before, const ParsedFile& after, size_t index, const ParsedEntry& entry) {
  if (!is_no_worse(before, after) || after.entries.size() != before.entries.size()) return false;
  if (!says_the_same(after.entries[index], entry)) return false;
  std::vector<ParsedEntry> expected = before.entries;
  expected[index] = after.entries[index];
  return read_the_same(expected, after.entries);
}

// One file, and the entry that comes back into it.
class Return {
 public:
  Return(std::string_view file, std::string_view markdown, ParsedEntry entry)
      : file_(file),
        newline_(line_end_of(file)),
        block_(in_line_ends_of(file, markdown)),
        before_(parse(file)),
        entry_(std::move(entry)) {}

  Result<std::string> where_it_stood(std::string_view former) const {
    const ParsedFile then = parse(former);
    const auto found = std::ranges::find(then.entries, entry_.id, &ParsedEntry::id);
    if (found == then.entries.end()) return at_the_end();
    // Nothing else has changed since.
    const auto without = remove_entry(former, entry_.id);
    if (without && *without == file_ && says_the_same(*found, entry_)) return std::string(former);
    if (auto bytes = beside_a_neighbour(former, then, found - then.entries.begin())) return std::move(*bytes);
    if (auto bytes = in_section(found->section)) return std::move(*bytes);
    return at_the_end();
  }

  Result<std::string> at_the_end() const {
    const std::string end = !file_.empty() && !file_.ends_with('\n') ? newline_ : std::string();
    if (auto bytes = first_right({std::string(file_) + end + (file_.empty() ? "" : newline_) + block_})) return std::move(*bytes);
    return cannot_stand();
  }

 private:
  // The nearest first; of two as near the one before it.
  std::optional<std::string> beside_a_neighbour(std::string_view former, const ParsedFile& then, std::ptrdiff_t index) const {
    const auto count = static_cast<std::ptrdiff_t>(then.entries.size());
    for (std::ptrdiff_t distance = 1; distance < count; ++distance)
      for (const std::ptrdiff_t other : {index - distance, index + distance}) {
        if (other < 0 || other >= count) continue;
        if (auto bytes = beside(former, then.entries, static_cast<size_t>(index), static_cast<size_t>(other))) return bytes;
      }
    return std::nullopt;
  }

  std::optional<std::string> beside(std::string_view former, const std::vector<ParsedEntry>& then, size_t index,
                                    size_t other) const {
    const auto stands = std::ranges::find_if(before_.entries, [&](const ParsedEntry& entry) {
      return entry.id == then[other].id && entry.section == then[index].section && then[other].section == entry.section;
    });
    if (stands == before_.entries.end()) return std::nullopt;
    const bool is_before = other < index;
    const std::string between = gap(former, then[is_before ? index - 1 : index], then[is_before ? index : index + 1]);
    return is_before ? behind(*stands, between) : in_front_of(*stands, between);
  }

  // The blank lines that stood between two entries in a row.
  std::string gap(std::string_view former, const ParsedEntry& first, const ParsedEntry& second) const {
    const std::string_view between = former.substr(first.end, second.begin - first.end);
    std::string lines;
    for (const char c : between) {
      if (!std::string_view(" \t\r\n").contains(c)) return newline_;
      if (c == '\n') lines += newline_;
    }
    return lines;
  }

  std::optional<std::string> behind(const ParsedEntry& entry, const std::string& between) const {
    const std::string end = file_.substr(0, entry.end).ends_with('\n') ? std::string() : newline_;
    return ways_at(entry.end, {end + between + block_, end + newline_ + block_, end + newline_ + block_ + newline_});
  }

  std::optional<std::string> in_front_of(const ParsedEntry& entry, const std::string& between) const {
    return ways_at(entry.begin, {block_ + between, block_ + newline_, newline_ + block_ + newline_});
  }

  std::optional<std::string> in_section(const std::vector<std::string>& section) const {
    if (section.empty()) return std::nullopt;
    for (const size_t end : ends_of_sections(file_, section.back())) {
      const bool is_last = end == file_.size();
      const std::string start = is_last && !file_.ends_with('\n') ? newline_ + newline_ : newline_;
      auto bytes = ways_at(end, {is_last ? start + block_ : block_ + newline_, start + block_ + newline_});
      if (bytes && section_of_it(*bytes) == section) return bytes;
    }
    return std::nullopt;
  }

  std::vector<std::string> section_of_it(std::string_view bytes) const {
    for (const ParsedEntry& entry : parse(bytes).entries)
      if (entry.id == entry_.id) return entry.section;
    return {};
  }

  std::optional<std::string> ways_at(size_t position, const std::vector<std::string>& blocks) const {
    std::vector<std::string> ways;
    for (const std::string& block : blocks) ways.push_back(splice(file_, position, position, block));
    return first_right(std::move(ways));
  }

  std::optional<std::string> first_right(std::vector<std::string> ways) const {
    for (std::string& way : ways)
      if (is_right(parse(way))) return std::move(way);
    return std::nullopt;
  }

  // It stands there, and nothing else reads differently.
  bool is_right(const ParsedFile& after) const {
    if (!is_no_worse(before_, after) || after.entries.size() != before_.entries.size() + 1) return false;
    std::vector<ParsedEntry> others = after.entries;
    const auto it = std::ranges::find_if(others, [&](const ParsedEntry& entry) { return says_the_same(entry, entry_); });
    if (it == others.end()) return false;
    others.erase(it);
    return read_the_same(before_.entries, others);
  }

  std::string_view file_;
  std::string newline_, block_;
  ParsedFile before_;
  ParsedEntry entry_;
};

Result<ParsedEntry> only_entry(std::string_view markdown) {
  ParsedFile parsed = parse(markdown);
  if (parsed.entries.size() != 1) return fail(ErrorCode::refused, "what was kept is not one entry");
  return std::move(parsed.entries.front());
}

}  // namespace

Result<std::string> with_entry_instead_of(std::string_view file, std::string_view id, std::string_view markdown) {
  const ParsedEntry entry = TRY(only_entry(markdown));
  const ParsedFile before = parse(file);
  const auto place = std::ranges::find(before.entries, id, &ParsedEntry::id);
  if (place == before.entries.end()) return fail(ErrorCode::not_found, "no entry with the id " + std::string(id));
  const std::string newline(line_end_of(file));
  std::string block = in_line_ends_of(file, markdown);
  if (!file.substr(0, place->end).ends_with('\n')) block.resize(block.size() - newline.size());
  const auto index = static_cast<size_t>(place - before.entries.begin());
  for (const std::string& way : {block, block + newline, newline + block, newline + block + newline})
    if (std::string bytes = splice(file, place->begin, place->end, way); is_replaced(before, parse(bytes), index, entry))
      return bytes;
  return cannot_stand();
}

Result<std::string> with_entry_back(std::string_view file, std::string_view markdown, std::string_view former) {
  const ParsedEntry entry = TRY(only_entry(markdown));
  const Return back(file, markdown, entry);
  return former.empty() ? back.at_the_end() : back.where_it_stood(former);
}

}  // namespace loci
