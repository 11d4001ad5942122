// At the end of a session: what the user stated about themselves that nobody took down.
#pragma once

#include <stop_token>

#include "capture/conversation.h"
#include "capture/extract.h"

namespace loci {

// Turns that no end of the session has looked at, window by window; a window is stored before the next one is asked about, so that
// a model that fails in the middle costs nothing twice. What the user did not say in so many words is dropped.
Status fill_gaps(Memory& memory, const Conversation& conversation, LanguageModel& model, const std::stop_token& stop,
                 const RunStep& run_step, Extracted& extracted);

}  // namespace loci
