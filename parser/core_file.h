// MEMORY.md: the person's own text, and between two markers the lines that loci promoted. loci changes nothing outside the
// markers, and nothing between those of a conflict of git's (parser/conflict_lines.h). Pure functions over the file's bytes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace loci {

inline constexpr const char* core_file_name = "MEMORY.md";
inline constexpr size_t core_injection_limit = 8000;  // characters
inline constexpr std::string_view core_begin_marker = "<!-- loci:core begin -->";
inline constexpr std::string_view core_end_marker = "<!-- loci:core end -->";

struct CoreLine {
  std::string ref;   // the consolidated entry that it shows; empty for a line that a person added
  std::string text;  // as it stands, bullet included
  int line = 0;      // of the text, 1-based
};

struct CoreSection {
  int begin_line = 0, end_line = 0;  // of the markers, 1-based
  std::vector<CoreLine> lines;       // in file order
};

// ErrorCode::refused, with the lines, if a marker is missing, doubled or in the wrong order.
Result<CoreSection> read_core(std::string_view file);

// Takes out the lines that show one of these entries, with their metadata. The file as it was if there is none; as read_core if the
// markers are not in order.
Result<std::string> remove_core_lines(std::string_view file, const std::vector<std::string>& refs);
// Between git's markers, too: for what is only read, and for a purge. A file that somebody is to resolve is not
// changed so otherwise.
Result<std::string> remove_core_lines_of_all_sides(std::string_view file, const std::vector<std::string>& refs);

// Lines that somebody moved out of the core with their metadata (as CoreLine::line, ascending). None if the markers are not in
// order.
std::vector<int> lines_outside_core(std::string_view file);

// Takes their metadata from lines (CoreLine::line, ascending): they show no entry any more, and are a person's own.
std::string release_core_lines(std::string_view file, const std::vector<int>& lines);

// Takes out the lines with these refs, and puts new ones behind all that is left between the markers. Each new line is a list item
// of one line with its ref: ErrorCode::refused if one would not read back as what it says. The rest of the file stays byte for
// byte.
struct NewCoreLine {
  std::string ref;
  std::string text;  // without its bullet
};
Result<std::string> replace_core_lines(std::string_view file, const std::vector<std::string>& refs,
                                       const std::vector<NewCoreLine>& lines);

// A text as one line: white space collapsed, without a list marker of its own.
std::string as_core_line(std::string_view text);

// Another line in the place of the one with this ref and this text (as in CoreLine), or none. Fails like replace_core_lines().
struct CoreLineEdit {
  std::string ref, text;
  std::optional<NewCoreLine> now;
};
Result<std::string> edit_core_lines(std::string_view file, const std::vector<CoreLineEdit>& edits);

// Whether this text can stand as a promoted line: one line that reads back as itself.
bool can_be_core_line(const NewCoreLine& line);

struct CoreInjection {
  std::string text;               // the person's part, then the core; whole lines, at most core_injection_limit characters
  size_t characters = 0;          // of `text`, in code points
  std::vector<std::string> lost;  // the lines that did not fit
};

// With markers that are not in order everything is the person's part.
CoreInjection core_injection(std::string_view file);

}  // namespace loci
