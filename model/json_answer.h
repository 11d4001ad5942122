// The JSON in what a model wrote. Prose and code fences around it are allowed; nothing is repaired. Pure.
#pragma once

#include <span>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace loci {

// The first complete JSON object in the text that has all these keys at its top level. ErrorCode::refused if there is none: cut
// off, no JSON at all, or other objects only. Linear in the text.
Result<Json> find_json_answer(std::string_view text, std::span<const std::string_view> required_keys);

}  // namespace loci
