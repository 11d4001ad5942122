// A step of an operation that writes. While a model is asked nothing is held; what it answered is stored in a step.
#pragma once

#include <functional>

#include "memory/memory.h"

namespace loci {

// Runs the step and waits until it is done. An empty one means: at once, on the caller's memory; a daemon gives one that runs it in
// its turn of the write queue.
using RunStep = std::function<Status(const std::function<Status(Memory&)>& step)>;

inline Status run(Memory& memory, const RunStep& run_step, const std::function<Status(Memory&)>& step) {
  return run_step ? run_step(step) : step(memory);
}

}  // namespace loci
