// Putting what hooks have enqueued (agents/spool.h) into the archive, by a command.
#pragma once

#include "cli/command.h"

namespace loci::cli {

// What waits becomes part of the memory before a command looks at it. Without extraction and summaries, which may ask a model:
// those are for whoever has the time. What fails is left to the next one.
void take_in_spooled(Memory& memory);

// All of it, in a process of its own, because an agent waits for this one; then the index is brought up to date.
void drain_in_background(const path& root, const Environment& environment, FileSystem& files, const Clock& clock);

}  // namespace loci::cli
