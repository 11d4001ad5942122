// An estimate of how many tokens a text is: a token for every four code points, of CJK for every two, rounded down in all. Pure.
#pragma once

#include <cstdint>
#include <string_view>

namespace loci {

std::int64_t estimate_tokens(std::string_view text);

}  // namespace loci
