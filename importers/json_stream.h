// A JSON array that may be larger than memory, one element after the other.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace loci::importers {

// The next piece of a file's bytes; empty at its end. The view is good until the next call.
using ByteReader = std::function<Result<std::string_view>()>;

inline constexpr size_t largest_element = size_t{64} << 20;  // bytes; a longer one is left out

struct ElementHandler {
  std::function<Status(const Json&)> take;
  std::function<void(const std::string& reason)> skip;  // of an element that cannot be read: the others come all the same
};

// The elements of the array that the text is, or of one that stands under one of these keys in the object that it is.
// ErrorCode::usage if it is neither, ends too early, or more follows; what came before was taken.
Status for_each_element(const ByteReader& read, std::span<const std::string_view> keys, const ElementHandler& handler);

}  // namespace loci::importers
