// Entries, or promoted lines, whose metadata comment still stands in the bytes of a file, though the file does not read as them: a
// fence that nobody closed, four blanks, a `>`, a `#` in front of the text, a broken comment. Nobody took them out. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parser/parser.h"
#include "vault/layout/layout.h"

namespace loci {

struct HiddenEntry {
  std::string id;     // of a promoted line its ref
  int line = 0;       // 1-based: of the text that the comment is read as a part of, else of the comment
  std::string words;  // the first line with words behind the comment, without marks; a comment that has none is left out

  bool operator==(const HiddenEntry&) const = default;
};

// `parsed` is parse(bytes). Of the core only what stands between its markers.
std::vector<HiddenEntry> find_hidden_entries(Place place, std::string_view bytes, const ParsedFile& parsed);

}  // namespace loci
