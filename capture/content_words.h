// The words of a text that carry meaning: what two texts may share. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace loci {

// Folded, each once, in the order of the text, without function words. At most `most`.
std::vector<std::string> content_words(std::string_view text, size_t most);

}  // namespace loci
