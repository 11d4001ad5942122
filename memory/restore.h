// Taking back what was forgotten or corrected: what was taken out of a file is put back into it, then the tombstones are taken
// back.
#pragma once

#include <string>
#include <vector>

#include "memory/add.h"
#include "memory/memory.h"

namespace loci {

struct Restored {
  std::vector<std::string> ids;       // that count again
  std::vector<std::string> gave_way;  // that do not: they had taken their place
  std::vector<std::string> files;     // that were rewritten
  std::vector<std::string> notes;
  Searchable searchable;
};

// Takes back what one `forget` or `correct` did to this id, and to the ids that it removed with it.
// In a chain of corrections what stands at its end gives way, and none between.
// `instead_of`: the hash of what counts in its place, as it was seen; empty: whatever does gives way.
// ErrorCode::not_found if nothing was ever forgotten under this id or prefix; ErrorCode::refused if it counts already, or if what
// counts in its place is not what was seen.
Result<Restored> restore(Memory& memory, const std::string& id, const std::string& instead_of = {});

}  // namespace loci
