#include "words/vocabulary.h"

#include <string>
#include <unordered_set>

namespace loci {
namespace {

class WordSet {
 public:
  explicit WordSet(std::string_view words) {
    while (!words.empty()) {
      const size_t end = std::min(words.find(' '), words.size());
      words_.emplace(words.substr(0, end));
      words.remove_prefix(std::min(end + 1, words.size()));
    }
  }
  bool contains(std::string_view word) const { return words_.contains(std::string(word)); }

 private:
  std::unordered_set<std::string> words_;
};

}  // namespace

bool is_negation(std::string_view word) {
  static const WordSet words(
      "not no never none nobody nothing neither nor without cannot cant dont doesnt didnt isnt arent wasnt werent wont wouldnt "
      "couldnt shouldnt hasnt havent hadnt nicht kein keine keinen keinem keiner keines nie niemals nichts ohne pas jamais nunca "
      "niet geen nooit zonder nao 不 没 沒 無 无 未");
  return words.contains(word);
}

bool is_past_marker(std::string_view word) {
  static const WordSet words(
      "previously previous formerly former until before earlier once ex originally historically fruher ehemals zuvor vorher bisher "
      "bis auparavant avant antes prima eerder vroeger 曾 以前");
  return words.contains(word);
}

bool continues_negation(std::string_view word) {
  static const WordSet words("longer more anymore mehr plus mas meer");
  return words.contains(word);
}

bool ends_clause(std::string_view word) {
  static const WordSet words("and but und aber sondern mais pero maar");
  return words.contains(word);
}

bool is_german(std::string_view word) {
  static const WordSet words("der das und ist ein eine einen einem einer bei fur nicht auf zum zur wird");
  return words.contains(word);
}

bool is_of_another_language(std::string_view word) {
  static const WordSet words("el la los las del en le les une il elle que het een di che der die das ist nao para");
  return words.contains(word);
}

bool follows_subject(std::string_view word) {
  static const WordSet words("is was has had will can does did are were have would could should must may might s");
  return words.contains(word);
}

bool is_usual_opening(std::string_view stem) {
  static const WordSet stems(
      "own drink eat move join leav left plan play speak studi take want need keep run deploy marri born sinc after befor onc "
      "formerli stop quit hate dislik avoid refus allerg meet drive drove write read learn buy bought sell sold visit travel build "
      "manag report say said ask answer know think believ consid both each everi all most mani some name call employ switch start "
      "began begin end finish chang becam go goes went come came get got make made mayb perhap remov add updat set instal "
      "no not never without earlier later first second next final yes");
  return stems.contains(stem);
}

bool is_reversing_opening(std::string_view stem) {
  static const WordSet stems("stop quit hate dislik avoid refus allerg end finish remov");
  return stems.contains(stem);
}

bool is_frame_stem(std::string_view stem) {
  static const WordSet stems(
      "work live use like love enjoy prefer join becom current now today just recent still also realli veri user person previous "
      "former until befor new 的 是 了 在 和 也 很 我 你 他 她 们");
  return stems.contains(stem);
}

bool is_person_word(std::string_view word) {
  static const WordSet words(
      "brother sister mother mom mum father dad wife husband partner girlfriend boyfriend fiance fiancee son daughter child "
      "children "
      "kid kids baby parents grandmother grandma grandfather grandpa aunt uncle cousin niece nephew friend friends neighbor "
      "neighbour "
      "neighbors neighbours boss manager colleague colleagues coworker coworkers roommate flatmate landlord teacher doctor client "
      "clients customer customers team everyone everybody someone somebody people they she he bruder schwester mutter vater frau "
      "mann "
      "sohn tochter kind kinder eltern freund freundin chef chefin kollege kollegin nachbar nachbarin frere soeur mere pere femme "
      "mari "
      "fils fille ami amie hermano hermana madre padre esposa esposo hijo hija amigo amiga broer zus moeder vader vrouw zoon "
      "dochter "
      "vriend vriendin");
  return words.contains(word);
}

bool is_connecting(std::string_view stem) {
  static const WordSet stems("still while dure becaus also too with onward later well further addit as");
  return stems.contains(stem);
}

}  // namespace loci
