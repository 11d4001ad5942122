#include "indexer/tokens.h"

#include <gtest/gtest.h>

#include <random>

#include "indexer/term_expression.h"

namespace loci {
namespace {

// Tokens with blanks between them; colocated ones behind a bar.
class Written final : public TokenSink {
 public:
  bool take(const Token& token) override {
    if (!text.empty()) text += token.colocated ? '|' : ' ';
    text += token.term;
    return true;
  }
  std::string text;
};

std::string tokens(std::string_view text, TokenForm form = TokenForm::index) {
  Tokenizer tokenizer;
  Written written;
  EXPECT_TRUE(tokenizer.tokenize(text, form, written));
  return written.text;
}

std::string query(std::string_view text) { return tokens(text, TokenForm::query); }

TEST(Tokens, AreFoldedStemsWithTheUnstemmedWordBeside) {
  EXPECT_EQ(tokens("The Cats are running"), "the cat|=cats are run|=running");
  EXPECT_EQ(tokens("ÉCOLE"), tokens("ecole"));
}

TEST(Tokens, OfAQueryAreStemsOnly) { EXPECT_EQ(query("The Cats are running"), "the cat are run"); }

TEST(Tokens, AreTheSameForComposedAndDecomposedLetters) { EXPECT_EQ(tokens("caf\xC3\xA9 x"), tokens("cafe\xCC\x81 x")); }

TEST(Tokens, DropAPossessiveWithEitherApostrophe) {
  EXPECT_EQ(query("John's book, JOHN'S, John\xE2\x80\x99s"), "john book john john");
  EXPECT_EQ(query("the Müller's"), "the muller");
}

TEST(Tokens, KeepOtherPartsBehindAnApostrophe) {
  EXPECT_EQ(query("don't O'Brien 'sure"), "don t o brien sure");
  EXPECT_EQ(query("it'sy"), "it sy");
}

TEST(Tokens, OfIdentifiersAreTheirParts) {
  EXPECT_EQ(query("foo_bar a-b v1.2.3 /usr/lib/x.so me@host.org"), "foo bar a b v1 2 3 usr lib x so me host org");
}

TEST(Tokens, OfCamelCaseAreTheWholeAndItsParts) {
  EXPECT_EQ(tokens("getUserName"), "getusernam|=getusername|get|user|name");
  EXPECT_EQ(query("getUserName"), "getusernam");
  EXPECT_EQ(tokens("HTTP iPhone"), "http iphon|=iphone|i|phone");
}

TEST(Tokens, AreSingleCharactersWhereNoBlanksAreWritten) {
  EXPECT_EQ(tokens("東京タワー"), "東 京 タ ワ ー");
  EXPECT_EQ(tokens("ab東c"), "ab 東 c");
}

TEST(Tokens, KeepEmoji) {
  EXPECT_EQ(tokens("party 🎉🎉 now"), "parti|=party 🎉 🎉 now");
  EXPECT_EQ(tokens("👍🏽"), "👍");
  EXPECT_EQ(tokens("❤️"), tokens("❤"));
}

TEST(Tokens, OfOtherAlphabetsAreFoldedWords) { EXPECT_EQ(tokens("Привет МИР"), "привет мир"); }

TEST(Tokens, AreCutToSixtyFourBytes) {
  EXPECT_EQ(query(std::string(5000, '7')), std::string(64, '7'));
  EXPECT_EQ(query("x " + std::string(5000, '7') + " y"), "x " + std::string(64, '7') + " y");
}

TEST(Tokens, HaveStemsThatDoNotDependOnWhatWasMetBefore) {
  Tokenizer used;
  for (int i = 0; i < 100000; ++i) static_cast<void>(used.stem("word" + std::to_string(i) + "ing"));
  for (const char* word : {"running", "generalisations", "deploys", "internationalisation", "happily"})
    EXPECT_EQ(std::string(used.stem(word)), std::string(Tokenizer().stem(word)));
}

class Checked final : public TokenSink {
 public:
  explicit Checked(size_t size) : size_(size) {}
  bool take(const Token& token) override {
    EXPECT_FALSE(token.term.empty());
    EXPECT_LE(token.term.size(), max_term_bytes + 1);
    EXPECT_LT(token.begin, token.end);
    EXPECT_LE(token.end, size_);
    EXPECT_TRUE(token.colocated || token.begin >= last_);
    EXPECT_EQ(token.term.find(' '), std::string_view::npos);
    if (!token.colocated) last_ = token.begin;
    return true;
  }

 private:
  size_t size_, last_ = 0;
};

TEST(Tokens, OfAnyBytesStandInOrderAndInside) {
  std::mt19937 random(7);
  const std::string_view pieces[] = {"a", "Z", "9", "'s", "\xE2\x80\x99", "é", "東", "ー", "🎉", "\xCC\x81", "\xFF", "\xE6",
                                     " ", "_", "ﷺ", "½"};
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (int i = 0; i < 20; ++i)
      text += random() % 3 == 0 ? std::string(1, static_cast<char>(random())) : std::string(pieces[random() % std::size(pieces)]);
    Tokenizer tokenizer;
    for (const auto form : {TokenForm::index, TokenForm::query, TokenForm::plain}) {
      Checked checked(text.size());
      tokenizer.tokenize(text, form, checked);
    }
  }
}

std::string expression(std::string_view term, TermKind kind) {
  Tokenizer tokenizer;
  return expression_for(tokenizer, term, kind).text;
}

TEST(ATermsExpression, QuotesItsStems) {
  EXPECT_EQ(expression("Running", TermKind::word), "\"run\"");
  EXPECT_EQ(expression("foo_bars", TermKind::word), "\"foo bar\"");
  EXPECT_EQ(expression("the running cats", TermKind::phrase), "\"the run cat\"");
}

TEST(ATermsExpression, IsEmptyWhenNothingInItCanBeFound) {
  for (const auto kind : {TermKind::word, TermKind::phrase, TermKind::prefix}) {
    Tokenizer tokenizer;
    EXPECT_EQ(expression_for(tokenizer, "...!?", kind).phrases, 0u);
    EXPECT_EQ(expression_for(tokenizer, "", kind).phrases, 0u);
  }
}

TEST(ATermsExpression, OfAPrefixLooksAmongStemsAndUnstemmedWords) {
  EXPECT_EQ(expression("Deploym", TermKind::prefix), "\"deploym\"* OR \"=deploym\"*");
  EXPECT_EQ(expression("old deploym", TermKind::prefix), "\"old deploym\"* OR \"old =deploym\"*");
  EXPECT_EQ(expression("東", TermKind::prefix), "\"東\"*");
}

TEST(ATermsExpression, OfALongRunWithoutBlanksAsksForPairs) {
  EXPECT_EQ(expression("東京都庁", TermKind::word), "\"東 京 都 庁\"");
  EXPECT_EQ(expression("東京都庁前", TermKind::word), "\"東 京\" OR \"京 都\" OR \"都 庁\" OR \"庁 前\"");
  EXPECT_EQ(expression("x東京都庁前", TermKind::word), "\"x\" OR \"東 京\" OR \"京 都\" OR \"都 庁\" OR \"庁 前\"");
  EXPECT_EQ(expression("東京都庁前", TermKind::phrase), "\"東 京 都 庁 前\"");
}

TEST(ATermsExpression, CountsItsPhrases) {
  Tokenizer tokenizer;
  EXPECT_EQ(expression_for(tokenizer, "word", TermKind::word).phrases, 1u);
  EXPECT_EQ(expression_for(tokenizer, "word", TermKind::prefix).phrases, 2u);
  EXPECT_EQ(expression_for(tokenizer, "東京都庁前", TermKind::word).phrases, 4u);
}

TEST(AQuotedPhrase, DoublesQuotesAndDropsNul) { EXPECT_EQ(quote_phrase(std::string_view("a\"b\0c", 5)), "\"a\"\"bc\""); }

}  // namespace
}  // namespace loci
