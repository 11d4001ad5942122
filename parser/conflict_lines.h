// What stands between git's conflict markers in a file: it is nobody's word yet, and a person chooses. Pure functions.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace loci {

// The entries of which anything stands there, each by the first line of its text (ParsedEntry::line, CoreLine::line).
std::set<int> lines_in_conflict(std::string_view file);

// With a blank line for every marker and every line of the base between them: what it reads as.
std::string without_conflict_markers(std::string_view file);

}  // namespace loci
