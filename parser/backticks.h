// Runs of backticks of one paragraph: which of them opens a code span, and where the span ends. A span ends at the next run of the
// same length (https://spec.commonmark.org/0.31.2/#code-spans). Pure; linear for the whole paragraph.
#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_map>

namespace loci {

class Backticks {
 public:
  // `text` has to outlive it.
  explicit Backticks(std::string_view text) : text_(text) {}

  // How many stand there.
  size_t length_at(size_t position) const;
  // Where the next run of this length stands, from `position` on; npos: there is none.
  size_t closing(size_t position, size_t length);

 private:
  std::string_view text_;
  bool knows_runs_ = false;
  std::unordered_map<size_t, size_t> last_run_;  // by length, so that a run without its closing one is known at once
};

}  // namespace loci
