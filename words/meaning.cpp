#include "words/meaning.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_set>

#include "words/wording.h"

namespace loci {
namespace {

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
