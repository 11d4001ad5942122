#include "words/negation.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "words/word_table.h"

namespace loci {
namespace {

// Of all languages, where no other one uses the word for something else.
const WordTable& shared_negations() {
  static const WordTable words(
      "not never none nobody nothing neither nor cannot nowhere nicht kein keine keinen keinem keiner keines nie niemals nichts "
      "niemand weder jamais aucun aucune rien nunca jamas nadie ningun ninguna ninguno niet geen nooit niets niemand nao nenhum "
      "nenhuma nunca ninguem mai nessuno nessuna niente nulla inte ingen inga inget aldrig ikke ingen intet aldri nigdy nic nikt "
      "degil asla hicbir nem soha semmi nincs нет не никогда ничего никто нельзя δεν μη ποτε ei en eivat emme koskaan nu niciodata "
      "nimic mai ezin inoiz nid nie nem nikada nije");
  return words;
}

// Words that are a negation in their own language alone.
const std::map<std::string, WordTable, std::less<>>& own_negations() {
  static const std::map<std::string, WordTable, std::less<>> tables = {
      {"en", WordTable("no without")},         {"de", WordTable("ohne nein")},
      {"fr", WordTable("ne pas sans ni non")}, {"es", WordTable("no sin ni tampoco")},
      {"it", WordTable("non senza ne")},       {"pt", WordTable("nao sem nem")},
      {"nl", WordTable("zonder nee")},         {"pl", WordTable("nie bez")},
      {"sv", WordTable("utan nej")},           {"da", WordTable("uden nej")},
      {"tr", WordTable("yok hayir")},          {"", WordTable("no without ohne ne pas sans sin non senza")}};
  return tables;
}

// In the table above only for its own language: "en" is French, Spanish and Dutch too.
bool is_other_word(std::string_view word, std::string_view language) {
  static const std::map<std::string, std::set<std::string, std::less<>>, std::less<>> only_in = {{"en", {"fi"}},
                                                                                                 {"ei", {"fi"}},
                                                                                                 {"nu", {"ro"}},
                                                                                                 {"mai", {"it", "ro"}},
                                                                                                 {"nid", {"cy"}},
                                                                                                 {"nic", {"pl"}},
                                                                                                 {"nie", {"de", "pl", ""}},
                                                                                                 {"nem", {"hu", "pt"}},
                                                                                                 {"nulla", {"it"}},
                                                                                                 {"rien", {"fr"}},
                                                                                                 {"geen", {"nl"}},
                                                                                                 {"ingen", {"sv", "da"}},
                                                                                                 {"emme", {"fi"}}};
  const auto found = only_in.find(std::string(word));
  return found != only_in.end() && !found->second.contains(language);
}

bool has_chinese_negation(std::string_view word) {
  constexpr std::string_view marks[] = {"不", "没", "沒", "无", "無", "未", "别", "勿", "ない", "ません", "않", "없", "아니"};
  constexpr std::string_view others[] = {"不错", "不过", "不仅", "不但", "不同",   "无论", "未来",
                                         "别人", "特别", "别的", "分别", "差不多", "不久"};
  std::string rest(word);
  for (const std::string_view other : others)
    for (size_t at = rest.find(other); at != std::string::npos; at = rest.find(other)) rest.erase(at, other.size());
  return std::ranges::any_of(marks, [&](std::string_view mark) { return rest.contains(mark); });
}

class Reader {
 public:
  Reader(const std::vector<WrittenWord>& words, std::string_view language) : words_(words), language_(language) {}

  bool is_negation(size_t i) const {
    const WrittenWord& word = words_[i];
    if (word.is_address) return false;
    if (word.is_cjk) return has_chinese_negation(word.folded);
    if (next(i) == "only" || next(i) == "nur" || next(i) == "just" || next(i) == "seulement" || next(i) == "solo") return false;
    if (shared_negations().contains(word.folded)) return !is_other_word(word.folded, language_);
    const auto own = own_negations().find(language_);
    if (own == own_negations().end() || !own->second.contains(word.folded)) return false;
    // "No." of a number; "no one" is one word more.
    return word.folded != "no" || !word.behind.starts_with('.') || next(i).empty() || next(i).front() > '9';
  }

  // "no longer", "not any more", "nicht mehr", "ne … plus", "ya no".
  bool is_ending_negation(size_t i) const {
    static const WordTable behind("longer more anymore mehr meer mas piu mais");
    const std::string_view word = words_[i].folded;
    if (behind.contains(next(i))) return true;
    if ((word == "ne" || word == "n") && language_ == "fr") return has_in_clause(i, "plus");
    if (i > 0 && words_[i - 1].folded == "ya" && word == "no") return true;
    return has_in_clause(i, "anymore") || has_in_clause(i, "mehr") || has_any_more(i);
  }

  std::string_view next(size_t i) const { return i + 1 < words_.size() ? std::string_view(words_[i + 1].folded) : ""; }

 private:
  bool has_in_clause(size_t i, std::string_view wanted) const {
    for (size_t k = i + 1; k < words_.size() && words_[k].sentence == words_[i].sentence; ++k)
      if (words_[k].folded == wanted) return true;
    return false;
  }
  bool has_any_more(size_t i) const {
    for (size_t k = i + 1; k + 1 < words_.size() && words_[k].sentence == words_[i].sentence; ++k)
      if (words_[k].folded == "any" && (words_[k + 1].folded == "more" || words_[k + 1].folded == "longer")) return true;
    return false;
  }

  const std::vector<WrittenWord>& words_;
  std::string_view language_;
};

// What says that something is over, or is refused: by itself it turns what is said.
bool turns_or_ends(const WrittenWord& word) {
  static const WordTable words(
      "quit quits quitting left leaves stop stops stopped stopping cancel cancels cancelled canceled cancelling until previously "
      "previous formerly former before earlier once ended gave instead rather avoid avoids avoided avoiding refuse refuses "
      "refused hate hates dislikes dislike allergic allergy except unless lack lacks lacking missing dropped drops abandoned "
      "rejected rejects declined declines forbids forbidden banned vegetarian vegan anymore finished "
      "aufgehort aufgegeben gekundigt abgesagt bis fruher vorher zuvor ehemals statt anstatt vermeidet meidet vermeiden lehnt "
      "hasst "
      "allergisch ausser verboten beendet arrete quitte annule jusqu auparavant avant ancien evite evitez refuse deteste "
      "allergique sauf interdit hasta antes dejo dejado cancelado evita evitar alergico alergica excepto "
      "prohibido fino prima precedentemente smesso annullato allergico allergica vroeger tot eerder gestopt allergisch behalve "
      "ate antes parou cancelado alergico przedtem wczesniej tidigare fram раньше прежде бросил ушел");
  constexpr std::string_view marks[] = {"以前", "之前", "曾", "取消", "戒", "只", "过敏", "原来", "直到", "停止"};
  if (word.is_cjk) return std::ranges::any_of(marks, [&](std::string_view mark) { return word.folded.contains(mark); });
  return words.contains(word.folded) || word.folded.ends_with("free") || word.folded.ends_with("frei");
}

bool begins_contrast(std::string_view before) {
  return before.contains(',') || before.contains(';') || before.contains('(') || before.contains("—") || before.contains("–") ||
         before.contains(" - ") || before.contains("，");
}

bool ends_contrast(std::string_view word) {
  static const WordTable words("but sondern mais sino ma maar mas it its he she es er sie c ist");
  return words.contains(word);
}

// "instead of Jon", "rather than Jon", "statt Jon", "au lieu de", "en vez de".
size_t words_of_instead(const std::vector<WrittenWord>& words, size_t i) {
  const auto at = [&](size_t k) { return k < words.size() ? std::string_view(words[k].folded) : std::string_view(); };
  if (at(i) == "statt" || at(i) == "anstatt" || at(i) == "invece") return 1;
  if ((at(i) == "instead" && at(i + 1) == "of") || (at(i) == "rather" && at(i + 1) == "than")) return 2;
  if ((at(i) == "lieu" || at(i) == "vez" || at(i) == "plaats") && i > 0) return 1;
  return 0;
}

bool says_wrong(std::string_view word) {
  static const WordTable words("wrong incorrect mistaken falsch faux incorrecto incorrecta sbagliato errado verkeerd onjuist");
  return words.contains(word);
}

// Where a contrast that the "not" at `i` begins has its end; `i` if it begins none.
size_t end_of_contrast(const std::vector<WrittenWord>& words, size_t i) {
  size_t end = i + 1;
  bool is_answered = false;
  for (; end < words.size() && words[end].sentence == words[i].sentence; ++end) {
    is_answered = ends_contrast(words[end].folded) && (end > i + 1);
    if (is_answered || (words[end].clause != words[i].clause && end > i + 1)) break;
  }
  if (!is_answered && end < words.size() && words[end].sentence == words[i].sentence)
    is_answered = ends_contrast(words[end].folded);
  const bool stands_behind = begins_contrast(words[i].before) || (i > 0 && words[i - 1].folded == "and");
  return stands_behind || is_answered ? end : i;
}

// --- what is denied in one part and put right in the next ---

bool says_is(const WrittenWord& word) {
  static const WordTable words(
      "is are was were am be been called named ist sind war waren bin heisst est sont etait etaient es son era eran fue e sono "
      "erano "
      "sao foi zijn was waren heet jest sa byl byla ar var er");
  return words.contains(word.folded);
}

// "it is …", "that's …", "es ist …": it speaks of what was just spoken of.
bool points_back(const WrittenWord& word) {
  static const WordTable words(
      "it its he she that this they es das er sie c ce lui elle ese esa eso el ella quello quella het dat");
  return words.contains(word.folded);
}

struct Span {
  size_t begin = 0, end = 0;
};

Span clause_of(const std::vector<WrittenWord>& words, size_t i) {
  Span span{i, i + 1};
  while (span.begin > 0 && words[span.begin - 1].clause == words[i].clause) --span.begin;
  while (span.end < words.size() && words[span.end].clause == words[i].clause) ++span.end;
  return span;
}

bool has_word(const std::vector<WrittenWord>& words, Span span, std::string_view folded) {
  return std::any_of(words.begin() + static_cast<std::ptrdiff_t>(span.begin), words.begin() + static_cast<std::ptrdiff_t>(span.end),
                     [&](const WrittenWord& word) { return word.folded == folded; });
}

// Does a part say of the same thing what is so: "my manager is Jochen", "it's Jochen"?
bool puts_right(const Reader& reader, const std::vector<WrittenWord>& words, Span denied, Span other) {
  bool says = false, is_same = points_back(words[other.begin]);
  for (size_t k = other.begin; k < other.end; ++k) {
    if (reader.is_negation(k)) return false;
    says = says || says_is(words[k]) || (points_back(words[k]) && words[k].is_possessive);
    is_same = is_same || (words[k].folded.size() > 3 && !says_is(words[k]) && has_word(words, denied, words[k].folded));
  }
  return says && is_same;
}

// Of the "not" at `i`, the part that it denies if the part before or behind says of the same thing what is so: "Petra was never my
// manager; it is Jochen", "My manager is Jochen. Petra never was my manager". Empty if there is none.
struct Denied {
  Span denied, right;
};

std::optional<Denied> denied_and_put_right(const Reader& reader, const std::vector<WrittenWord>& words, size_t i) {
  const Span denied = clause_of(words, i);
  const bool is_of_what_is = std::any_of(words.begin() + static_cast<std::ptrdiff_t>(denied.begin),
                                         words.begin() + static_cast<std::ptrdiff_t>(denied.end), says_is);
  if (!is_of_what_is || reader.is_ending_negation(i)) return std::nullopt;
  if (denied.end < words.size())
    if (const Span next = clause_of(words, denied.end); puts_right(reader, words, denied, next)) return Denied{denied, next};
  if (denied.begin > 0)
    if (const Span last = clause_of(words, denied.begin - 1); puts_right(reader, words, denied, last)) return Denied{denied, last};
  return std::nullopt;
}

}  // namespace

Negation negation_in(const std::vector<WrittenWord>& words, std::string_view language) {
  const Reader reader(words, language);
  Negation found;
  std::set<size_t> sentences, denying;
  for (size_t i = 0; i < words.size(); ++i) {
    sentences.insert(words[i].sentence);
    if (turns_or_ends(words[i])) found.turns.push_back(words[i].is_cjk ? "以前" : words[i].folded);
    if (!reader.is_negation(i)) continue;
    if (reader.is_ending_negation(i)) {
      found.turns.emplace_back("no longer");
    } else {
      found.denies = true;
    }
    denying.insert(words[i].sentence);
  }
  found.in_each_part = found.denies && denying.size() == sentences.size();
  return found;
}

bool loses_negation(const Negation& from, const Negation& to) {
  if (!from.denies || to.denies) return false;
  return std::ranges::all_of(to.turns,
                             [&](const std::string& turn) { return std::ranges::find(from.turns, turn) != from.turns.end(); });
}

std::vector<bool> named_as_wrong(const std::vector<WrittenWord>& words, std::string_view language) {
  const Reader reader(words, language);
  std::vector<bool> wrong(words.size(), false);
  for (size_t i = 0; i < words.size(); ++i) {
    size_t begin = i + 1, end = i;
    if (const size_t instead = words_of_instead(words, i); instead > 0) {
      begin = i + instead;
      for (end = begin; end < words.size() && words[end].clause == words[i].clause; ++end) {
      }
    } else if (reader.is_negation(i)) {
      end = end_of_contrast(words, i);
    } else if (says_wrong(words[i].folded)) {
      begin = i;
      while (begin > 0 && words[begin - 1].clause == words[i].clause) --begin;
      end = i;
    }
    for (size_t k = begin; k < end; ++k) wrong[k] = true;
    if (!reader.is_negation(i)) continue;
    if (const auto found = denied_and_put_right(reader, words, i))
      for (size_t k = found->denied.begin; k < found->denied.end; ++k) wrong[k] = !has_word(words, found->right, words[k].folded);
  }
  return wrong;
}

bool denies_only_in_contrast(const std::vector<WrittenWord>& words, std::string_view language) {
  const Reader reader(words, language);
  for (size_t i = 0; i < words.size(); ++i)
    if (reader.is_negation(i) && !reader.is_ending_negation(i) && end_of_contrast(words, i) == i &&
        !denied_and_put_right(reader, words, i))
      return false;
  return true;
}

}  // namespace loci
