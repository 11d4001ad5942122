#include "parser/backticks.h"

#include <algorithm>
#include <utility>

namespace loci {

size_t Backticks::length_at(size_t position) const {
  return std::min(text_.find_first_not_of('`', position), text_.size()) - position;
}

size_t Backticks::closing(size_t position, size_t length) {
  if (!std::exchange(knows_runs_, true))
    for (size_t at = text_.find('`'); at != text_.npos; at = text_.find('`', at)) {
      const size_t found = length_at(at);
      last_run_[found] = at;
      at += found;
    }
  const auto last = last_run_.find(length);
  if (last == last_run_.end() || last->second < position) return text_.npos;
  for (;;) {
    position = text_.find('`', position);
    const size_t found = length_at(position);
    if (found == length) return position;
    position += found;
  }
}

}  // namespace loci
