// Whether a text, of what a person said, keeps enough, and does not turn it round. By words, like wording.h; no meaning is
// understood. Pure.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "words/text_words.h"

namespace loci {

// Content words of `said` that are missing from `text`, in order. Not counted: frame words (unless there are no others), what
// `said` denies, and relative times, which become dates.
struct Kept {
  size_t words = 0;
  std::vector<std::string> missing;
  std::vector<std::string> missing_values;

  bool at_least_half() const { return 2 * missing.size() <= words; }
};
Kept kept_words(WordReader& reader, const TextWords& said, const TextWords& text);

// The same words, with their names or numbers in another order: "Anna reports to Ben", "Ben reports to Anna".
bool swaps_values(const TextWords& said, const TextWords& text);

// Behind "in", "from", "over", … stands something else than in `said`: a word that no source has, where the right one is missing,
// or one that stood elsewhere. "Lives in berlin", "lives in paris"; "tea over coffee", "coffee over tea".
bool swaps_places(WordReader& reader, const TextWords& said, const TextWords& text, std::span<const TextWords> sources);

// "avoid", "stopped", "hates", "allergic", "only", "unless", …: without it, a text says something else.
bool is_reversing(const TextWord& word);

// Does `text` speak of what a clause of `said` speaks of, and leave out what turns it? Another word that turns, a "not" or a past
// ("no longer", "previously") will do as well.
bool loses_reversal(WordReader& reader, const TextWords& said, const TextWords& text);

// Words that turn a meaning, in a text none of whose sources has one, a "not" or a past.
std::vector<std::string> added_reversals(const TextWords& text, std::span<const TextWords> sources);

// Content words of `text` that are in no source; words with which a sentence is merely built do not count, nor do times.
std::vector<std::string> new_words(WordReader& reader, const TextWords& text, std::span<const TextWords> sources);

// How many words of `text`, frame words aside, stand in a source.
size_t words_from(WordReader& reader, const TextWords& text, std::span<const TextWords> sources);

// A shorter wording: words of the entry in their order, its first one among them, at most a third left out, and none that turns it.
bool says_no_more(WordReader& reader, const TextWords& line, const TextWords& entry);

}  // namespace loci
