#include "words/hedges.h"

#include <string>
#include <unordered_set>

#include "base/unicode.h"

namespace loci {
namespace {

bool is_guess(const std::string& folded) {
  static const std::unordered_set<std::string> words = {
      "might",       "may",        "maybe",     "perhaps",        "probably",   "possibly",  "presumably",     "could",  "think",
      "guess",       "assume",     "suppose",   "suspect",        "believe",    "likely",    "unsure",         "if",     "whether",
      "considering", "vielleicht", "womoglich", "wahrscheinlich", "vermutlich", "konnte",    "konnten",        "glaube", "falls",
      "pourrait",    "pourrais",   "quiza",     "quizas",         "podria",     "misschien", "waarschijnlijk", "forse",  "talvez"};
  return words.contains(folded);
}

bool is_wish(const std::string& folded) {
  static const std::unordered_set<std::string> words = {
      "want",   "wants",   "wanted",   "wanting", "wish",   "wishes",  "hope",      "hopes",    "hoping",
      "plan",   "plans",   "planning", "planned", "intend", "intends", "intending", "would",    "wanna",
      "mochte", "mochten", "wunsche",  "hoffe",   "plane",  "plant",   "souhaite",  "voudrais", "voudrait",
      "espere", "quiero",  "quisiera", "espero",  "zou",    "vorrei",  "spero",     "gostaria"};
  return words.contains(folded);
}

bool is_word_byte(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80; }

// The month, unless a sentence begins with it.
bool is_month(std::string_view word, std::string_view before) {
  const size_t last = before.find_last_not_of(" \t");
  return word == "May" && last != std::string_view::npos &&
         std::string_view(".!?\n:;").find(before[last]) == std::string_view::npos;
}

}  // namespace

Hedges hedges_in(std::string_view text) {
  Hedges hedges;
  for (size_t begin = 0; begin < text.size();) {
    if (!is_word_byte(text[begin])) {
      ++begin;
      continue;
    }
    size_t end = begin;
    while (end < text.size() && is_word_byte(text[end])) ++end;
    const std::string_view word = text.substr(begin, end - begin);
    const std::string folded = fold(word);
    hedges.guesses = hedges.guesses || (is_guess(folded) && !is_month(word, text.substr(0, begin)));
    hedges.wishes = hedges.wishes || is_wish(folded);
    begin = end;
  }
  return hedges;
}

}  // namespace loci
