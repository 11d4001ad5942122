// What a stranger's server says, made fit for an error of ours. Pure.
#pragma once

#include <string>
#include <string_view>

namespace loci {

// One line of at most 300 characters: no control or invisible character, no blanks in a row, "[key]" wherever the key stood.
std::string error_text(std::string_view text, std::string_view key);

}  // namespace loci
