#include "recall/function_words.h"

#include <string>
#include <unordered_set>

namespace loci {
namespace {

// No adverbs, quantifiers or particles ("out", "before", "most"): a rare one tells questions apart, and a common one weighs
// nothing.
constexpr std::string_view english =
    "a about am an and any are as at be been being but by can cannot could did do does doing for from had has have having he her "
    "hers herself him himself his how i if in into is it its itself me might mine must my myself nor not of on or our ours "
    "ourselves shall she should so some than that the their theirs them themselves then there these they this those to us was we "
    "were what when where which who whom whose why will with would you your yours yourself yourselves during "
    "ain't aren't can't couldn't didn't doesn't don't hadn't hasn't haven't isn't mightn't mustn't shan't shouldn't wasn't weren't "
    "won't wouldn't i'm i've i'd i'll you're you've you'd you'll he'd he'll she'd she'll it'd it'll we're we've we'd we'll they're "
    "they've they'd they'll that'd that'll who'd who'll there'd there'll what're what'd what'll how'd y'all "
    // the same as they are typed without the apostrophe
    "im ive dont doesnt didnt cant couldnt isnt arent wasnt werent wont wouldnt shouldnt hasnt havent hadnt whats thats wheres";

// Of other languages only what no English text means something else by: not "war", "hat", "mit", "van", "come", "comment".
constexpr std::string_view german =
    "aber auch auf aus dass das dem der doch ein eine einem einen einer eines es habe haben hatte hatten ich ihm ihn ihr ihre ist "
    "ja "
    "kann mein meine mich mir nach nicht noch nur oder sein seine sich sie sind und uns unser unsere vom von wann warum wem wen "
    "wenn "
    "wer werden weshalb wie wieso wir wird wo wurde zum zur";

constexpr std::string_view romance =
    // French
    "au aux avec ces cette dans du elle elles est et etait ils je les leur mais nous ont ou pourquoi quand que quel quelle quelles "
    "quels qui quoi sont sur une vous "
    // Spanish and Portuguese
    "como cual cuales cuando cuanto donde el ella ellas ellos en esta este esto fue hay las lo los mas mi mis nosotros para pero "
    "por "
    "porque quien quienes se sus un una uno y da das ela ele eles em essa esse foi isso mais meu minha nao nas nos o onde pela "
    "pelo "
    "quais qual quando que quem seu sua tem "
    // Italian
    "alla anche che cosa cui dal dalla degli della delle dello di dove e gli il io le lei loro lui mio nel nella non noi perche "
    "quale "
    "quali quello questo sei si sono sul sulla tra tu voi";

constexpr std::string_view dutch =
    "aan bij dat deze dit een haar heb heeft het hij ik jij jullie maar mijn naar niet onze ook uit voor waar waarom wanneer wat "
    "welke "
    "wij worden zij zijn";

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
