// Memory text as it stands in a prompt: data, and nothing that could pass for the blocks around it. Pure.
#pragma once

#include <string>
#include <string_view>

namespace loci {

// `&`, `<` and `>` as `&amp;`, `&lt;` and `&gt;`, so that no text can open or close a tag. Bad UTF-8 becomes U+FFFD.
std::string as_data(std::string_view text);

// The same on one line: every run of white space, and of controls, is one blank, and none stands at the ends.
std::string as_data_line(std::string_view text);

// The words of a text, folded, each with a blank before and behind it: two texts that give the same differ in marks and case only,
// and one that is a part of another stands in it.
std::string joined_words_of(std::string_view text);

}  // namespace loci
