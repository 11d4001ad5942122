#include "words/orders.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/unicode.h"

namespace loci {
namespace {

using Words = std::unordered_set<std::string>;

constexpr size_t longest_looked_at = 400;  // bytes: what a text asks for stands in its beginning
constexpr size_t longest_name = 24;        // of who wrote it, "Hanna:"

bool opens_order(const std::string& folded) {
  static const Words words = {"always",   "never",   "please",   "don't",     "do",       "avoid",    "answer",   "reply",
                              "respond",  "call",    "address",  "keep",      "use",      "write",    "speak",    "sign",
                              "give",     "send",    "ask",      "explain",   "remember", "stop",     "immer",    "nie",
                              "niemals",  "bitte",   "antworte", "antwortet", "schreib",  "schreibe", "schreibt", "nutze",
                              "verwende", "nenn",    "nenne",    "sprich",    "frag",     "frage",    "vermeide", "toujours",
                              "jamais",   "reponds", "ecris",    "utilise",   "siempre",  "nunca",    "responde", "escribe",
                              "usa",      "sempre",  "rispondi", "scrivi",    "altijd",   "nooit",    "antwoord", "gebruik"};
  return words.contains(folded);
}

bool is_of_preference(const std::string& folded) {
  static const Words words = {
      "prefer",   "prefers",  "preferred", "preference", "like",       "likes",  "love",      "loves",     "hate",
      "hates",    "dislike",  "dislikes",  "favourite",  "favorite",   "enjoys", "bevorzuge", "bevorzugt", "lieber",
      "liebsten", "mag",      "liebe",     "liebt",      "hasse",      "hasst",  "prefere",   "aime",      "deteste",
      "prefiero", "prefiere", "gusta",     "preferisco", "preferisce", "piace",  "liever",    "liefst",    "prefiro"};
  return words.contains(folded);
}

bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '\'' ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = begin;
    while (end < text.size() && is_word_byte(text[end])) ++end;
    if (end > begin) words.push_back(fold(text.substr(begin, end - begin)));
    begin = std::max(end, begin + 1);
  }
  return words;
}

// "Hanna: Bitte …" is said by Hanna.
std::string_view without_name(std::string_view text) {
  const size_t colon = text.substr(0, longest_name).find(": ");
  const bool is_name = colon != std::string_view::npos && text.substr(0, colon).find(' ') == std::string_view::npos;
  return is_name ? text.substr(colon + 2) : text;
}

}  // namespace

bool is_standing_order(std::string_view text) {
  const std::string_view beginning = without_name(text.substr(0, longest_looked_at));
  if (text.ends_with('?')) return false;
  const auto words = words_of(beginning);
  if (words.empty() || !opens_order(words.front())) return false;
  return words.front() != "do" || (words.size() > 1 && words[1] == "not");
}

bool tells_preference(std::string_view text) {
  return std::ranges::any_of(words_of(text.substr(0, longest_looked_at)), is_of_preference);
}

}  // namespace loci
