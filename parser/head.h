// What a person takes for metadata at the head of a file, or below a heading, up to the first text: keys, lines of nothing but
// tags, comments, behind blank lines, HTML and fences of any kind, one behind the other. Nothing but its tags is taken, and they
// are of all that the head stands above. Pure.
//
// An entry's own metadata begins the text, and so does code. A comment that text stands directly below is of that text. A line
// "Key: words" without a fence is a text if a blank line stands behind it, and so is a sentence behind a key for tags: it ends, and
// nothing in it is as short as a tag. Where a sentence does not end, nobody can tell it from a list of tags: it is one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "parser/lines.h"

namespace loci {

// That of a file goes on over headings, that of a section up to the next one.
enum class HeadOf : std::uint8_t { file, section };

struct Head {
  std::vector<std::string> tags;  // without #, repeated ones too
  size_t end = 0;                 // the line of the first text
  size_t lines_read = 0;          // that show it
  bool is_open = false;           // bytes behind the end of the text may change it
};

Head read_head(const Lines& lines, size_t first, HeadOf of);

}  // namespace loci
