#include "tokens/estimate.h"

#include <gtest/gtest.h>

namespace loci {
namespace {

TEST(Tokens, FourLettersOrTwoIdeographsAreOne) {
  EXPECT_EQ(estimate_tokens(""), 0);
  EXPECT_EQ(estimate_tokens("abc"), 0);
  EXPECT_EQ(estimate_tokens("abcd efg"), 2);
  EXPECT_EQ(estimate_tokens("記憶"), 1);
  EXPECT_EQ(estimate_tokens("記憶 is memory"), 1 + 2);
}

}  // namespace
}  // namespace loci
