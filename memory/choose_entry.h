// Which entry an id or a prefix of one means, among those that an index found for it. Pure.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "indexer/entry.h"

namespace loci {

// Fails as find_entry (memory/memory.h) does.
Result<Entry> choose_entry(std::vector<Entry> found, const std::string& id_or_prefix, bool inactive);

}  // namespace loci
