#include "indexer/term_expression.h"

#include <vector>

#include "base/unicode.h"

namespace loci {
namespace {

// A run of CJK characters up to this long is one word or two and asked for as it stands; a longer one is a sentence.
constexpr size_t longest_cjk_word = 4;

struct Term {
  std::string text;
  bool cjk = false;
  size_t begin = 0;
};

class TermList final : public TokenSink {
 public:
  explicit TermList(std::string_view text) : text_(text) {}
  bool take(const Token& token) override {
    size_t position = token.begin;
    const bool cjk = classify(decode_code_point(text_, position)) == CharacterClass::cjk;
    terms.push_back({std::string(token.term), cjk, token.begin});
    return true;
  }
  std::vector<Term> terms;

 private:
  std::string_view text_;
};

std::vector<Term> terms_of(Tokenizer& tokenizer, std::string_view text, TokenForm form) {
  TermList list(text);
  tokenizer.tokenize(text, form, list);
  return std::move(list.terms);
}

std::string phrase_of(const std::vector<Term>& terms, size_t begin, size_t end) {
  std::string joined;
  for (size_t i = begin; i < end; ++i) {
    if (i > begin) joined += ' ';
    joined += terms[i].text;
  }
  return quote_phrase(joined);
}

void add_phrase(TermExpression& expression, const std::string& phrase) {
  if (expression.phrases > 0) expression.text += " OR ";
  expression.text += phrase;
  ++expression.phrases;
}

bool has_long_cjk_run(const std::vector<Term>& terms) {
  size_t run = 0;
  for (const auto& term : terms) {
    run = term.cjk ? run + 1 : 0;
    if (run > longest_cjk_word) return true;
  }
  return false;
}

TermExpression word_expression(const std::vector<Term>& terms) {
  TermExpression expression;
  if (!has_long_cjk_run(terms)) {
    add_phrase(expression, phrase_of(terms, 0, terms.size()));
    return expression;
  }
  for (size_t begin = 0; begin < terms.size();) {
    size_t end = begin;
    while (end < terms.size() && terms[end].cjk == terms[begin].cjk) ++end;
    if (!terms[begin].cjk || end - begin <= longest_cjk_word)
      add_phrase(expression, phrase_of(terms, begin, end));
    else
      for (size_t i = begin; i + 1 < end; ++i) add_phrase(expression, phrase_of(terms, i, i + 2));
    begin = end;
  }
  return expression;
}

// The last word is looked for unstemmed among stems and, marked, among unstemmed words. Words before it have been stemmed.
TermExpression prefix_expression(Tokenizer& tokenizer, std::string_view text, std::vector<Term> terms) {
  TermExpression expression;
  terms.back().text = terms_of(tokenizer, text, TokenForm::plain).back().text;
  add_phrase(expression, phrase_of(terms, 0, terms.size()) + "*");
  if (terms.back().cjk) return expression;
  terms.back().text.insert(0, 1, original_mark);
  add_phrase(expression, phrase_of(terms, 0, terms.size()) + "*");
  return expression;
}

}  // namespace

std::string quote_phrase(std::string_view term) {
  std::string quoted = "\"";
  for (const char c : term) {
    if (c == '\0') continue;
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

TermExpression expression_for(Tokenizer& tokenizer, std::string_view term, TermKind kind) {
  auto terms = terms_of(tokenizer, term, TokenForm::query);
  if (terms.empty()) return {};
  if (kind == TermKind::word) return word_expression(terms);
  if (kind == TermKind::prefix) return prefix_expression(tokenizer, term, std::move(terms));
  TermExpression expression;
  add_phrase(expression, phrase_of(terms, 0, terms.size()));
  return expression;
}

std::vector<std::string> split_phrases(std::string_view expression) {
  constexpr std::string_view between = " OR ";
  std::vector<std::string> phrases;
  while (true) {
    size_t end = 1;
    while (end < expression.size() && (expression[end] != '"' || expression.substr(end).starts_with("\"\"")))
      end += expression[end] == '"' ? 2 : 1;
    if (end >= expression.size() || expression[0] != '"') return {};
    if (++end < expression.size() && expression[end] == '*') ++end;
    phrases.emplace_back(expression.substr(0, end));
    expression.remove_prefix(end);
    if (expression.empty()) return phrases;
    if (!expression.starts_with(between)) return {};
    expression.remove_prefix(between.size());
  }
}

}  // namespace loci
