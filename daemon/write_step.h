// A step that writes, in its turn in the write queue; who calls waits for it. Not from the queue's own thread.
#pragma once

#include <functional>

#include "daemon/write_queue.h"

namespace loci {

Status write_step(WriteQueue& writes, const std::function<Status(Memory&)>& step);

}  // namespace loci
