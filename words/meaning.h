// Whether a text, of what a person said, keeps enough, and does not turn it round. By words, like wording.h; no meaning is
// understood. Pure.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "words/text_words.h"

namespace loci {

// "avoid", "stopped", "hates", "allergic", "only", "unless", …: without it, a text says something else.
bool is_reversing(const TextWord& word);

// Does `text` speak of what a clause of `said` speaks of, and leave out what turns it? Another word that turns, a "not" or a past
// ("no longer", "previously") will do as well.
bool loses_reversal(WordReader& reader, const TextWords& said, const TextWords& text);

// Words that turn a meaning, in a text none of whose sources has one, a "not" or a past.
std::vector<std::string> added_reversals(const TextWords& text, std::span<const TextWords> sources);

// A shorter wording: words of the entry in their order, its first one among them, at most a third left out, and none that turns it.
bool says_no_more(WordReader& reader, const TextWords& line, const TextWords& entry);

}  // namespace loci
