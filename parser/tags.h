// `#tag` in text, by Obsidian's rules: letters, digits, `_`, `-` and `/`, not only digits, behind a blank or a line start; not in
// code spans and fenced code. What is a blank, a # and a letter of a tag, and when two are the same: parser/tag_names.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace loci {

// So many of one text are read, repeated ones too; of what is read an entry has the first most_tags that differ.
inline constexpr size_t most_tags_read = 100'000;

// `text` is valid UTF-8 with LF line ends. In the order of the text, without #, repeated ones too.
std::vector<std::string> find_tags(std::string_view text);

}  // namespace loci
