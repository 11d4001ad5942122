// Reading standard input, bounded.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace loci::cli {

// All of it. ErrorCode::refused beyond `limit` bytes.
Result<std::string> read_standard_input(size_t limit);

// Line by line, without line ends, the last one with or without one. A line longer than `limit` comes as nothing but its number:
// `too_long` is set and the text empty. Stops early if `line` returns false.
struct InputLine {
  std::string_view text;
  int number = 1;
  bool too_long = false;
};
Status read_lines(size_t limit, const std::function<bool(const InputLine&)>& line);

}  // namespace loci::cli
