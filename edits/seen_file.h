// The bytes of a file that matters, as what a look compares: entries by id, or the promoted lines of MEMORY.md by ref. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "edits/save_policy.h"
#include "vault/layout/layout.h"

namespace loci {

struct SeenFile {
  std::vector<SeenEntry> entries;
  bool conflicts = false;  // git's conflict markers stand in it: nothing can be decided
  bool unclear = false;    // the markers of the core are not in order: neither can anything
};

SeenFile see_file(Place place, std::string_view bytes);

// The words of a promoted line, without its bullet.
std::string words_of_line(std::string_view line);

const SeenEntry* find_seen(const std::vector<SeenEntry>& entries, std::string_view id);

}  // namespace loci
