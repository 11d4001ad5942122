// What stands between git's conflict markers without an id: a person's paragraphs, items and headings. There a side's words are one
// text, and the other side's another. Pure.
#pragma once

#include "edits/merge_entries.h"

namespace loci {

// The text that shall stand instead of either. None: one of the two.
using Reword = std::function<std::optional<std::string>(const Disagreement&)>;

// Settles `sides`: where a choice was made both have its words from then on, for merge_entries() to find alike. With Side::both
// each keeps its own, and the merge has the one behind the other. What nobody can say is returned, without an id.
std::vector<Disagreement> settle_words(ConflictSides& sides, const ChooseSide& choose, const Reword& reword);

}  // namespace loci
