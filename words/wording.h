// Which values of a text come from nowhere. Words are compared by stem and irregular forms, in any order; no meaning is understood.
// Errs on the side of refusing. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "words/text_words.h"

namespace loci {

// What a text may take its values from.
struct Sources {
  std::vector<TextWords> texts;
  std::vector<std::string> days;       // "2026-11-21", of facts and entries
  std::vector<std::string> fact_days;  // of facts: what a relative time in them is reckoned from
};

// Numbers, names, dates and parts of identifiers of `text` that stand in no source. Dates may also be days of the sources; and, if
// a source has a relative time ("yesterday", "next week"), any date within a year of its day. "two" and 2 are the same, so are
// "20th" and 20. A number is known as a whole ("0.5", "-18"), in its unit, and beside a word that it stands beside in the source. A
// capital at the beginning of a sentence is a name too, unless the word stands in a source or looks like a verb.
std::vector<std::string> invented_values(WordReader& reader, const TextWords& text, const Sources& sources);

// "yesterday", "next week": folded.
bool is_relative_time(std::string_view word);

}  // namespace loci
