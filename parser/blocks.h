// The top-level block structure of markdown, over cmark-gfm: which block starts at which line, and nothing inside it.
// Pure and thread-safe. Never fails; takes time linear in the text (about 10 ms a MiB, hostile text up to a second).
//
// The blocks are read off cmark's tree after every line that it is fed, and the document is never finished. That avoids
//  - the inline phase, which is quadratic (480 KB of `![[]()` take 40 s);
//  - cmark's end lines, which are wrong for setext headings and HTML: here a block runs to the start of the next one;
//  - losing paragraphs that hold only link definitions, which cmark removes from the tree when they end;
//  - nesting without bounds (65 KB of `- ` take 22 s): a line that nests deeper than 64 ends all open blocks;
//  - a tree of the whole file (200 bytes and more a block): what is finished is freed, so that only what is still open takes
//  memory.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "parser/conflict_markers.h"
#include "parser/lines.h"

namespace loci {

enum class BlockType : std::uint8_t { paragraph, heading, rule, list_item, quote, indented_code, fenced_code, html };

struct Block {
  std::uint32_t line = 0;  // index of its first line; it runs to the next block, without the blank lines at its end
  BlockType type = BlockType::paragraph;
  bool starts_list = false;  // list_item: the first of its list
  std::uint8_t heading_level = 0;
};

// What is still open behind the last line, at top level, so that a line at column one would belong to it.
enum class OpenBlock : std::uint8_t { none, fence, comment, raw_html };

struct Outline {
  std::vector<Block> blocks;       // in order; every line that is not blank is in one, but for those in `dropped`
  std::vector<size_t> dropped;     // conflict marker lines and the base section between them: belong to no block, rising
  std::vector<size_t> deep_lines;  // nested deeper than 64
  std::vector<ConflictRegion> conflicts;
  std::optional<size_t> open_conflict;  // a `<<<<<<<` line outside code whose `=======` and `>>>>>>>` never came: taken as text
  OpenBlock open = OpenBlock::none;
  bool complete = true;
};

// Takes at most `most_memory` bytes: an outline that needs more ends early, and is not complete.
Outline outline_of(const Lines& lines, size_t most_memory = std::numeric_limits<size_t>::max());

// What the text of a line is part of, whatever it is nested in: read as outline_of() reads blocks.
struct Leaf {
  enum class Kind : std::uint8_t { none, text, fenced_code } kind = Kind::none;  // none: HTML, indented code, and nothing
  std::uint32_t block = 0;  // lines in a row with the same number are of one paragraph, heading or fence
};

// Of each line. Code is what stands between a fence and the one that closes it: the opening one may say something of its own.
std::vector<Leaf> leaves_of(const Lines& lines);

// Bytes that it takes.
size_t memory_of(const Outline& outline);

}  // namespace loci
