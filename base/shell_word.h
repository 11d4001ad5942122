// A name as it is typed into a shell.
#pragma once

#include <string>
#include <string_view>

namespace loci {

// As a shell completes it: with a backslash before what would be no part of one word ("my\ notes.md"). So it can stand between the
// quotes of a message.
std::string shell_word(std::string_view word);

}  // namespace loci
