#include "recall/word_forms.h"

#include <algorithm>
#include <iterator>

namespace loci {
namespace {

// One family a line. Regular inflections are the stemmer's; a family names those forms that it leaves apart. A form that means
// something else more often is left out ("saw", "left", "found" stay: they are mostly verbs; "lay", "bore", "wound" are not).
constexpr std::string_view irregular_verbs =
    "become became|begin began begun|bend bent|bet betting|bite bit bitten|blow blew blown|break broke broken|bring brought|"
    "build built|burn burnt|buy bought|catch caught|choose chose chosen|come came|creep crept|deal dealt|dig dug|do did done|"
    "draw drew drawn|dream dreamt|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|"
    "fight fought|find found|flee fled|fly flew flown|forbid forbade forbidden|forget forgot forgotten|forgive forgave forgiven|"
    "freeze froze frozen|get got gotten|give gave given|go went gone|grow grew grown|hang hung|hear heard|hide hid hidden|hold "
    "held|"
    "keep kept|kneel knelt|know knew known|lead led|leap leapt|learn learnt|leave left|lend lent|lose lost|make made|mean meant|"
    "meet met|pay paid|ride rode ridden|ring rang rung|rise rose risen|run ran|say said|see saw seen|seek sought|sell sold|send "
    "sent|"
    "shake shook shaken|shine shone|shoot shot|show shown|shrink shrank shrunk|sing sang sung|sink sank sunk|sit sat|sleep slept|"
    "slide slid|speak spoke spoken|spell spelt|spend spent|spin spun|stand stood|steal stole stolen|stick stuck|strike struck|"
    "swear swore sworn|sweep swept|swim swam swum|swing swung|take took taken|teach taught|tear tore torn|tell told|"
    "think thought|throw threw thrown|understand understood|wake woke woken|wear wore worn|weave wove woven|weep wept|win won|"
    "write wrote written";

constexpr std::string_view irregular_nouns =
    "child children kid|foot feet|goose geese|half halves|knife knives|leaf leaves|life lives|loaf loaves|man men|mouse mice|"
    "person people|shelf shelves|thief thieves|tooth teeth|wife wives|wolf wolves|woman women|criterion criteria|"
    "index indices|matrix matrices|vertex vertices|analysis analyses|crisis crises";

constexpr std::string_view spellings =
    "analyse analyze|behaviour behavior|cancelled canceled|catalogue catalog|centre center|colour color|cosy cozy|defence defense|"
    "dialogue dialog|favour favor|favourite favorite|flavour flavor|grey gray|harbour harbor|honour honor|humour humor|jewellery "
    "jewelry|"
    "judgement judgment|labour labor|licence license|litre liter|metre meter|mould mold|neighbour neighbor|neighbourhood "
    "neighborhood|"
    "organise organize|organisation organization|practise practice|programme program|realise realize|recognise recognize|"
    "rumour rumor|theatre theater|travelled traveled|traveller traveler|tyre tire";

constexpr std::string_view everyday_names =
    "mother mom mum mommy mummy|father dad daddy|grandmother grandma granny|grandfather grandpa|photo picture pic photograph|"
    "television tv|telephone phone|bicycle bike|refrigerator fridge|aeroplane airplane plane|movie film|"
    "configuration config|database db|directory folder|documentation docs|environment env|"
    "information info|kubernetes k8s|development dev|production prod|repository repo|"
    "javascript js|typescript ts|postgresql postgres|password passwd";

std::string_view take_until(std::string_view& text, char mark) {
  const size_t end = std::min(text.find(mark), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

// The others of every family with that word. A scan of a few thousand bytes: a command asks for a handful of words and ends, so
// that a table would cost it more to build.
std::vector<std::string_view> scan(std::string_view word) {
  std::vector<std::string_view> others;
  for (std::string_view families : {irregular_verbs, irregular_nouns, spellings, everyday_names})
    while (!families.empty()) {
      const std::string_view family = take_until(families, '|');
      std::vector<std::string_view> members;
      for (std::string_view rest = family; family.contains(word) && !rest.empty();) members.push_back(take_until(rest, ' '));
      if (std::ranges::find(members, word) == members.end()) continue;
      std::ranges::copy_if(members, std::back_inserter(others), [&](std::string_view member) { return member != word; });
    }
  return others;
}

}  // namespace

std::vector<std::string_view> other_forms(std::string_view folded) {
  if (folded.empty()) return {};
  auto forms = scan(folded);
  if (forms.empty() && folded.ends_with('s')) forms = scan(folded.substr(0, folded.size() - 1));  // a plural
  return forms;
}

}  // namespace loci
