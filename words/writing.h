// The words of a text as they are written, with what stands between them: for what code reads out of a text itself (values, names,
// "not", "perhaps"). Nothing is stemmed and nothing left out. Pure; any thread; never fails.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace loci {

// Of a text that is read: no text may cost seconds.
inline constexpr size_t longest_writing = size_t{64} << 10;  // bytes

struct WrittenWord {
  std::string written;  // without the marks around it: "Anna" of "(Anna's"
  std::string folded;   // lower case, no diacritics
  std::string before;   // what stands between the word before and this one
  std::string behind;   // marks right behind it, as far as they stand before a blank: ",", "%"
  size_t sentence = 0;  // rising; ends at . ! ? : ; and at a line's end
  size_t clause = 0;    // rising; ends there, and at commas, dashes and parentheses
  bool opens_sentence = false;
  bool is_possessive = false;  // "Anna's"
  bool is_address = false;     // of a machine, a page, a file or a person: copied, never worded anew
  bool is_cjk = false;         // a run of letters without blanks between words
};

std::vector<WrittenWord> written_words(std::string_view text);

bool begins_with_capital(std::string_view word);

// What a text is written in, by its function words and its script: "en", "de", "zh", …; empty if that cannot be told.
std::string language_of(const std::vector<WrittenWord>& words);

}  // namespace loci
