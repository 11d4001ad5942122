// `#tag` in text, by Obsidian's rules: letters, digits, `_`, `-` and `/`, not only digits, behind a blank or a line start; not in
// code spans and fenced code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace loci {

// `text` is valid UTF-8 with LF line ends. In the order of the text, without #, repeated ones too.
std::vector<std::string> find_tags(std::string_view text);

}  // namespace loci
