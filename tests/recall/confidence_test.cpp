// Whether what was found answers: the arithmetic alone. What it makes of messages: precise_search_test.cpp.
#include "recall/confidence.h"

#include <gtest/gtest.h>

namespace loci {
namespace {

// A turn that has six tenths of what a question of three telling words can have.
RelevanceParts turn() {
  RelevanceParts parts;
  parts.own = 3, parts.neighbours = 1, parts.order = 1, parts.thread = 1;
  parts.bound = 10;
  parts.words = 3;
  parts.common.of_turn = true;
  return parts;
}

TEST(ATurnAnswers, IfItHasMuchOfTheQuestion) {
  EXPECT_TRUE(is_confident(turn()));
  RelevanceParts beside_the_point = turn();
  beside_the_point.coverage = 0.3;
  EXPECT_FALSE(is_confident(beside_the_point));
}

TEST(ATurnAnswers, OnlyIfOtherConversationsDoNotHaveAsMuch) {
  RelevanceParts one_of_many = turn();
  one_of_many.coverage = 0.5;
  EXPECT_TRUE(is_confident(one_of_many));
  one_of_many.common.others = 0.42;
  EXPECT_FALSE(is_confident(one_of_many));
}

TEST(ATurnAnswers, RatherByWhatItSaysThanByWhatIsSaidAroundIt) {
  RelevanceParts says_it = turn(), stands_beside_it = turn();
  says_it.coverage = stands_beside_it.coverage = 0.38;
  says_it.own = 4, says_it.neighbours = 0;
  stands_beside_it.own = 0, stands_beside_it.neighbours = 4;
  EXPECT_TRUE(is_confident(says_it));
  EXPECT_FALSE(is_confident(stands_beside_it));
}

TEST(ATurnAnswers, IfItHasEveryWordOfTheSubjectHoweverManyOthersDo) {
  RelevanceParts complete = turn();
  complete.coverage = 0.8;
  complete.common.others = 1;
  EXPECT_FALSE(is_confident(complete));
  complete.has_all = true;
  complete.common.met = 1;
  EXPECT_TRUE(is_confident(complete));
}

TEST(AnEntryAnswers, NoQuestionThatTellsNothing) {
  RelevanceParts nothing = turn();
  nothing.bound = 0;
  EXPECT_FALSE(is_confident(nothing));
}

}  // namespace
}  // namespace loci
