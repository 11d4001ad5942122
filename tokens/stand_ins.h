// Unicode 15 and 16 added letters, marks and numbers that PCRE2 10.42, which knows Unicode 14, takes for unassigned. To be split as
// if it knew them, a text is split with an older character of the same class and the same length in UTF-8 in the place of each.
// Pure.
#pragma once

#include <string>
#include <string_view>

namespace loci {

// False if there is nothing to put stand-ins for, and then `out` is left alone. `text` is valid UTF-8.
bool put_stand_ins(std::string_view text, std::string& out);

}  // namespace loci
