// Whether two parses of a file say the same: what every edit of loci's is checked by before it is written. Pure.
#pragma once

#include <algorithm>
#include <vector>

#include "parser/parser.h"

namespace loci {

// Wherever it stands.
inline bool reads_the_same(const ParsedEntry& a, const ParsedEntry& b) {
  return a.id == b.id && a.hash == b.hash && a.text == b.text && a.metadata == b.metadata && a.section == b.section &&
         a.tags == b.tags;
}

inline bool read_the_same(const std::vector<ParsedEntry>& a, const std::vector<ParsedEntry>& b) {
  return std::ranges::equal(a, b, reads_the_same);
}

// An edit must not break what was whole.
inline bool is_no_worse(const ParsedFile& before, const ParsedFile& after) {
  return after.problems.size() <= before.problems.size() && after.held == before.held && after.open_end == before.open_end &&
         after.front_date == before.front_date;
}

}  // namespace loci
