#include "words/hedges.h"

#include <algorithm>
#include <map>
#include <string>

#include "words/word_table.h"

namespace loci {
namespace {

using Tables = std::map<std::string, WordTable, std::less<>>;

// Words that are no hedge in another language stand under "".
const Tables& guesses() {
  static const Tables tables = {
      {"",
       WordTable(
           "might maybe perhaps probably possibly presumably apparently supposedly allegedly think thinks thought guess guesses "
           "assume assumes suppose supposes suspect suspects believe believes likely unlikely unsure uncertain undecided whether "
           "considering considers considered seems seem seemed appears probable possible tentative tentatively "
           "vielleicht womoglich wahrscheinlich vermutlich eventuell moglicherweise konnte konnten konntest glaube glaubt denke "
           "vermute vermutet scheint anscheinend angeblich uberlege uberlegt uberlegen unsicher "
           "pourrait pourrais pourrions probablement semble croit crois pense sembler eventuellement "
           "quiza quizas podria podriamos probablemente posiblemente parece creo cree piensa "
           "misschien waarschijnlijk mogelijk lijkt forse probabilmente sembra credo crede potrebbe potrei "
           "talvez provavelmente possivelmente parece acho acha poderia "
           "chyba prawdopodobnie kanske troligen mojligen kanskje maske muligens belki galiba sanirim ehka talan lehet "
           "probabil может возможно наверное вероятно кажется ισως μπορει")},
      {"en", WordTable("may could")},
      {"nl", WordTable("denk denkt")},
      {"pl", WordTable("moze")},
      {"ro", WordTable("poate")}};
  return tables;
}

const Tables& wishes() {
  static const Tables tables = {
      {"",
       WordTable("want wants wanted wanting wish wishes wished hope hopes hoped hoping plan plans planning planned intend intends "
                 "intended intending would wanna aim aims aiming "
                 "mochte mochten mochtest wunsche wunscht hoffe hofft geplant wollen wollte wollten vorhaben "
                 "souhaite souhaitons voudrais voudrait voudrions aimerais aimerait veux veut espere prevoit prevois envisage "
                 "espero espera quiero quiere quisiera gustaria planea planeo pienso "
                 "zou hoopt vorrei vorrebbe vuole voglio spero spera intende gostaria quer quero pretende "
                 "chce chcialbym chcialaby planuje vill planerar hoppas onsker istiyor istiyorum haluaa haluan szeretne akar "
                 "хочет хочу планирует надеется")},
      {"de", WordTable("plane plant planen will")},
      {"nl", WordTable("wil wilt hoop")},
      {"da", WordTable("vil")}};
  return tables;
}

bool is_in(const Tables& tables, std::string_view word, std::string_view language) {
  if (tables.at("").contains(word)) return true;
  const auto own = tables.find(language.empty() ? std::string_view("en") : language);
  return own != tables.end() && own->second.contains(word);
}

// "May" is a month where a number stands beside it, and inside a sentence.
bool is_month(const std::vector<WrittenWord>& words, size_t i) {
  if (words[i].written != "May") return false;
  const auto is_number = [&](size_t k) {
    return k < words.size() && words[k].folded.front() >= '0' && words[k].folded.front() <= '9';
  };
  return !words[i].opens_sentence || is_number(i + 1) || (i > 0 && is_number(i - 1));
}

bool has_any(const WrittenWord& word, std::initializer_list<std::string_view> marks) {
  return word.is_cjk && std::ranges::any_of(marks, [&](std::string_view mark) { return word.folded.contains(mark); });
}

}  // namespace

Hedges hedges_in(const std::vector<WrittenWord>& words, std::string_view language) {
  static const WordTable conditions("if unless falls wenn sofern si sauf als indien se");
  static const WordTable intentions("will going gonna scheduled due soon werde wird werden wirst va vais allons ira gaat zal vai");
  static const WordTable could("could konnte konnten konntest podia podiamos poteva pouvait kunde kunne");
  static const WordTable can("can cannot able kann konnen kannst darf puede pueden puo possono peut peuvent pode podem kan kunnen");
  Hedges hedges;
  bool is_sure_guess = false;
  for (size_t i = 0; i < words.size(); ++i) {
    const WrittenWord& word = words[i];
    if (word.is_address) continue;
    if (has_any(word, {"可能", "也许", "或许", "大概", "好像", "似乎", "应该会", "かもしれ", "たぶん", "아마"}))
      hedges.guesses = is_sure_guess = true;
    if (has_any(word, {"想", "打算", "希望", "计划", "要去", "たい", "싶"})) hedges.wishes = true;
    if (has_any(word, {"如果", "要是", "除非"})) hedges.conditions = true;
    if (is_in(guesses(), word.folded, language) && !is_month(words, i)) {
      is_sure_guess = is_sure_guess || !could.contains(word.folded);
      hedges.guesses = true;
    }
    if (can.contains(word.folded)) hedges.can = true;
    if (is_in(wishes(), word.folded, language)) hedges.wishes = true;
    if (word.folded == "peut" && i + 1 < words.size() && words[i + 1].folded == "etre") hedges.guesses = is_sure_guess = true;
    if (intentions.contains(word.folded)) hedges.intends = true;
    const bool is_condition = word.folded == "if" || word.folded == "unless" || word.folded == "falls";
    if (is_condition ||
        (conditions.contains(word.folded) && language != "en" && !language.empty() && word.folded != "als" && word.folded != "se"))
      hedges.conditions = true;
  }
  hedges.only_could = hedges.guesses && !is_sure_guess;
  return hedges;
}

Hedges hedges_in(std::string_view text) {
  const auto words = written_words(text);
  return hedges_in(words, language_of(words));
}

}  // namespace loci
