#include "words/meaning.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_set>

#include "words/wording.h"

namespace loci {
namespace {

std::vector<std::string> sorted_content(const TextWords& text) {
  std::vector<std::string> stems;
  for (const TextWord& word : text.words)
    if (!is_frame_word(word)) stems.push_back(word.stem);
  std::ranges::sort(stems);
  return stems;
}

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

// What was so and is no longer. Other words of the past ("before", "until") say too many other things.
bool tells_of_former(const TextWord& word) {
  constexpr std::string_view words[] = {"former", "formerly", "ex", "previously", "previous", "fruher", "ehemals"};
  return is_one_of(word.folded, words);
}

bool turns(const TextWord& word) { return is_reversing(word) || tells_of_former(word); }

bool has_turning_word(const TextWords& text) { return std::ranges::any_of(text.words, turns); }

// The clauses of `text` that speak of one of these words, and whether one of them is turned.
struct Echo {
  bool any = false, turned = false;
};

Echo echo_of(WordReader& reader, const Stems& topic, const TextWords& text) {
  std::unordered_set<size_t> speaking;
  Echo echo;
  for (const TextWord& word : text.words)
    if (!turns(word) && reader.is_among(word, topic)) speaking.insert(word.clause);
  echo.any = !speaking.empty();
  for (const TextWord& word : text.words)
    if (speaking.contains(word.clause) && (word.is_denied || turns(word))) echo.turned = true;
  return echo;
}

}  // namespace

Kept kept_words(WordReader& reader, const TextWords& said, const TextWords& text) {
  const Stems stems = stems_of(text);
  const bool has_date = std::ranges::any_of(text.words, [](const TextWord& word) { return !word.date.empty(); });
  const bool only_frame = std::ranges::all_of(said.words, is_frame_word);
  const std::vector<std::string> lost = invented_values(reader, said, Sources{{text}, {}, {}});
  Kept kept;
  for (const TextWord& word : said.words) {
    if (word.is_denied || (is_frame_word(word) && !only_frame) || (is_relative_time(word.folded) && has_date)) continue;
    const bool is_lost_value = word.is_value && std::ranges::any_of(lost, [&](const std::string& value) {
                                 return value == word.folded || (!word.date.empty() && value == word.date) ||
                                        (!word.number.empty() && value == word.number);
                               });
    if (is_lost_value) kept.missing_values.push_back(word.folded);
    if (word.is_value) {  // "20 November" is kept in 2026-11-20
      ++kept.words;
      if (is_lost_value) kept.missing.push_back(word.folded);
      continue;
    }
    ++kept.words;
    if (!reader.is_among(word, stems)) kept.missing.push_back(word.folded);
  }
  return kept;
}

bool swaps_values(const TextWords& said, const TextWords& text) {
  if (sorted_content(said) != sorted_content(text)) return false;
  Stems values;
  for (const TextWords* one : {&said, &text})
    for (const TextWord& word : one->words)
      if (word.is_value) values.insert(word.stem);
  const auto in_order = [&](const TextWords& one) {
    std::vector<std::string> found;
    for (const TextWord& word : one.words)
      if (values.contains(word.stem)) found.push_back(word.stem);
    return found;
  };
  return in_order(said) != in_order(text);
}

bool swaps_places(WordReader& reader, const TextWords& said, const TextWords& text, std::span<const TextWords> sources) {
  Stems known;
  for (const TextWords& source : sources) known.merge(stems_of(source));
  const Stems stems = stems_of(text);
  const auto stood_there = [&](const TextWord& word) {
    return std::ranges::any_of(sources, [&](const TextWords& source) {
      return std::ranges::any_of(source.words,
                                 [&](const TextWord& one) { return one.place == word.place && one.stem == word.stem; });
    });
  };
  for (const TextWord& word : said.words) {
    if (word.place.empty() || word.is_value) continue;
    const auto is_there = [&](const TextWord& one) { return one.place == word.place; };
    if (std::ranges::any_of(text.words, [&](const TextWord& one) { return is_there(one) && one.stem == word.stem; })) continue;
    const bool is_gone = !reader.is_among(word, stems);
    for (const TextWord& other : text.words) {
      if (!is_there(other) || other.is_value || is_relative_time(other.folded) || stood_there(other)) continue;
      if (reader.is_among(other, known) != is_gone) return true;
    }
  }
  return false;
}

bool is_reversing(const TextWord& word) {
  constexpr std::string_view stems[] = {"avoid",     "stop",   "quit",   "hate",     "dislik", "refus",  "allerg",
                                        "allergi",   "except", "unless", "onli",     "cancel", "reject", "forbid",
                                        "forbidden", "ban",    "banned", "prohibit", "ceas",   "detest", "loath",
                                        "despis",    "resign", "divorc", "unabl"};
  return is_one_of(word.stem, stems);
}

bool loses_reversal(WordReader& reader, const TextWords& said, const TextWords& text) {
  if (text.tells_of_past) return false;
  for (const TextWord& turning : said.words) {
    if (!turns(turning)) continue;
    Stems topic;
    for (const TextWord& word : said.words)
      if (word.clause == turning.clause && !turns(word) && !is_frame_word(word)) topic.insert(word.stem);
    const Echo echo = echo_of(reader, topic, text);
    const bool is_lost = topic.empty() ? !text.denies && !has_turning_word(text) : echo.any && !echo.turned;
    if (is_lost) return true;
  }
  return false;
}

std::vector<std::string> added_reversals(const TextWords& text, std::span<const TextWords> sources) {
  std::vector<std::string> added;
  const bool is_turned_before = std::ranges::any_of(
      sources, [](const TextWords& source) { return source.denies || source.tells_of_past || has_turning_word(source); });
  if (is_turned_before) return added;
  for (const TextWord& word : text.words)
    if (is_reversing(word)) added.push_back(word.folded);
  return added;
}

std::vector<std::string> new_words(WordReader& reader, const TextWords& text, std::span<const TextWords> sources) {
  Stems known;
  for (const TextWords& source : sources) known.merge(stems_of(source));
  std::vector<std::string> found;
  for (const TextWord& word : text.words) {
    if (!word.date.empty() || word.is_value || is_frame_word(word) || builds_sentence(word) || is_relative_time(word.folded))
      continue;
    if (!reader.is_among(word, known)) found.push_back(word.folded);
  }
  return found;
}

size_t words_from(WordReader& reader, const TextWords& text, std::span<const TextWords> sources) {
  Stems known;
  for (const TextWords& source : sources) known.merge(stems_of(source));
  return static_cast<size_t>(std::ranges::count_if(
      text.words, [&](const TextWord& word) { return !is_frame_word(word) && reader.is_among(word, known); }));
}

bool says_no_more(WordReader& reader, const TextWords& line, const TextWords& entry) {
  if (line.denies != entry.denies || line.words.empty() || entry.words.empty()) return false;
  if (line.words.front().folded != entry.words.front().folded || 3 * line.words.size() < 2 * entry.words.size()) return false;
  auto next = entry.words.begin();
  for (const TextWord& word : line.words) {
    next = std::find_if(next, entry.words.end(), [&](const TextWord& one) { return one.folded == word.folded; });
    if (next == entry.words.end() || next->is_denied != word.is_denied) return false;
    ++next;
  }
  return std::ranges::count_if(line.words, turns) == std::ranges::count_if(entry.words, turns) &&
         invented_values(reader, line, Sources{{entry}, {}, {}}).empty();
}

}  // namespace loci
