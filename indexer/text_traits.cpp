#include "indexer/text_traits.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace loci {
namespace {

constexpr size_t longest_word = 9;

// Sorted, for a binary search.
constexpr std::string_view first_persons[] = {"i", "me", "mine", "my", "our", "ours", "us", "we"};
constexpr std::string_view numbers[] = {"couple", "dozen", "eight", "eleven", "five",  "four",  "half",   "hundred", "nine",
                                        "one",    "seven", "six",   "ten",    "third", "three", "twelve", "twice",   "two"};
constexpr std::string_view times[] = {"ago",       "april",  "august",   "december", "february", "friday",  "january",
                                      "july",      "june",   "monday",   "month",    "november", "october", "saturday",
                                      "september", "sunday", "thursday", "today",    "tomorrow", "tonight", "tuesday",
                                      "wednesday", "week",   "weekend",  "year",     "yesterday"};
static_assert(std::ranges::is_sorted(first_persons) && std::ranges::is_sorted(numbers) && std::ranges::is_sorted(times));

// Which lengths the words of the tables have that begin with a letter: most words of a text are told by that alone.
constexpr std::array<std::uint16_t, 26> lengths_by_letter = [] {
  std::array<std::uint16_t, 26> lengths{};
  for (const std::span<const std::string_view> words :
       {std::span<const std::string_view>(first_persons), std::span<const std::string_view>(numbers),
        std::span<const std::string_view>(times)})
    for (const std::string_view word : words)
      lengths[static_cast<size_t>(word[0] - 'a')] |= static_cast<std::uint16_t>(1U << word.size());
  return lengths;
}();

bool is_digit(char c) { return c >= '0' && c <= '9'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }
bool is_letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }

bool contains(std::span<const std::string_view> words, std::string_view word) { return std::ranges::binary_search(words, word); }

void look_at_word(std::string_view word, TextTraits& traits) {
  if (word.size() > longest_word || !(lengths_by_letter[static_cast<size_t>(lower(word[0]) - 'a')] >> word.size() & 1U)) return;
  std::array<char, longest_word> letters;
  std::ranges::transform(word, letters.begin(), lower);
  const std::string_view folded(letters.data(), word.size());
  traits.first_person |= contains(first_persons, folded);
  traits.number |= contains(numbers, folded);
  traits.time |= contains(times, folded);
}

// A mark with a blank, a quote or the end behind it: not the one in "search?q=x".
bool ends_a_question(std::string_view text, size_t position) {
  const std::string_view behind = text.substr(position + 1, 1);
  return behind.empty() || std::string_view(" \t\r\n\"')*_!?").contains(behind[0]) || static_cast<unsigned char>(behind[0]) >= 0x80;
}

}  // namespace

TextTraits traits_of(std::string_view text) {
  TextTraits traits;
  traits.asks = text.contains("\xEF\xBC\x9F") || text.contains("\xD8\x9F");  // of Chinese and Japanese, of Arabic
  for (size_t position = 0; position < text.size();) {
    const char c = text[position];
    if (is_letter(c)) {
      const size_t begin = position;
      while (position < text.size() && is_letter(text[position])) ++position;
      look_at_word(text.substr(begin, position - begin), traits);
      continue;
    }
    traits.number |= is_digit(c);
    traits.asks |= c == '?' && ends_a_question(text, position);
    ++position;
  }
  return traits;
}

}  // namespace loci
