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

// What one record may take. One that takes more is none that a person made, and is left out: values take many times the bytes of
// their text, so they are counted before any is built.
inline constexpr size_t largest_record = size_t{32} << 20;        // bytes
inline constexpr size_t most_values_in_record = size_t{1} << 20;  // at any depth

// ErrorCode::usage for what is no JSON, or more than a record may be.
Result<Json> parse_record(std::string_view text);

struct ElementHandler {
  std::function<Status(const Json&)> take;
  // Of an element that cannot be read, with its number and where it begins: the others come all the same.
  std::function<void(const std::string& reason)> skip;
};

// The elements of the array that the text is, or of one that stands under one of these keys in the object that it is.
// ErrorCode::usage if it is neither, ends too early, or more follows; what came before was taken.
Status for_each_element(const ByteReader& read, std::span<const std::string_view> keys, const ElementHandler& handler);

}  // namespace loci::importers
