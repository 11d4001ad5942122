#include "consolidate/text_words.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>

#include "recall/function_words.h"
#include "recall/word_forms.h"

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

// In several languages, as far as they are no content words of another one.
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

// Behind a "not": no longer, not any more, nicht mehr.
bool continues_negation(std::string_view word) {
  static const WordSet words("longer more anymore mehr plus mas meer");
  return words.contains(word);
}

bool ends_clause(std::string_view word) {
  static const WordSet words("and but und aber sondern mais pero maar");
  return words.contains(word);
}

// What only German texts have: there every noun begins with a capital, which marks no name.
bool is_german(std::string_view word) {
  static const WordSet words("der das und ist ein eine einen einem einer bei fur nicht auf zum zur wird");
  return words.contains(word);
}

// "two" and "2" are one word.
std::optional<std::string> digits_of(std::string_view word) {
  constexpr std::array<std::string_view, 13> numbers = {"zero",  "one",   "two",  "three", "four",   "five",  "six",
                                                        "seven", "eight", "nine", "ten",   "eleven", "twelve"};
  const auto found = std::ranges::find(numbers, word);
  return found == numbers.end() ? std::nullopt : std::optional(std::to_string(found - numbers.begin()));
}

struct RawWord {
  std::string folded;
  size_t begin = 0, end = 0;
};

class Collector final : public TokenSink {
 public:
  bool take(const Token& token) override {
    words.push_back({std::string(token.term), token.begin, token.end});
    return true;
  }
  std::vector<RawWord> words;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_apostrophe(std::string_view gap) { return gap == "'" || gap == "\xE2\x80\x99"; }
bool has_any(std::string_view gap, std::string_view characters) { return gap.find_first_of(characters) != std::string_view::npos; }
bool is_all_digits(std::string_view word, size_t size) { return word.size() == size && std::ranges::all_of(word, is_digit); }

// Punctuation ends something if a blank, a line or the text ends behind it: not the point of "main.cpp".
bool ends_at(std::string_view gap, std::string_view marks) {
  return has_any(gap, "\n()") || (gap.size() > 1 && has_any(gap, marks));
}

class Reading {
 public:
  Reading(std::string_view text, std::vector<RawWord> words, Tokenizer& tokenizer)
      : text_(text), raw_(std::move(words)), tokenizer_(tokenizer) {}

  TextWords read() {
    capitals_mark_names_ = std::ranges::none_of(raw_, [](const RawWord& word) { return is_german(word.folded); });
    for (size_t i = 0; i < raw_.size(); ++i) take(i);
    end_clause();
    mark_dates();
    return std::move(read_);
  }

 private:
  // What stands before word `i`.
  std::string_view gap_before(size_t i) const {
    const size_t begin = i == 0 ? 0 : raw_[i - 1].end, end = i < raw_.size() ? raw_[i].begin : text_.size();
    return begin <= end ? text_.substr(begin, end - begin) : std::string_view();
  }

  void take(size_t i) {
    const RawWord& word = raw_[i];
    const std::string_view before = gap_before(i), behind = gap_before(i + 1);
    if (i > 0 && (ends_at(before, ",;:.!?") || before.contains("\xE2\x80\x94"))) end_clause();
    if (i > 0 && is_apostrophe(before) && word.folded.size() <= 2) return;  // I'm, we've: what is left of don't is done already
    if (is_apostrophe(behind) && i + 1 < raw_.size()) {
      if (raw_[i + 1].folded == "t" && word.folded.ends_with('n')) return deny();
      if (word.folded.size() <= 2) return;  // l'histoire
    }
    if (is_negation(word.folded)) {
      if (i + 1 == raw_.size() || raw_[i + 1].folded != "only") deny();
      return;
    }
    if (i > 0 && continues_negation(word.folded) && (is_negation(raw_[i - 1].folded) || raw_[i - 1].folded == "any")) {
      read_.tells_of_past = true;
      return;
    }
    if (ends_clause(word.folded)) return end_clause();
    if (is_past_marker(word.folded)) read_.tells_of_past = true;
    if (is_function_word(word.folded)) return;
    add(i);
  }

  void deny() {
    if (!denies_) denied_from_ = read_.words.size();
    read_.denies = denies_ = true;
  }

  void end_clause() {
    auto& words = read_.words;
    if (denies_) {
      const size_t from = denied_from_ < words.size() ? denied_from_ : clause_begin_;
      for (size_t i = from; i < words.size(); ++i) words[i].is_denied = true;
    }
    denies_ = false;
    clause_begin_ = words.size();
    ++clause_;
  }

  void add(size_t i) {
    TextWord word;
    word.folded = raw_[i].folded;
    word.stem = digits_of(word.folded).value_or(std::string(tokenizer_.stem(word.folded)));
    word.clause = clause_;
    word.is_value = is_value(i);
    places_.push_back(i);
    read_.words.push_back(std::move(word));
  }

  bool is_value(size_t i) const {
    const RawWord& word = raw_[i];
    if (std::ranges::any_of(word.folded, is_digit)) return true;
    for (const std::string_view gap : {i > 0 ? gap_before(i) : std::string_view(), i + 1 < raw_.size() ? gap_before(i + 1) : ""})
      if (gap.size() == 1 && has_any(gap, "_@/.")) return true;
    const std::string_view written = text_.substr(word.begin, word.end - word.begin);
    if (std::ranges::count_if(written, is_upper) > 1) return true;  // SRE, GitHub
    return capitals_mark_names_ && is_upper(written.front()) && !begins_sentence(i);
  }

  bool begins_sentence(size_t i) const { return i == 0 || ends_at(gap_before(i), ".!?:;\"*-"); }

  void mark_dates() {
    auto& words = read_.words;
    const auto follows = [&](size_t i) { return places_[i] == places_[i - 1] + 1 && gap_before(places_[i]) == "-"; };
    for (size_t i = 0; i + 1 < words.size(); ++i) {
      if (!is_all_digits(words[i].folded, 4) || !is_all_digits(words[i + 1].folded, 2) || !follows(i + 1)) continue;
      const bool has_day = i + 2 < words.size() && is_all_digits(words[i + 2].folded, 2) && follows(i + 2);
      const std::string month = words[i].folded + "-" + words[i + 1].folded;
      const std::string date = has_day ? month + "-" + words[i + 2].folded : month;
      for (size_t part = i; part < i + (has_day ? 3 : 2); ++part) words[part].date = date;
    }
  }

  std::string_view text_;
  std::vector<RawWord> raw_;
  Tokenizer& tokenizer_;
  TextWords read_;
  std::vector<size_t> places_;  // of read_.words in raw_
  size_t clause_ = 0, clause_begin_ = 0, denied_from_ = 0;
  bool denies_ = false, capitals_mark_names_ = true;
};

}  // namespace

TextWords WordReader::read(std::string_view text) {
  text = text.substr(0, longest_read);
  Collector collector;
  tokenizer_.tokenize(text, TokenForm::plain, collector);
  return Reading(text, std::move(collector.words), tokenizer_).read();
}

std::vector<std::string> WordReader::stems_of_other_forms(std::string_view folded) {
  std::vector<std::string> stems;
  for (const std::string_view form : other_forms(folded)) stems.emplace_back(tokenizer_.stem(form));
  return stems;
}

bool is_frame_word(const TextWord& word) {
  static const WordSet stems(
      "work live use like love enjoy prefer join becom current now today just recent still also realli veri user person previous "
      "former until befor new 的 是 了 在 和 也 很 我 你 他 她 们");
  return !word.is_value && stems.contains(word.stem);
}

}  // namespace loci
