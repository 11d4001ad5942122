// What of a memory file goes into a prompt: the text alone, without front matter, metadata, comments, and headings that have
// nothing under them. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace loci {

std::string prompt_text(std::string_view file);

struct CutText {
  std::string text;               // whole lines, at most `limit` code points
  std::vector<std::string> lost;  // the lines that did not fit, in order
};

CutText cut_at_lines(std::string_view text, size_t limit);

}  // namespace loci
