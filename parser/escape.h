// The one `\` that keeps a line of code-written text from being structure, and its removal.
//
// A line is dangerous if, behind up to three spaces and any number of `\`, it starts HTML that would not end by itself, a
// conflict marker, a fence, or a piece of outline (heading, rule, setext underline). Reading takes one `\` off every dangerous
// line that has one, outside top-level fences; so writing adds one to every dangerous line that already has one, and to those
// without that would do harm.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace loci {

enum class Danger : std::uint8_t {
  none,
  outline,  // harmless inside an entry that ends at its marker
  markup,   // never left standing
  fence,    // harmless if the text closes it
};

struct LineStart {
  size_t indent = 0;       // up to three spaces
  size_t backslashes = 0;  // behind them
  Danger danger = Danger::none;
};

LineStart examine_line_start(std::string_view line);

// The line as it was before it was escaped: at most one `\` less.
void append_unescaped(std::string& out, std::string_view line);

}  // namespace loci
