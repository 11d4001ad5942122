// Something in a vault that a person should look at. It never stops the rest: `status` and `doctor` list it.
#pragma once

#include <string>
#include <vector>

namespace loci {

struct Problem {
  std::string file;     // relative to the vault's root
  int line = 0;         // 1-based; 0: the whole file
  std::string code;     // stable, for programs: "bad-metadata", "unreadable", "too-large", "not-utf8", "link-loop", …
  std::string message;  // what is wrong and what to do
  std::vector<std::string> entries = {};  // ids of the entries that the message names or quotes

  bool operator==(const Problem&) const = default;
};

}  // namespace loci
