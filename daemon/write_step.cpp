#include "daemon/write_step.h"

#include <exception>
#include <future>

namespace loci {

Status write_step(WriteQueue& writes, const std::function<Status(Memory&)>& step) {
  std::promise<Status> done;
  TRY(writes.run([&](Memory& memory) {
    try {
      done.set_value(step(memory));
    } catch (const std::exception& exception) {
      done.set_value(fail(ErrorCode::failed, std::string("a write failed: ") + exception.what()));
    }
  }));
  return done.get_future().get();
}

}  // namespace loci
