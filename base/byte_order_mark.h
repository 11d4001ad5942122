// The byte order mark of UTF-8: an editor may begin a file with it, and it is no part of what the file says. Pure.
#pragma once

#include <string_view>

namespace loci {

inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

// The mark if `bytes` begin with it, else nothing: its size is where the text begins.
constexpr std::string_view byte_order_mark_of(std::string_view bytes) {
  return bytes.substr(0, bytes.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
}

// Taken off the front of `bytes`, and returned.
constexpr std::string_view take_byte_order_mark(std::string_view& bytes) {
  const std::string_view mark = byte_order_mark_of(bytes);
  bytes.remove_prefix(mark.size());
  return mark;
}

}  // namespace loci
