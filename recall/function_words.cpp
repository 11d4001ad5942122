#include "recall/function_words.h"

#include <string>
#include <unordered_set>

namespace loci {
namespace {

constexpr std::string_view english =
    "a about after again all also am an and any are as at be because been before being both but by can cannot could did do does "
    "doing done during each either for from further get gets getting got had has have having he her here hers herself him himself "
    "his how i if in into is it its itself just let like me more most much my myself no nor not of on once only or other our ours "
    "ourselves out over own same she should so some still such than that the their theirs them themselves then there these they "
    "this those through to too under until up us very was we were what when where which while who whom whose why will with would "
    "you your yours yourself yourselves may might must shall tell please ever "
    "ain't aren't can't couldn't didn't doesn't don't hadn't hasn't haven't isn't mightn't mustn't shan't shouldn't wasn't weren't "
    "won't wouldn't i'm i've i'd i'll you're you've you'd you'll he'd he'll she'd she'll it'd it'll we're we've we'd we'll they're "
    "they've they'd they'll that'd that'll who'd who'll there'd there'll what're what'd what'll how'd y'all "
    // the same as they are typed without the apostrophe
    "im ive dont doesnt didnt cant couldnt isnt arent wasnt werent wont wouldnt shouldnt hasnt havent hadnt whats thats wheres";

constexpr std::string_view german =
    "aber als auch auf aus bei bin das dass dem den der des doch ein eine einem einen einer eines er es fur hab habe haben hat "
    "hatte "
    "hatten ich ihm ihn ihr ihre im ist ja kann mein meine mich mir mit nach nicht noch nur oder sein seine sich sie sind uber und "
    "uns "
    "unser unsere vom von wann warum wem wen wenn wer werden weshalb wie wieso wir wird wo wurde zum zur";

constexpr std::string_view romance =
    // French
    "au aux avec ces cette comment dans du elle elles est et etait ils je les leur mais nous ont ou ou pourquoi quand que quel "
    "quelle "
    "quelles quels qui quoi sa ses sont sur une vous "
    // Spanish and Portuguese
    "al como con cual cuales cuando del donde el ella ellas ellos en esta este esto fue ha han hay las lo los mas mi mis nosotros "
    "para "
    "pero por porque quien quienes se ser su sus un una uno y ya com da das dos ela ele eles em essa esse foi isso mais meu minha "
    "nao "
    "nas nos o onde os pela pelo quais qual quando que quem seu sua tem uma "
    // Italian
    "alla anche che chi cosa cui dal dalla degli della delle dello di dove e gli il io la le lei loro lui ma mio nel nella non noi "
    "perche quale quali quello questo sei si sono sul sulla tra tu un' voi";

constexpr std::string_view dutch =
    "aan bij dat deze dit een en haar heb heeft het hij hoe ik jij jullie maar met mijn naar niet om ons onze ook op te uit van "
    "voor "
    "waar waarom wanneer wat welke wie wij worden zijn zij";

std::unordered_set<std::string> make_table() {
  std::unordered_set<std::string> table;
  for (std::string_view words : {english, german, romance, dutch}) {
    while (!words.empty()) {
      const size_t end = std::min(words.find(' '), words.size());
      if (end > 0) table.emplace(words.substr(0, end));
      words.remove_prefix(std::min(end + 1, words.size()));
    }
  }
  return table;
}

}  // namespace

bool is_function_word(std::string_view folded) {
  static const std::unordered_set<std::string> table = make_table();
  return table.contains(std::string(folded));
}

}  // namespace loci
