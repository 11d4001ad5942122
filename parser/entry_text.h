// The text of an entry from lines of a file: LF line ends, valid UTF-8, without what the file adds to it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parser/blocks.h"
#include "parser/lines.h"

namespace loci {

struct LineRange {  // [first, end)
  size_t first = 0;
  size_t end = 0;
};

// What ends a heading that was cut and had more tags than its words can carry.
inline constexpr std::string_view more_tags = " #\u2026";

class EntryText {
 public:
  // Views of both are kept. `is_clean`: the file is valid UTF-8 without NUL.
  EntryText(const Lines& lines, const Outline& outline, bool is_clean) : lines_(lines), outline_(outline), is_clean_(is_clean) {}

  bool is_dropped(size_t line) const;
  // Without the blank and dropped lines at both ends.
  LineRange trimmed(LineRange range) const;

  // As it stands.
  std::string raw(LineRange range) const;
  // Of an entry with metadata: the writer's escapes taken off outside top-level fenced code. The range starts with block
  // `first_block` and holds whole blocks.
  std::string unescaped(LineRange range, size_t first_block) const;
  // Of a list item: without its bullet or number, and without the indentation that this asks for.
  std::string list_item(LineRange range) const;
  // Of a heading: its words.
  std::string heading(LineRange range) const;

  std::string clean(std::string text) const;

 private:
  const Lines& lines_;
  const Outline& outline_;
  bool is_clean_;
};

}  // namespace loci
