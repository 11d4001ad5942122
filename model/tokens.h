// How many tokens a text is, about: (n - cjk) / 4 + cjk / 2 code points, rounded down. Pure.
#pragma once

#include <cstdint>
#include <string_view>

namespace loci {

std::int64_t count_tokens(std::string_view text);

}  // namespace loci
