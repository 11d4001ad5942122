#include "recall/asking_words.h"

#include <algorithm>
#include <string>
#include <unordered_set>

namespace loci {
namespace {

constexpr double asking_weight = 0.25, digit_weight = 1.2;

// Words that carry the request and not its subject: the stop structures of long queries (Callan, Croft and Broglio, TREC and
// TIPSTER experiments with INQUERY, 1995; Huston and Croft, Evaluating verbose query processing techniques, 2010), for a memory of
// conversations. They are content words elsewhere, so they count less and are not dropped. By class:
constexpr std::string_view asking_words =
    // what one who answers is asked to do
    "advice advise answer ask asked describe explain give help list mention mentioned mentioning order please provide question "
    "recommend recommendation recommendations recommended say said sequence show suggest suggestion suggestions summarise "
    "summarize "
    "summary tell tip tips told "
    // remembering and wondering
    "bring brought going know look looking recall remember remind think thought walk want wanted wonder wondering "
    // the conversation itself
    "chat chats conversation conversations discuss discussed discussing discussion discussions earlier previous previously talk "
    "talked talking theme themes topic topics happen happened happening lately new news recent recently today tonight yesterday "
    // how much of it
    "across back between comprehensive detail details different first item items kind last like long many much several throughout "
    "total type various "
    // courtesy
    "good great hello hey hi nice ok okay sure thank thanks yes "
    // being in need or able
    "able need needed "
    // when it was: a day that a question names by its distance is told by question_cues.h
    "ago day days month months pass passed past time times week weeks year years";

std::unordered_set<std::string> make_table() {
  std::unordered_set<std::string> table;
  for (std::string_view words = asking_words; !words.empty();) {
    const size_t end = std::min(words.find(' '), words.size());
    table.emplace(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return table;
}

}  // namespace

double weight_of_question_word(std::string_view folded) {
  static const std::unordered_set<std::string> table = make_table();
  if (table.contains(std::string(folded))) return asking_weight;
  return std::ranges::any_of(folded, [](char c) { return c >= '0' && c <= '9'; }) ? digit_weight : 1;
}

}  // namespace loci
