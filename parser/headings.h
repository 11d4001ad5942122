// Finding a section by its heading in the bytes of a markdown file, for inserting into it. Only `## …` headings; a line in a code
// block may be taken for one, so what is done with the answer is checked by parsing. Pure.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace loci {

// 1 to 6 for a heading line, 0 for any other.
int heading_level(std::string_view line);

// Case and accents do not count.
bool is_same_heading(std::string_view a, std::string_view b);

// For every heading with these words: the offset of the next heading of any level behind it, or the file's size.
std::vector<size_t> ends_of_sections(std::string_view file, std::string_view heading);

}  // namespace loci
