// What stands between git's conflict markers in a file: it is nobody's word yet, and a person chooses. Pure functions.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace loci {

// The entries of which anything stands there, each by the first line of its text (ParsedEntry::line, CoreLine::line).
std::set<int> lines_in_conflict(std::string_view file);

// With a blank line for every marker and every line of the base between them: what it reads as.
std::string without_conflict_markers(std::string_view file);

// remove_core_lines(), between git's markers too: for what is only read, and for a purge. A file that somebody is to resolve is not
// changed so otherwise.
Result<std::string> remove_core_lines_of_all_sides(std::string_view file, const std::vector<std::string>& refs);

}  // namespace loci
