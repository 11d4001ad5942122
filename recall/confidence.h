// Whether what was found answers the question, or only shares words with it. Pure.
#pragma once

#include "recall/relevance.h"

namespace loci {

// A relevance says how much of what the question tells is found; a question that tells much cannot share much by chance. So the
// relevance counts with the fourth root of how many telling words there are. An entry that has every word of the subject answers,
// however long it is. Chosen where at least 0.90 of the questions whose answer is there are answered and 0.79 of those
// whose answer was taken out are not: docs/design.md has the curve.
bool is_confident(const RelevanceParts& parts);

}  // namespace loci
