// A text cut into lines as markdown does: after LF, CRLF or a lone CR. A view: the text must outlive it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loci {

// Blanks and tabs only: what markdown calls a blank line. Other white space is text.
inline bool is_blank(std::string_view line) { return line.find_first_not_of(" \t") == std::string_view::npos; }

class Lines {
 public:
  // The lines from byte `offset` on.
  explicit Lines(std::string_view text, size_t offset = 0);

  size_t count() const { return starts_.size() - 1; }
  size_t memory() const { return starts_.capacity() * sizeof(starts_[0]); }  // bytes
  size_t begin(size_t line) const { return starts_[line]; }                  // byte offset in the whole text
  size_t end(size_t line) const { return starts_[line + 1]; }                // behind the line's line end
  std::string_view with_end(size_t line) const { return text_.substr(begin(line), end(line) - begin(line)); }
  std::string_view operator[](size_t line) const;  // without its line end
  bool is_terminated(size_t line) const;           // false for a last line without a line end
  bool has_carriage_returns() const { return has_carriage_returns_; }
  std::string_view text() const { return text_; }
  size_t line_at(size_t offset) const;  // the line that holds this byte

 private:
  std::string_view text_;
  bool has_carriage_returns_;
  std::vector<std::uint32_t> starts_;  // of every line, and the end of the text, which has less than 4 GiB
};

}  // namespace loci
