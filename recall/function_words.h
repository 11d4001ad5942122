// Words that carry grammar and no subject: a question's "what is the" says nothing about where its answer stands. Pure.
#pragma once

#include <string_view>

namespace loci {

// `folded` is in lower case, without diacritics, with ' for every apostrophe. Knows English contractions ("don't"), and the
// commonest function words of a few other languages as far as they are no content words of another one of them.
bool is_function_word(std::string_view folded);

}  // namespace loci
