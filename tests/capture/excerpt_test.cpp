#include "capture/excerpt.h"

#include <gtest/gtest.h>

namespace loci {
namespace {

TEST(WholeSentences, EndWhereTheLastOneEndsThatHasRoom) {
  EXPECT_EQ(whole_sentences("It rains. Take a coat! Or stay?", 40), "It rains. Take a coat! Or stay?");
  EXPECT_EQ(whole_sentences("It rains. Take a coat! Or stay?", 30), "It rains. Take a coat!");
  EXPECT_EQ(whole_sentences("It rains. Take a coat! Or stay?", 9), "It rains.");
  EXPECT_EQ(whole_sentences("It rains. Take a coat! Or stay?", 8), "");
}

TEST(WholeSentences, EndBehindWhatClosesThem) {
  EXPECT_EQ(whole_sentences("He said \"go.\" Then he went away", 20), "He said \"go.\"");
  EXPECT_EQ(whole_sentences("He said \"go.\" Then he went away", 12), "");
}

TEST(WholeSentences, GoOnBehindAnAbbreviationANumberOrAnInitial) {
  EXPECT_EQ(whole_sentences("Bring fruit, e.g. apples from J. Miller or v1.2 of it", 50), "");
  EXPECT_EQ(whole_sentences("1. Buy two kilos. 2. Weigh them all again", 30), "1. Buy two kilos.");
}

TEST(WholeSentences, EndWithALineAndInScriptsWithoutBlanks) {
  EXPECT_EQ(whole_sentences("- buy flour\n- bake the bread for Sunday", 30), "- buy flour");
  EXPECT_EQ(whole_sentences("明日は雨です。傘を持って行きます", 10), "明日は雨です。");
}

TEST(FirstSentences, SayWhatIsMissing) {
  EXPECT_EQ(first_sentences("It  rains.", 20), "It rains.");
  EXPECT_EQ(first_sentences("It rains.\nStill.", 20), "It rains. …");
  EXPECT_EQ(first_sentences("It rains. Take the long coat with you.", 20), "It rains. …");
}

TEST(FirstSentences, TakeOneThatIsSomewhatLongerWhole) {
  EXPECT_EQ(first_sentences("Take the long coat with you.", 12), "Take the long coat with you.");
  EXPECT_EQ(first_sentences("Take the long coat with you. It rains.", 12), "Take the long coat with you. …");
}

TEST(FirstSentences, CutALongOneAtAWordsEnd) { EXPECT_EQ(first_sentences("Take the long coat with you", 8), "Take …"); }

}  // namespace
}  // namespace loci
