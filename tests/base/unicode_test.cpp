#include "base/unicode.h"

#include <gtest/gtest.h>

namespace loci {
namespace {

TEST(Unicode, FindsTheFirstInvalidByte) {
  EXPECT_EQ(find_invalid_utf8("héllo"), 6u);
  EXPECT_EQ(find_invalid_utf8("ab\xff"), 2u);
  EXPECT_FALSE(is_valid_utf8("\xc0\xaf"));          // overlong
  EXPECT_FALSE(is_valid_utf8("\xed\xa0\x80"));      // a surrogate
  EXPECT_FALSE(is_valid_utf8("\xf4\x90\x80\x80"));  // above U+10FFFF
  EXPECT_FALSE(is_valid_utf8("a\xe2\x82"));         // cut off
}

TEST(Unicode, ScrubbingGivesValidTextAndKeepsWhatWasValid) {
  EXPECT_EQ(scrub_utf8("a\xff\xfe ü"), "a\uFFFD\uFFFD ü");
  EXPECT_EQ(scrub_utf8(std::string_view("a\0b", 3)), "a\uFFFDb");
  EXPECT_EQ(scrub_utf8("日本 🦓"), "日本 🦓");
}

TEST(Unicode, ComposesToNfc) {
  EXPECT_EQ(nfc("e\u0301"), "é");
  EXPECT_EQ(nfc("plain"), "plain");
  EXPECT_EQ(nfc("\xff"), "\xff");
}

TEST(Unicode, FoldsCaseAndDiacritics) {
  EXPECT_EQ(fold("Crème BRÛLÉE"), "creme brulee");
  EXPECT_EQ(fold("Straße"), "strasse");
  EXPECT_EQ(fold("ΑΒΓ"), "αβγ");
  EXPECT_EQ(fold("ﬁne"), "fine");
}

TEST(Unicode, ClassifiesWhatTokensAreMadeOf) {
  struct Row {
    char32_t code_point;
    CharacterClass expected;
  };
  for (const auto& [code_point, expected] :
       {Row{U'a', CharacterClass::word}, Row{U'7', CharacterClass::word}, Row{U'é', CharacterClass::word},
        Row{U'б', CharacterClass::word}, Row{U'_', CharacterClass::punctuation}, Row{U'-', CharacterClass::punctuation},
        Row{U' ', CharacterClass::space}, Row{U'\u00A0', CharacterClass::space}, Row{U'\n', CharacterClass::space},
        Row{U'日', CharacterClass::cjk}, Row{U'か', CharacterClass::cjk}, Row{U'한', CharacterClass::cjk},
        Row{U'ก', CharacterClass::cjk}, Row{U'。', CharacterClass::punctuation}, Row{U'🦓', CharacterClass::emoji},
        Row{U'☕', CharacterClass::emoji}, Row{U'\u0301', CharacterClass::mark}, Row{U'\u200D', CharacterClass::mark},
        Row{U'“', CharacterClass::punctuation}})
    EXPECT_EQ(classify(code_point), expected) << std::hex << static_cast<unsigned>(code_point);
}

TEST(Unicode, CountsCodePoints) { EXPECT_EQ(count_code_points("aé日🦓"), 4u); }

TEST(Unicode, DecodingMovesOverEveryByteOfBadInput) {
  const std::string bad =
      "\xf0\x9f"
      "a\x80";
  size_t position = 0, steps = 0;
  while (position < bad.size()) {
    decode_code_point(bad, position);
    ++steps;
  }
  EXPECT_EQ(steps, 4u);
}

}  // namespace
}  // namespace loci
