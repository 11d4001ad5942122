#include "parser/conflict_lines.h"

#include <algorithm>

#include "base/byte_order_mark.h"
#include "parser/blocks.h"
#include "parser/front_matter.h"
#include "parser/lines.h"
#include "parser/parser.h"

namespace loci {

std::set<int> lines_in_conflict(std::string_view file) {
  std::set<int> held;
  if (!file.contains("<<<<<<<")) return held;
  const ParsedFile parsed = parse(file);
  if (!parsed.held || parsed.entries.empty()) return held;
  Lines lines(file, byte_order_mark_of(file).size());
  lines = Lines(file, lines.begin(read_front_matter(lines).lines));
  for (const ConflictRegion& conflict : outline_of(lines).conflicts)
    for (const ParsedEntry& entry : parsed.entries)
      if (entry.begin < lines.end(conflict.last) && entry.end > lines.begin(conflict.first)) held.insert(entry.line);
  return held;
}

}  // namespace loci
