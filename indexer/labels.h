// The tags and projects that entries have. Reads the index of a state folder over a connection of its own; any thread.
#pragma once

#include <string>
#include <vector>

#include "base/file_system.h"
#include "base/result.h"

namespace loci {

struct LabelsInUse {
  std::vector<std::string> tags;  // folded, as they are found
  std::vector<std::string> projects;
};

// Of entries that count; sorted. Takes as long as there are labels, however many entries have them. Fails like IndexReader::open().
Result<LabelsInUse> labels_in_use(const path& state_folder);

}  // namespace loci
