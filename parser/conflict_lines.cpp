#include "parser/conflict_lines.h"

#include <algorithm>

#include "base/byte_order_mark.h"
#include "parser/blocks.h"
#include "parser/front_matter.h"
#include "parser/lines.h"
#include "parser/parser.h"

namespace loci {

namespace {

Lines lines_of_body(std::string_view file) {
  const Lines lines(file, byte_order_mark_of(file).size());
  return Lines(file, lines.begin(read_front_matter(lines).lines));
}

}  // namespace

std::string without_conflict_markers(std::string_view file) {
  if (!file.contains("<<<<<<<")) return std::string(file);
  const Lines lines = lines_of_body(file);
  std::string out;
  size_t position = 0;
  for (const size_t line : outline_of(lines).dropped) {
    out.append(file.substr(position, lines.begin(line) - position)).append("\n");
    position = lines.end(line);
  }
  return out.append(file.substr(position));
}

std::set<int> lines_in_conflict(std::string_view file) {
  std::set<int> held;
  if (!file.contains("<<<<<<<")) return held;
  const ParsedFile parsed = parse(file);
  if (!parsed.held || parsed.entries.empty()) return held;
  const Lines lines = lines_of_body(file);
  for (const ConflictRegion& conflict : outline_of(lines).conflicts)
    for (const ParsedEntry& entry : parsed.entries)
      if (entry.begin < lines.end(conflict.last) && entry.end > lines.begin(conflict.first)) held.insert(entry.line);
  return held;
}

}  // namespace loci
