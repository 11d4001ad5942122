#include "parser/tags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loci {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Tags, StandBehindABlankOrAtALineStart) {
  EXPECT_THAT(find_tags("#one two #three\n#four\t#five."), ElementsAre("one", "three", "four", "five"));
  EXPECT_THAT(find_tags("a#b (#c) \"#d\" https://example.org/#e http://x/y#f ##g"), IsEmpty());
}

TEST(Tags, HoldLettersDigitsAndThreeMarks) {
  EXPECT_THAT(find_tags("#a_b-c/d #Ünïcode #日本 #v2, #2026-11 #x:y #tail/"),
              ElementsAre("a_b-c/d", "Ünïcode", "日本", "v2", "2026-11", "x", "tail"));
}

TEST(Tags, AreNotOnlyDigits) { EXPECT_THAT(find_tags("#123 #2026/11 # #! #/"), IsEmpty()); }

TEST(Tags, AreNotInCode) {
  EXPECT_THAT(find_tags("`#a` ``#b ` #c`` #d"), ElementsAre("d"));
  EXPECT_THAT(find_tags("`not closed #a\n\n` #b"), ElementsAre("a", "b"));
  EXPECT_THAT(find_tags("`over\nlines #a` #b"), ElementsAre("b"));
  EXPECT_THAT(find_tags("#a\n```\n#b\n\n#c\n```\n#d\n~~~~\n#e\n~~~\n#f"), ElementsAre("a", "d"));
  EXPECT_THAT(find_tags("```code``` #a\n```\n``` #b\n```\n#c"), ElementsAre("a", "c"));
  EXPECT_THAT(find_tags("- item\n  ```\n  #a\n  ```\n  #b"), ElementsAre("b"));
}

TEST(Tags, ManyBackticksTakeLinearTime) {
  std::string text = "#first ";
  for (size_t length = 1; length < 1400; ++length) text += std::string(length, '`') + " #t ";
  EXPECT_EQ(find_tags(text).size(), 1400U);
}

}  // namespace
}  // namespace loci
