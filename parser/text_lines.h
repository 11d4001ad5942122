// Lines of a file's bytes, by offset. A line runs up to and with its "\n". Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace loci {

// "\r\n" if the file's first line ends so, else "\n".
std::string_view line_end_of(std::string_view file);
// Every "\n" as this line end; `text` has no "\r".
std::string with_line_ends(std::string_view text, std::string_view line_end);

// The offset behind the line that starts at `begin`.
size_t next_line(std::string_view file, size_t begin);
// The start of the line that ends at `end`; end > 0.
size_t previous_line(std::string_view file, size_t end);
// How many lines end in `text`, as the parser counts them: after LF, CRLF, or CR alone.
int count_line_ends(std::string_view text);
// Where line `line` (1-based, as the parser counts) starts; cuts the whole file into lines for it.
size_t line_begin(std::string_view file, int line);
// Lines `first` to `last` (1-based), with "\n" between them and none at the end.
std::string lines_between(std::string_view file, int first, int last);

bool is_blank_line(std::string_view line);

// The bullet or number at the start of a line, with the indentation before it and the blanks behind it; empty if there is none.
std::string_view list_marker(std::string_view line);

}  // namespace loci
