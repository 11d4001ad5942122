// Whether what was found answers the question, or only shares words with it. Pure.
//
// People do not ask in the words of a memory. Of "Let's deploy Falke today, it's Friday afternoon" a memory has two words, and
// says what matters. How much of a message is found tells nothing then. What tells is whether so much would be found by chance:
//
//   met     Σ over the words that entry and message share: q × form × (1/5 + 4/5 × rarity)       relevance.h, rarity.h
//   chance  0.65 ln(length + 5) + 0.25 ln(sharing) + 0.03 ln(entries) - 1.35
//
// A long entry meets more words by chance; a word that many entries have says little of this one; where there are many entries one
// of them is met sooner. Each of them multiplies what is to be expected by chance, so that their logarithms add up, as those of the
// words' frequencies do. An entry answers if
//
//   - it has every word of the subject, and 0.43 is met, which one common word has not: "thanks, that works" is no question about
//     work; or
//   - it is a turn, and it leads: (relevance, with 1.2 × own in it, - 0.4 × others) × words^0.3 is at least 0.33. A turn is found
//     by its neighbours and its conversation, too, which `met` does not see. What it has by chance other conversations have as
//     well, though they say nothing of what is asked: so it is held against these, the third to the sixth best; or
//   - it is no turn, and what is met is at least what chance gives, and 0.43, whatever else the message says.
//
// The constants were chosen on three sets of messages, alone and among 100 and 1,000 other facts; that of turns on questions to
// conversations, with the ones that answer left in and taken out: docs/design.md has the figures.
#pragma once

#include "recall/relevance.h"

namespace loci {

bool is_confident(const RelevanceParts& parts);

}  // namespace loci
