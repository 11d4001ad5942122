// A file of loci's cut into what stands in it: entries, and the lines between them that are a person's (headings, a head comment,
// front matter, in MEMORY.md everything outside the markers). Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parser/parser.h"

namespace loci {

// An entry, or a line between entries: a heading, a rule, a marker.
struct FilePiece {
  std::string key;  // what makes two pieces of two files the same one
  size_t begin = 0, end = 0;
  const ParsedEntry* entry = nullptr;
  bool is_item = false;  // of a list, or a comment: these stand without blank lines between them
};

// By where they stand; blank lines are in none. `parsed` is parse(bytes), and has to outlive them.
std::vector<FilePiece> pieces_of(std::string_view bytes, const ParsedFile& parsed);

std::string key_of(const ParsedEntry& entry);

// Which piece of the other file each one is, if any. Of equal lines that is told by what stands beside them, behind them first, as
// a heading belongs to what follows; of those that this leaves, by their order (P. Heckel, "A technique for isolating differences
// between files", 1978).
std::vector<std::optional<size_t>> same_pieces(const std::vector<FilePiece>& pieces, const std::vector<FilePiece>& others);

// All that a person may change in a file without a word of its entries.
struct FileFrame {
  struct Piece {
    std::string key;
    bool is_line = false;    // else an entry, of which the words are compared elsewhere (edits/acts.h)
    size_t blank_lines = 0;  // in front of it
  };
  std::vector<Piece> pieces;
  std::string line_end = {};  // of the first line
  bool has_mark = false;      // of the byte order
};

// Of a file, 1-based, with both ends.
struct ComparedLines {
  int first = 1, last = 1 << 30;
};

// `compared`: where entries are no lines of the frame.
FileFrame frame_of(std::string_view bytes, const ParsedFile& parsed, ComparedLines compared = {});

// In how much `now` differs from a version: each line that only one has, one if what both have stands in another order, one for two
// neighbours with more or fewer blank lines between them, one for line ends and one for the mark. Entries that only one has are no
// difference, nor are blank lines at the end, or where something stood in the newest version: they stay where a person deletes
// that.
size_t frame_differences(const FileFrame& version, const FileFrame& newest, const FileFrame& now);

// A line stands in `now` that came with `later`.
bool has_lines_since(const FileFrame& earlier, const FileFrame& later, const FileFrame& now);

}  // namespace loci
