// A file of entries as a row of pieces: entries, and what stands between them. A piece has a key that makes it the same one in
// every version of the file, and usually one variant; an entry of which a merge left several has all of them. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parser/metadata.h"

namespace loci {

// What a piece says.
struct PieceVariant {
  std::optional<Metadata> metadata;  // of an entry that has it
  std::string hash;                  // of an entry's text
  std::string head;                  // the comment's line, if there is metadata
  std::string body;                  // everything behind it; ends with a line end

  std::string bytes() const { return head + body; }
};

struct MergePiece {
  enum class Kind : std::uint8_t {
    entry,  // has an id, or shows one: its text may change under its key
    text,   // a person's block without metadata: another text is another piece
    line,   // a heading, a rule, a marker, front matter: likewise
  };
  Kind kind = Kind::line;
  std::string key;
  std::vector<PieceVariant> variants;  // at least one; several: a conflict, by their bytes
  std::string blank;                   // the blank lines in front of it
  bool is_tight = false;               // an item of a list, or a comment: these stand without blank lines between them
};

// Nothing of `file` but blank lines is in no piece. Keys are unique.
std::vector<MergePiece> cut_into_pieces(std::string_view file);

// The bytes of a piece, conflict markers around those of several variants.
std::string bytes_of(const MergePiece& piece);

// The two texts between git's markers, by their bytes, so that whoever merges writes the same.
std::string conflict_block(std::string one, std::string other);

}  // namespace loci
