#include "model/error_text.h"

#include <gtest/gtest.h>

namespace loci {
namespace {

TEST(AnErrorText, IsOneLineWithoutControls) {
  EXPECT_EQ(error_text(" a\r\n\tb \x1b[31mred\x07 \xC2\x9B", ""), "a b [31mred");
  EXPECT_EQ(error_text("left\u202Eright\u200B\uFEFF", ""), "leftright");
  EXPECT_EQ(error_text("caf\u00E9 \xFF", ""), "caf\u00E9 \uFFFD");
  EXPECT_EQ(error_text("", ""), "");
}

TEST(AnErrorText, HasNoKeyInIt) {
  EXPECT_EQ(error_text("wrong key sk-1, sk-1", "sk-1"), "wrong key [key], [key]");
  EXPECT_EQ(error_text("sk\u200B-1", "sk-1"), "[key]") << "what is taken out was hiding it";
  EXPECT_EQ(error_text(std::string(298, 'x') + "sk-1", "sk-1"), std::string(298, 'x') + "[k\u2026") << "no half of it is left";
  EXPECT_EQ(error_text("kkk", "k"), "[key][key][key]");
}

TEST(AnErrorText, HasThreeHundredCharactersAtMost) {
  EXPECT_EQ(error_text(std::string(300, 'x'), ""), std::string(300, 'x'));
  EXPECT_EQ(error_text(std::string(301, 'x'), ""), std::string(300, 'x') + "\u2026");
}

}  // namespace
}  // namespace loci
