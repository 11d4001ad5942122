#include "words/names.h"

#include <algorithm>

#include "base/unicode.h"
#include "recall/function_words.h"
#include "words/calendar_words.h"
#include "words/numbers.h"
#include "words/vocabulary.h"
#include "words/word_table.h"

namespace loci {
namespace {

bool has_digit(std::string_view word) { return word.find_first_of("0123456789") != std::string_view::npos; }

// Behind its first letter.
size_t capitals_inside(std::string_view word) {
  size_t count = 0, at = 0;
  if (!word.empty()) decode_code_point(word, at);
  while (at < word.size()) {
    count += begins_with_capital(word.substr(at));
    decode_code_point(word, at);
  }
  return count;
}

// Latin letters with Greek or Cyrillic ones between them, which may look the same.
bool mixes_scripts(std::string_view word) {
  bool latin = false, other = false;
  for (size_t at = 0; at < word.size();) {
    const char32_t c = decode_code_point(word, at);
    latin = latin || (c < 0x80 && c > '@');
    other = other || (c >= 0x380 && c <= 0x4FF);
  }
  return latin && other;
}

// "PostgreSQL", "macOS", "SRE".
bool is_written_unlike_a_word(std::string_view word) {
  return (capitals_inside(word) > 0 && count_code_points(word) > 1) || mixes_scripts(word);
}

bool is_shouted(const std::vector<WrittenWord>& words) {
  size_t loud = 0, all = 0;
  for (const WrittenWord& word : words) {
    if (count_code_points(word.written) < 2 || has_digit(word.folded)) continue;
    ++all;
    loud += capitals_inside(word.written) + 1 == count_code_points(word.written) && begins_with_capital(word.written);
  }
  return all > 3 && 2 * loud > all;
}

bool is_never_a_name(const WrittenWord& word) {
  static const WordTable words(
      "i ok mr mrs ms miss dr prof sir herr frau monsieur madame mme m sr sra senor senora don dona signor signora user yes no am "
      "pm "
      "bc ad etc pm ps fyi asap tbd todo gdp ist sie ihnen ihr ihre du dein");
  const std::string& folded = word.folded;
  return words.contains(folded) || has_digit(folded) || word.is_cjk || word.is_address || month_named(folded) ||
         weekday_named(folded) || is_unit(folded);
}

// Is a word that opens a sentence followed as a name is? "Anna's car", "Anna is", "Anna plays", "Anna Berg has".
bool is_followed_as_name(const std::vector<WrittenWord>& words, size_t i, std::string_view language) {
  const WrittenWord& one = words[i];
  if (one.folded.size() < 2) return false;  // "J'habite"
  if (is_function_word(one.folded) || day_named(one.folded) || span_named(one.folded) || is_person_word(one.folded)) return false;
  static const WordTable pronouns(
      "everything everyone everybody nothing something someone somebody anyone this that these those there here what who where "
      "when "
      "both all none each another let alles nichts etwas jemand niemand man dies das es tout rien quelqu todo nada algo tutto");
  if (pronouns.contains(one.folded)) return false;
  if (one.is_possessive) return true;
  if (i + 1 >= words.size() || words[i + 1].sentence != one.sentence || words[i + 1].clause != one.clause) return false;
  const WrittenWord& next = words[i + 1];
  static const WordTable verbs(
      "is was has had will can does did would could should must may might and ist war hat hatte wird kann muss mag geht wohnt "
      "arbeitet est etait aime habite travaille es era tiene vive trabaja ha lavora woont werkt heeft");
  if (verbs.contains(next.folded)) return true;
  // In English a verb and a plural look alike: "Anna plays chess", "Keep answers short".
  static const WordTable english(
      "likes lives works plays has wants needs loves hates prefers owns drinks eats speaks drives studies teaches goes does comes "
      "thinks "
      "says knows makes takes gets gives keeps wears manages sings swims cooks reads writes sleeps collects suffers hopes plans "
      "moves "
      "became began bought built came chose died drove fell found gave got grew knew left lost made met moved paid ran said sold "
      "spoke "
      "started stopped studied taught told took turned went won wrote");
  const bool is_english = language.empty() || language == "en";
  const bool looks_like_verb = english.contains(next.folded) || (next.folded.size() > 4 && next.folded.ends_with("ed"));
  return is_english && looks_like_verb && !one.folded.ends_with("ed") && !one.folded.ends_with("ing");
}

// "Meine Schwester Clara", "heißt Clara".
bool is_introduced(const std::vector<WrittenWord>& words, size_t i) {
  if (i == 0 || words[i].before != " ") return false;
  static const WordTable introductions("heisst heissen heisse namens herr frau familie firma onkel tante oma opa");
  return introductions.contains(words[i - 1].folded) || is_person_word(words[i - 1].folded);
}

}  // namespace

std::vector<Name> names_of(const std::vector<WrittenWord>& words, std::string_view language) {
  std::vector<Name> names;
  const bool is_loud = is_shouted(words), is_german = language == "de";
  for (size_t i = 0; i < words.size(); ++i) {
    const WrittenWord& word = words[i];
    if (is_never_a_name(word) || is_loud) continue;
    const bool is_unlike = is_written_unlike_a_word(word.written);
    if (!begins_with_capital(word.written) && !is_unlike) continue;
    bool opens = false;
    if (!is_unlike && word.opens_sentence) {
      if (is_german || !is_followed_as_name(words, i, language)) continue;
      opens = true;
    } else if (!is_unlike && is_german && !is_introduced(words, i)) {
      continue;
    }
    names.push_back({word.folded, word.written, i, opens});
  }
  return names;
}

bool has_name(const std::vector<WrittenWord>& words, std::string_view name) {
  static const WordTable endings("s es n en er ers");
  const auto differs_by_ending = [&](std::string_view longer, std::string_view shorter) {
    return shorter.size() > 2 && longer.starts_with(shorter) && endings.contains(longer.substr(shorter.size()));
  };
  return std::ranges::any_of(words, [&](const WrittenWord& word) {
    if (word.folded == name || differs_by_ending(word.folded, name) || differs_by_ending(name, word.folded)) return true;
    return word.is_address && word.folded.contains(name);
  });
}

}  // namespace loci
