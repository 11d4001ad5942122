// YAML front matter: a first line `---`, lines that look like YAML, a line `---` or `...`. Only `tags` and `date` are read,
// tolerantly and without a YAML library: a search command has 15 ms and every other key is the person's own business.
//
// A first `---` whose next lines do not look like YAML is a rule with text behind it, and no text is lost.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parser/lines.h"

namespace loci {

struct FrontMatter {
  size_t lines = 0;                     // that it takes up at the start, both fences included; 0: there is none
  size_t lines_read = 0;                // that show whether there is any, and all of it
  bool undecided = false;               // it is not closed yet: bytes behind the end could still make front matter of the start
  std::vector<std::string> tags;        // without #
  std::string date;                     // as written, if it starts with a date
  std::optional<size_t> bad_tags_line;  // a list of tags that is not closed
};

FrontMatter read_front_matter(const Lines& lines);

}  // namespace loci
