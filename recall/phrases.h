// Phrases of whole words in a text, for tables of what people say. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace loci {

using Words = std::vector<std::string>;

// Folded words; "*" stays, for the tables.
Words words_of(std::string_view text);

// Whether the words of a phrase stand in the text one behind the other; "*" in it stands for any one word.
bool contains_phrase(const Words& text, std::string_view phrase);

}  // namespace loci
