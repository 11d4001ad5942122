// What markdown notes of other programs are made of. Pure functions.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace loci::importers {

// The front matter of a note, read permissively, and the rest of it. A key of a mapping within has the name "outer.inner"; a list
// is its items, joined with "\n"; a folded or literal block is its text.
struct Note {
  std::map<std::string, std::string, std::less<>> fields;
  std::string_view body;

  std::string_view field(std::string_view name) const;
  std::vector<std::string> list(std::string_view name) const;
};
Note read_note(std::string_view text);

// A paragraph or an item of a list, with the heading that it stands under; headings are none.
struct Block {
  std::string section;  // the nearest heading above it, without the marks
  std::string text;     // of an item without its bullet
  bool is_item = false;
};
std::vector<Block> blocks_of(std::string_view body);

std::string_view trimmed_line(std::string_view text);
std::vector<std::string_view> lines_in(std::string_view text);
// "2026-11-18" at the start of a file's name; empty if there is none.
std::string date_in_name(std::string_view name);

}  // namespace loci::importers
