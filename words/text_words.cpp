#include "words/text_words.h"

#include <algorithm>
#include <array>
#include <optional>

#include "recall/function_words.h"
#include "recall/word_forms.h"
#include "words/numbers.h"
#include "words/vocabulary.h"

namespace loci {
namespace {

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

// Latin letters with Greek or Cyrillic ones between them, which may look the same.
bool mixes_scripts(std::string_view folded) {
  const auto is_latin = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_lead = [](char c) { return c >= '\xCE' && c <= '\xD3'; };  // of U+0380 to U+04FF in UTF-8
  return std::ranges::any_of(folded, is_latin) && std::ranges::any_of(folded, is_lead);
}

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
    is_english_ = std::ranges::none_of(raw_, [](const RawWord& word) { return is_of_another_language(word.folded); });
    for (size_t i = 0; i < raw_.size(); ++i) take(i);
    end_clause();
    mark_dates();
    mark_numbers();
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
    if (is_past_marker(word.folded) || is_of_former_times(i)) read_.tells_of_past = true;
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
    word.folded = is_of_former_times(i) ? "formerly" : raw_[i].folded;
    word.stem = number_of_word(word.folded).value_or(std::string(tokenizer_.stem(word.folded)));
    word.clause = clause_;
    word.is_value = is_value(i);
    word.may_be_name = may_be_name(i, word.stem);
    places_.push_back(i);
    read_.words.push_back(std::move(word));
  }

  // "Used to smoke", not "is used to noise".
  bool is_of_former_times(size_t i) const {
    constexpr std::string_view now[] = {"is", "are", "am", "be", "get", "gets", "got", "m", "s", "re"};
    if (raw_[i].folded != "used" || i + 1 == raw_.size() || raw_[i + 1].folded != "to") return false;
    return i == 0 || std::ranges::find(now, raw_[i - 1].folded) == std::end(now);
  }

  bool is_value(size_t i) const {
    const RawWord& word = raw_[i];
    if (std::ranges::any_of(word.folded, is_digit)) return true;
    if (word.folded != "one" && number_of_word(word.folded)) return true;
    for (const std::string_view gap : {i > 0 ? gap_before(i) : std::string_view(), i + 1 < raw_.size() ? gap_before(i + 1) : ""})
      if (gap.size() == 1 && has_any(gap, "_@/.")) return true;
    const std::string_view written = text_.substr(word.begin, word.end - word.begin);
    if (std::ranges::count_if(written, is_upper) > 1) return true;  // SRE, GitHub
    if (mixes_scripts(word.folded)) return true;
    return capitals_mark_names_ && is_upper(written.front()) && !begins_sentence(i);
  }

  bool begins_sentence(size_t i) const { return i == 0 || ends_at(gap_before(i), ".!?:;\"*-"); }

  // "Bob is", "Thomas lives"; but "Owns two", "Married to".
  bool may_be_name(size_t i, std::string_view stem) const {
    const RawWord& word = raw_[i];
    if (!capitals_mark_names_ || !is_english_ || !is_upper(text_[word.begin]) || !begins_sentence(i)) return false;
    if (is_usual_opening(stem) || is_past_marker(word.folded)) return false;
    const bool looks_like_verb = word.folded.ends_with('s') || word.folded.ends_with("ed") || word.folded.ends_with("ing");
    if (!looks_like_verb || i + 1 == raw_.size()) return true;
    const std::string& next = raw_[i + 1].folded;
    return !(is_function_word(next) || number_of_word(next) || is_digit(next.front())) || follows_subject(next);
  }

  void mark_numbers() {
    for (size_t i = 0; i < read_.words.size(); ++i) {
      TextWord& word = read_.words[i];
      if (!word.date.empty() || word.continues_number) continue;
      const size_t place = places_[i];
      if (const auto number = number_of_word(word.folded)) {
        word.number = *number;
        word.unit = unit_of("", place);
        continue;
      }
      const size_t v = word.folded.size() > 1 && word.folded.front() == 'v' ? 1 : 0;  // v2.1
      size_t digits = std::min(word.folded.find_first_not_of("0123456789", v), word.folded.size());
      if (digits == v) continue;
      word.number = word.folded.substr(v, digits - v);
      size_t last = i;
      while (digits == read_.words[last].folded.size() && last + 1 < read_.words.size() && joins_number(last)) {
        TextWord& part = read_.words[++last];
        digits = std::min(part.folded.find_first_not_of("0123456789"), part.folded.size());
        word.number.append(gap_before(places_[last])).append(part.folded, 0, digits);
        part.continues_number = true;
      }
      word.number = whole_number(word.number, is_negative(place));
      word.unit = unit_of(read_.words[last].folded.substr(digits), places_[last]);
      if (const auto currency = unit_before(gap_before(place)); word.unit.empty()) word.unit = currency;
    }
  }

  // Does the word behind word `i` of what was read continue its number? The 5 of 0.5.
  bool joins_number(size_t i) const {
    if (places_[i + 1] != places_[i] + 1 || !is_digit(read_.words[i + 1].folded.front())) return false;
    const std::string_view gap = gap_before(places_[i + 1]);
    return gap.size() == 1 && has_any(gap, ".,:/");
  }

  bool is_negative(size_t place) const {
    if (place > 0 && raw_[place - 1].folded == "minus") return true;
    const std::string_view gap = gap_before(place);
    for (const std::string_view sign : {"-", "\xE2\x88\x92", "\xE2\x80\x93"})
      if (gap.ends_with(sign)) return (place == 0 && gap == sign) || (gap.size() > sign.size() && has_any(gap, " (\n:="));
    return false;
  }

  // Of a number that ends in raw word `place`, with these letters behind its digits.
  std::string unit_of(std::string_view letters, size_t place) const {
    if (!letters.empty())
      return letters == "st" || letters == "nd" || letters == "rd" || letters == "th" ? "" : unit_named(letters);
    const std::string_view behind = gap_before(place + 1);
    if (std::string symbol = unit_behind(behind); !symbol.empty()) return symbol;
    const bool is_beside = behind.find_first_not_of(" \t-\xC2\xA0") == std::string_view::npos;
    return is_beside && place + 1 < raw_.size() && is_unit(raw_[place + 1].folded) ? unit_named(raw_[place + 1].folded) : "";
  }

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
  bool denies_ = false, capitals_mark_names_ = true, is_english_ = true;
};

}  // namespace

TextWords WordReader::read(std::string_view text) {
  const std::string with_digits = with_ascii_digits(text.substr(0, longest_read));
  text = with_digits;
  Collector collector;
  tokenizer_.tokenize(text, TokenForm::plain, collector);
  return Reading(text, std::move(collector.words), tokenizer_).read();
}

Stems stems_of(const TextWords& text) {
  Stems stems;
  for (const TextWord& word : text.words) stems.insert(word.stem);
  return stems;
}

std::vector<std::string> WordReader::stems_of_other_forms(std::string_view folded) {
  std::vector<std::string> stems;
  for (const std::string_view form : other_forms(folded)) stems.emplace_back(tokenizer_.stem(form));
  return stems;
}

bool is_frame_word(const TextWord& word) { return !word.is_value && is_frame_stem(word.stem); }

bool builds_sentence(const TextWord& word) {
  if (is_reversing_opening(word.stem)) return false;
  return is_usual_opening(word.stem) || is_past_marker(word.folded) || is_connecting(word.stem);
}

}  // namespace loci
