#include "tokens/token_counter.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/json.h"
#include "base/unicode.h"
#include "tests/support/processor_time.h"
#include "tokens/estimate.h"

namespace loci {
namespace {

using Ranks = std::vector<std::uint32_t>;

// What tiktoken makes of texts, as scripts/check-tokens asks it.
TEST(TokenCounter, TokensAreThoseOfTheReference) {
  std::ifstream golden(LOCI_GOLDEN_TOKENS);
  ASSERT_TRUE(golden);
  size_t checked = 0;
  for (std::string line; std::getline(golden, line); ++checked) {
    const Json sample = parse_json(line).value();
    const TokenCounter counter(encoding_from(sample.text_at("encoding")).value());
    Ranks wanted;
    for (const Json& rank : sample.array_at("tokens")) wanted.push_back(static_cast<std::uint32_t>(*rank.as_integer()));
    EXPECT_EQ(counter.encode(sample.text_at("text")), wanted) << line;
    EXPECT_EQ(counter.count(sample.text_at("text")), (TokenCount{static_cast<std::int64_t>(wanted.size()), true})) << line;
  }
  EXPECT_EQ(checked, 74U);
}

TEST(TokenCounter, WithoutATableTheCountIsAnEstimateAndSaysSo) {
  const TokenCounter counter(Encoding::cl100k_base, std::nullopt);
  EXPECT_EQ(counter.count("twenty letters are 5"), (TokenCount{5, false}));
  EXPECT_EQ(counter.encode("x"), std::nullopt);
}

TEST(TokenCounter, BytesThatAreNoUtf8CountAsReplacementCharacters) {
  const TokenCounter counter(Encoding::o200k_base);
  EXPECT_EQ(counter.encode("a\xFF\xC3"), counter.encode("a\xEF\xBF\xBD\xEF\xBF\xBD"));
}

TEST(TokenCounter, ATextTwiceAsLongTakesAboutTwiceAsLong) {
  for (const Encoding encoding : {Encoding::cl100k_base, Encoding::o200k_base}) {
    const TokenCounter counter(encoding);
    for (const char c : {'a', ' ', '\n', '.'}) {
      const std::string some(25'000, c), many(100'000, c);
      counter.count(many);
      const auto of_some = processor_time_of([&] { counter.count(some); });
      const auto of_many = processor_time_of([&] { counter.count(many); });
      EXPECT_LT(of_many.count(), 12 * of_some.count()) << name_of(encoding) << " of " << static_cast<int>(c);
    }
  }
}

TEST(TokenCounter, ALongTextIsTheSumOfItsParagraphs) {  // beyond some length the pattern runs as machine code
  for (const Encoding encoding : {Encoding::cl100k_base, Encoding::o200k_base}) {
    const TokenCounter counter(encoding);
    const std::string paragraph = "It's 4 o'clock: 記憶, naïve, x->y;\n";
    std::string text;
    for (int i = 0; i < 5000; ++i) text += paragraph;
    EXPECT_EQ(counter.count(text).tokens, 5000 * counter.count(paragraph).tokens);
  }
}

TEST(TokenTable, WhatIsNoTableIsNotRead) {
  const auto bytes_of = [](const std::string& text) { return std::as_bytes(std::span(text)); };
  const std::string table = TokenTable::pack({"a", "b", "ab", "a long token of many bytes"});
  ASSERT_TRUE(TokenTable::read(bytes_of(table)));
  EXPECT_FALSE(TokenTable::read({}));
  EXPECT_FALSE(TokenTable::read(bytes_of(table).subspan(1)));
  EXPECT_FALSE(TokenTable::read(bytes_of(table).first(table.size() - 1)));
}

TEST(TokenTable, EveryTokenHasItsRankAndNothingElseHasOne) {
  std::vector<std::string> tokens;
  for (int i = 0; i < 256; ++i) tokens.emplace_back(1, static_cast<char>(i));
  for (int i = 0; i < 5000; ++i) tokens.push_back("t" + std::string(static_cast<size_t>(i % 40), 'x') + std::to_string(i));
  const std::string bytes = TokenTable::pack(tokens);
  const auto table = TokenTable::read(std::as_bytes(std::span(bytes)));
  ASSERT_TRUE(table);
  for (std::uint32_t rank = 0; rank < tokens.size(); ++rank) {
    EXPECT_EQ(table->rank_of(tokens[rank]), rank);
    EXPECT_EQ(table->rank_of(tokens[rank] + "!"), no_rank);
  }
  EXPECT_EQ(table->rank_of(""), no_rank);
}

TEST(TokenCounter, NamesOfEncodings) {
  EXPECT_EQ(encoding_from("o200k_base"), Encoding::o200k_base);
  EXPECT_EQ(encoding_from("gpt2"), std::nullopt);
  EXPECT_EQ(encoding_from(name_of(Encoding::cl100k_base)), Encoding::cl100k_base);
}

}  // namespace
}  // namespace loci
