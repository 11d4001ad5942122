// How much a word of a question says about where its answer stands. Pure.
#pragma once

#include <string_view>

namespace loci {

// 0.25 for a word that belongs to the asking ("remind", "recommend", "conversation"), 1.2 for one with a digit, else 1. `folded` is
// in lower case.
double weight_of_question_word(std::string_view folded);

}  // namespace loci
