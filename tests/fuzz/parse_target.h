// What has to hold for any bytes. Shared by the fuzzer and by the replay of its corpus in the normal tests.
#pragma once

#include <string>
#include <string_view>

namespace loci {

// Empty if all of it holds, else what was broken.
std::string check_parse(std::string_view bytes);

}  // namespace loci
