// Whether two parses of a file say the same: what every edit of loci's is checked by before it is written. Pure.
#pragma once

#include <algorithm>
#include <vector>

#include "parser/parser.h"

namespace loci {

// What the comment in front of the text says, whether the text has its name or is a copy of that one; null without a comment.
inline const Metadata* comment_of(const ParsedEntry& entry) { return entry.metadata ? &*entry.metadata : entry.of_copy.get(); }

// Two entries with one id and one text are one: whichever stands first has the name.
inline bool is_copy_of(const ParsedEntry& copy, const ParsedEntry& entry) {
  return copy.of_copy && entry.metadata && copy.of_copy->id == entry.metadata->id && copy.hash == entry.hash;
}

// Wherever it stands. One that has a name may become a copy of what has the same now; no copy gets the name, and with it the trust.
inline bool reads_the_same(const ParsedEntry& a, const ParsedEntry& b) {
  const Metadata *said = comment_of(a), *says = comment_of(b);
  return a.hash == b.hash && a.text == b.text && a.section == b.section && a.tags == b.tags &&
         (said && says ? *said == *says && !(a.of_copy && b.metadata) : !said && !says && a.id == b.id);
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
