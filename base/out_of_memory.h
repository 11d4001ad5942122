// Where memory ends, the one thing that wanted it fails, and nothing else: what the standard library throws then becomes an error
// at the edge of that thing (a file, a request, a command).
#pragma once

#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace loci {

std::unexpected<Error> out_of_memory(std::string_view what);

// What `work` returns, a Result; ErrorCode::failed if it ran out of memory. `what` completes "not enough memory to …".
template <typename Work>
auto within_memory(std::string_view what, Work&& work) -> decltype(work()) {
  try {
    return std::forward<Work>(work)();
  } catch (const std::bad_alloc&) {
    return out_of_memory(what);
  } catch (const std::length_error&) {
    return out_of_memory(what);
  }
}

}  // namespace loci
