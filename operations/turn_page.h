// What was said, newest first, a turn at a time and a page at a time.
#pragma once

#include <string>
#include <vector>

#include "memory/json_shapes.h"
#include "operations/visible.h"

namespace loci {

struct TurnPage {
  std::vector<Turn> turns;  // whole, as far as the filter and the caller's eyes reach
  std::string next;         // the cursor of the page after it: the id of its last turn; empty if there is none
};

// A turn stands where its first words stand, and on one page only: several conversations may go on at the same time, and the answer
// to a question may come a page earlier. `before`: a cursor, or empty.
Result<TurnPage> page_of_turns(Memory& memory, Visible& visible, EntryFilter filter, size_t limit, const std::string& before);

}  // namespace loci
