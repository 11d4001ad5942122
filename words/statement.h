// A text as the checks look at it, read once: words, values, names, "not" and "perhaps". And what one text has that others do not:
// the part of "does it still say the same" that code can know. Order and neighbours mean nothing here; whose value it is, and which
// way round, a reader has to tell. Pure; any thread; never fails.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "words/hedges.h"
#include "words/names.h"
#include "words/negation.h"
#include "words/said_times.h"
#include "words/values.h"

namespace loci {

struct Statement {
  std::vector<WrittenWord> words;
  std::string language;
  std::vector<Value> values;
  std::vector<Name> names;
  Negation negation;
  Hedges hedges;
  std::vector<bool> named_wrong;  // by word
};

Statement read_statement(std::string_view text);

// Something that was said, and when.
struct Said {
  const Statement* statement = nullptr;
  std::vector<std::string> days;        // "2026-11-20": of a fact the day it was said; of an entry all days it tells of
  std::vector<std::string> more_words;  // topic keys, tags and the like, folded: names may come from them
};

// What a text says that nobody said, as it is written. A value stands in what was said, or equals something there: a relative time
// its date, a span its end, 10:00 is 10 am, two is 2. The days on which it was said are known too. Names count only between texts
// of one language.
std::vector<std::string> values_from_nowhere(const Statement& text, std::span<const Said> said);
std::vector<std::string> names_from_nowhere(const Statement& text, std::span<const Said> said);

// Indexes of values and names of what was said that the text does not have.
std::vector<size_t> values_missing(const Said& said, const Statement& text);
std::vector<size_t> names_missing(const Said& said, const Statement& text);

// One language, as far as can be told.
bool is_one_language(const Statement& one, const Statement& other);

}  // namespace loci
