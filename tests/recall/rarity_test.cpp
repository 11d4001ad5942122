#include "recall/rarity.h"

#include <gmock/gmock.h>

#include "tokens/token_table.h"

namespace loci {
namespace {

class Rarity : public testing::Test {
 protected:
  void SetUp() override {
    if (built_in_table("o200k_base").empty()) GTEST_SKIP() << "built without tables";
  }
};

TEST_F(Rarity, IsThatOfTheWordInWhatPeopleWriteAndNotInOneMemory) {
  EXPECT_LT(rarity_of("the"), 0.1);
  EXPECT_LT(rarity_of("start"), rarity_of("coffee"));
  EXPECT_LT(rarity_of("coffee"), rarity_of("microscope"));
  EXPECT_LE(rarity_of("microscope"), rarity_of("EpiPen"));
}

TEST_F(Rarity, IsNeverBelowZeroNorAboveOne) {
  for (const char* word : {"", "a", "of", "1", "12", "2027", "Leuchtturm", "xqzvkw", "\xff\xfe", "会議", "кошка"}) {
    EXPECT_GE(rarity_of(word), 0) << word;
    EXPECT_LE(rarity_of(word), 1) << word;
  }
}

TEST_F(Rarity, IsThatOfTheCommonestOfAWordsForms) {
  EXPECT_LE(rarity_of("friday"), rarity_of("Friday"));
  EXPECT_LE(rarity_of("sql"), rarity_of("SQL"));
}

TEST_F(Rarity, IsKnownInOtherLanguagesToo) {
  EXPECT_LT(rarity_of("heute"), rarity_of("Wohnung"));
  EXPECT_LT(rarity_of("сегодня"), 1);
  EXPECT_LT(rarity_of("今"), 1);
}

TEST_F(Rarity, OfASmallNumberIsLow) { EXPECT_LT(rarity_of("12"), 0.2); }

}  // namespace
}  // namespace loci
