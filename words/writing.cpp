#include "words/writing.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/unicode.h"
#include "words/numbers.h"
#include "words/word_table.h"

namespace loci {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

struct Character {
  char32_t code = 0;
  size_t begin = 0, end = 0;
  CharacterClass kind = CharacterClass::space;
};

std::vector<Character> characters_of(std::string_view text) {
  std::vector<Character> all;
  for (size_t at = 0; at < text.size();) {
    Character c;
    c.begin = at;
    c.code = decode_code_point(text, at);
    c.end = at;
    c.kind = classify(c.code);
    all.push_back(c);
  }
  return all;
}

constexpr std::u32string_view opening_marks = U"([{<'\"„“”«»‚‘’*`";
constexpr std::u32string_view closing_marks = U".,;:!?)]}>'\"“”«»’‘…*`。，；：！？、）";
constexpr std::u32string_view sentence_ends = U".!?:;。！？：；…\n";
constexpr std::u32string_view clause_ends = U",()[]{}—–，、（）";

bool is_any(std::u32string_view marks, char32_t c) { return marks.find(c) != std::u32string_view::npos; }

// Letters, digits, and points, dashes and the like between them, with a letter or several points: "10.20.0.5", "main.cpp".
bool has_dotted_parts(std::string_view word) {
  size_t parts = 1, shortest = word.size(), from = 0, letters = 0;
  for (size_t i = 0; i <= word.size(); ++i) {
    if (i < word.size() && word[i] != '.') {
      letters += is_letter(word[i]);
      if (!is_letter(word[i]) && !is_digit(word[i]) && word[i] != '-' && word[i] != '_' && word[i] != ':' && word[i] != '/')
        return false;
      continue;
    }
    shortest = std::min(shortest, i - from);
    parts += i < word.size();
    from = i + 1;
  }
  if (parts < 2 || shortest == 0) return false;
  if (letters > 0) return shortest > 1 || (is_digit(word.front()) && parts > 2) || (word.front() == 'v' && is_digit(word[1]));
  return parts > 3 || (parts == 3 && word.find('.') <= 1);  // an address or a version, no day and no sum
}

bool is_address(std::string_view word) {
  if (word.size() < 3) return false;
  if (word.contains("://")) return true;
  if (const size_t at = word.find('@'); at != std::string_view::npos && at + 1 < word.size()) return true;
  if (word.starts_with("~/") || word.starts_with("./") || word.starts_with("../")) return true;
  if (word.front() == '/' && is_letter(word[1])) return true;
  if (word.contains('_')) return true;
  if (std::ranges::count(word, '/') > 1 && std::ranges::any_of(word, is_letter)) return true;
  if (std::ranges::count(word, ':') > 1 && !is_digit(word.front())) return true;
  return has_dotted_parts(word);
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text), characters_(characters_of(text)) {}

  std::vector<WrittenWord> words() {
    for (size_t i = 0; i < characters_.size();) {
      if (characters_[i].kind == CharacterClass::space) {
        pass(i++);
        continue;
      }
      size_t end = i;
      while (end < characters_.size() && characters_[end].kind != CharacterClass::space) ++end;
      take_chunk(i, end);
      i = end;
    }
    if (!found_.empty()) found_.back().behind = behind_;
    return std::move(found_);
  }

 private:
  std::string_view between(size_t first, size_t last) const {
    return first < last ? text_.substr(characters_[first].begin, characters_[last - 1].end - characters_[first].begin) : "";
  }

  // A mark or a blank between words.
  void pass(size_t i) {
    const Character& c = characters_[i];
    const std::string_view written = text_.substr(c.begin, c.end - c.begin);
    gap_ += written;
    if (!is_behind_blank_ && c.kind != CharacterClass::space) behind_ += written;
    if (c.kind == CharacterClass::space) is_behind_blank_ = true;
    const bool is_before_blank = i + 1 == characters_.size() || characters_[i + 1].kind == CharacterClass::space;
    const bool ends_here = c.code > 0x7F || c.code == '\n' || is_before_blank || is_any(closing_marks, characters_[i + 1].code);
    if (is_any(sentence_ends, c.code) && ends_here && !(c.code == '.' && is_abbreviation())) begin_sentence();
    if (is_any(clause_ends, c.code) || (c.code == '-' && is_before_blank)) {
      ++clause_;
      opens_clause_ = !is_any(U",，、", c.code);
    }
    if (is_any(U"\"„“«*", c.code)) opens_clause_ = true;
  }

  // "Dr. Berg": the point ends no sentence.
  bool is_abbreviation() const {
    static const WordTable words("dr mr mrs ms prof st nr no vs bzw ca inkl tel hr fr sr sra dott");
    return !found_.empty() && behind_.size() == 1 && words.contains(found_.back().folded);
  }

  void begin_sentence() {
    ++sentence_;
    ++clause_;
    opens_ = true;
  }

  void take_chunk(size_t begin, size_t end) {
    while (begin < end && is_any(opening_marks, characters_[begin].code)) pass(begin++);
    size_t last = end;
    while (last > begin && is_any(closing_marks, characters_[last - 1].code)) --last;
    const std::string_view whole = between(begin, last);
    if (is_address(whole)) {
      add(whole, false).is_address = true;
    } else {
      take_parts(begin, last);
    }
    for (size_t i = last; i < end; ++i) pass(i);
  }

  bool is_part_of_word(size_t i, size_t begin, size_t end) const {
    const Character& c = characters_[i];
    if (c.kind == CharacterClass::word || c.kind == CharacterClass::mark) return true;
    if (i == begin || i + 1 >= end) return false;
    const char32_t before = characters_[i - 1].code, next = characters_[i + 1].code;
    const auto digit = [](char32_t code) { return code >= '0' && code <= '9'; };
    return is_any(U".,:", c.code) && digit(before) && digit(next);
  }

  void take_parts(size_t begin, size_t end) {
    for (size_t i = begin; i < end;) {
      if (characters_[i].kind == CharacterClass::cjk) {
        size_t last = i;
        while (last < end && characters_[last].kind == CharacterClass::cjk) ++last;
        add(between(i, last), true);
        i = last;
      } else if (is_part_of_word(i, i, end)) {
        size_t last = i;
        while (last < end && is_part_of_word(last, i, end)) ++last;
        add(between(i, last), false);
        i = last;
        take_apostrophe(i, end);
      } else {
        pass(i++);
      }
    }
  }

  // "Anna's" is Anna, "don't" is do and not, "l'école" is school.
  void take_apostrophe(size_t& i, size_t end) {
    if (i >= end || (characters_[i].code != '\'' && characters_[i].code != U'’')) return;
    size_t last = i + 1;
    while (last < end && characters_[last].kind == CharacterClass::word) ++last;
    const std::string tail = fold(between(i + 1, last));
    WrittenWord& word = found_.back();
    if (tail == "s") {
      word.is_possessive = true;
      i = last;
    } else if (tail == "t" && word.folded.ends_with('n')) {
      word.written.pop_back();
      word.folded.pop_back();
      add("not", false);
      i = last;
    } else if (tail == "m" || tail == "re" || tail == "ve" || tail == "ll" || tail == "d") {
      i = last;
    }
  }

  WrittenWord& add(std::string_view written, bool is_cjk) {
    if (!found_.empty()) found_.back().behind = std::exchange(behind_, {});
    behind_.clear();
    WrittenWord word;
    word.written = with_ascii_digits(written);
    word.folded = fold(word.written);
    word.before = std::exchange(gap_, {});
    word.sentence = sentence_;
    word.clause = clause_;
    word.is_cjk = is_cjk;
    word.opens_sentence = std::exchange(opens_, false) || std::exchange(opens_clause_, false);
    opens_clause_ = is_behind_blank_ = false;
    found_.push_back(std::move(word));
    return found_.back();
  }

  std::string_view text_;
  std::vector<Character> characters_;
  std::vector<WrittenWord> found_;
  std::string gap_, behind_;
  size_t sentence_ = 0, clause_ = 0;
  bool opens_ = true, opens_clause_ = false, is_behind_blank_ = false;
};

// Words that are everywhere in a language, and rare or absent in the others.
const std::map<std::string, WordTable>& function_words() {
  static const std::map<std::string, WordTable> tables = {
      {"en",
       WordTable(
           "the a an is are was were be been of to and with for my your his her their our i you he she we they it its not this "
           "that has have had do does from by as or but when since until now at on who which will would should never always "
           "every each any no new old than then there so up in user wants uses works likes lives")},
      {"de",
       WordTable("der die das ein eine einen einem einer eines ist sind und nicht kein keine keinen ich er sie wir ihr mein "
                 "meine meinen meiner meinem zum zur mit von vom fur auf bei nach aus im den dem des seit bis hat haben wird "
                 "werden auch als wenn um bitte mochte sich es dass wie uber unter mag nimmt isst wohnt heisst arbeitet jetzt in")},
      {"fr",
       WordTable("le les une des du et est sont je tu il elle nous vous ne pas au aux dans pour avec sur mon ma mes son sa ses "
                 "depuis chez que qui l d j n s la de en un a toujours plus est")},
      {"es",
       WordTable("el la los las una del y es son con por para mi mis su sus yo no que se al desde como de en un tiene vive lo "
                 "muy pero esta siempre nunca le")},
      {"it",
       WordTable("il lo la gli le una di del della dei e sono con per mio mia non che da dal alla nel in un ha vive lavora dal "
                 "sempre")},
      {"nl",
       WordTable("de het een en van ik is niet geen met voor op mijn zijn naar bij te aan werkt woont heeft altijd nooit dat in")},
      {"pt", WordTable("o a os as um uma de do da e com por para meu minha nao que no na em eu ele ela tem mora trabalha sempre")},
      {"pl", WordTable("i w na nie z do jest mam moj moja sie ze od dla ale jestem ma")},
      {"sv", WordTable("och att det som en ett jag inte min mitt med for pa av till fran har bor")},
      {"da", WordTable("og at det som en et jeg ikke min mit med for pa af til fra har bor")},
      {"tr", WordTable("ve bir bu ben icin ile degil var yok benim")}};
  return tables;
}

std::string script_of(const std::vector<WrittenWord>& words) {
  size_t cjk = 0, cyrillic = 0, greek = 0, letters = 0;
  bool has_kana = false, has_hangul = false;
  for (const WrittenWord& word : words) {
    for (size_t at = 0; at < word.written.size();) {
      const char32_t c = decode_code_point(word.written, at);
      if (c >= '0' && c <= '9') continue;
      ++letters;
      cjk += word.is_cjk;
      has_kana = has_kana || (c >= 0x3040 && c <= 0x30FF);
      has_hangul = has_hangul || (c >= 0xAC00 && c <= 0xD7AF);
      cyrillic += c >= 0x400 && c <= 0x4FF;
      greek += c >= 0x370 && c <= 0x3FF;
    }
  }
  if (cjk > 0 && 3 * cjk >= letters) return has_kana ? "ja" : has_hangul ? "ko" : "zh";
  if (2 * cyrillic > letters) return "ru";
  return 2 * greek > letters ? "el" : "";
}

}  // namespace

std::vector<WrittenWord> written_words(std::string_view text) { return Scanner(text.substr(0, longest_writing)).words(); }

bool begins_with_capital(std::string_view word) {
  if (word.empty()) return false;
  size_t at = 0;
  const char32_t c = decode_code_point(word, at);
  return (c >= 'A' && c <= 'Z') || (c >= 0xC0 && c <= 0xDE && c != 0xD7) || (c >= 0x100 && c <= 0x17F && c % 2 == 0) ||
         (c >= 0x391 && c <= 0x3AB) || (c >= 0x400 && c <= 0x42F);
}

std::string language_of(const std::vector<WrittenWord>& words) {
  if (std::string script = script_of(words); !script.empty()) return script;
  std::map<std::string, int> points;
  for (const WrittenWord& word : words) {
    std::vector<const std::string*> spoken;
    for (const auto& [language, table] : function_words())
      if (table.contains(word.folded)) spoken.push_back(&language);
    for (const std::string* language : spoken) points[*language] += spoken.size() == 1 ? 3 : 1;
    if (word.written.contains("\xC3\x9F") || word.written.contains("\xC3\xBC") || word.written.contains("\xC3\xA4"))
      points["de"] += 2;
  }
  std::string best;
  int most = 0;
  bool is_tie = false;
  for (const auto& [language, count] : points) {
    is_tie = count == most ? true : count > most ? false : is_tie;
    if (count > most) {
      most = count;
      best = language;
    }
  }
  return is_tie ? std::string() : best;
}

}  // namespace loci
