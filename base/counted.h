// How many of something, as a sentence says it. Any thread.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace loci {

// "1 entry", "3 entries", "0 entries"; a verb goes with it: counted(1, "fact stays", "facts stay").
template <std::integral Count>
std::string counted(Count count, std::string_view one, std::string_view many) {
  return std::to_string(count) + ' ' + std::string(count == 1 ? one : many);
}

}  // namespace loci
