#include "model/tokens.h"

#include <gtest/gtest.h>

namespace loci {
namespace {

TEST(Tokens, FourLettersOrTwoIdeographsAreOne) {
  EXPECT_EQ(count_tokens(""), 0);
  EXPECT_EQ(count_tokens("abc"), 0);
  EXPECT_EQ(count_tokens("abcd efg"), 2);
  EXPECT_EQ(count_tokens("記憶"), 1);
  EXPECT_EQ(count_tokens("記憶 is memory"), 1 + 2);
}

}  // namespace
}  // namespace loci
