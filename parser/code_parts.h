// Where a text is code: fenced code, and code spans between backticks. A text of which it is doubtful is none: a fence or a span
// that nothing closes, one that an escape, a table's cell or a tag of HTML cuts, and everything that is indented or in HTML. Pure.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace loci {

class CodeParts {
 public:
  explicit CodeParts(std::string_view text);
  bool has(size_t offset) const;

 private:
  struct Part {
    size_t begin, end;
  };
  void read_spans(std::string_view text, size_t begin, size_t end);

  std::vector<Part> parts_;  // rising
};

}  // namespace loci
