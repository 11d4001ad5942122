// The files that an append wrote to, each once, in order: what the index has to look at.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "vault/archive/append.h"

namespace loci {

inline std::vector<std::string> files_of(const std::vector<Appended>& entries) {
  std::vector<std::string> files;
  for (const Appended& entry : entries)
    if (std::ranges::find(files, entry.file) == files.end()) files.push_back(entry.file);
  return files;
}

}  // namespace loci
