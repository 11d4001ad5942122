// How the words of a purged text are found again where they stand in other forms: a line of it among other lines, or most of it in
// other words. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "indexer/entry.h"

namespace loci {

class PurgedWords {
 public:
  explicit PurgedWords(const std::vector<Entry>& entries);

  // A line of one of the texts, without the white space around it. Lines of less than four bytes stand everywhere, and do not
  // count.
  bool stand_in(std::string_view text) const;
  // The same for bytes in which JSON may have escaped them.
  bool stand_escaped_in(std::string_view bytes) const;
  // The first place where one of them stands; npos.
  size_t find_in(std::string_view bytes) const;
  // At least half of the words of one of the texts.
  bool are_said_in(std::string_view text) const;

 private:
  std::vector<std::string> lines_, escaped_, texts_;
};

}  // namespace loci
