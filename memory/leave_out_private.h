// What an agent is answered about a change that it made: without what [privacy] never_send names (memory/may_send.h), whatever went
// along, stayed, or still says the same. A person is told everything. One thread.
#pragma once

#include "memory/correct.h"
#include "memory/forget.h"
#include "memory/memory.h"

namespace loci {

// Ids, texts, files, and the notes that name them. What cannot be told from what is private is left out, too.
void leave_out_private(Memory& memory, Forgotten& forgotten);
void leave_out_private(Memory& memory, Corrected& corrected);

}  // namespace loci
