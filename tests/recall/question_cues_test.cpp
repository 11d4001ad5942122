#include "recall/question_cues.h"

#include <gtest/gtest.h>

#include "recall/asking_words.h"

namespace loci {
namespace {

constexpr int sunday = 6;

TEST(AQuestion, AsksForWhatTheAssistantSaid) {
  for (const char* question : {"What did you suggest for the garden?", "the wine you recommended", "Remind me which lock it was",
                               "what was your advice on the lease"})
    EXPECT_TRUE(cues_of(question, sunday).of_assistant) << question;
  for (const char* question : {"what did I suggest", "can you recommend a wine", "did you know her", "what do you suggest", ""})
    EXPECT_FALSE(cues_of(question, sunday).of_assistant) << question;
}

TEST(AQuestion, AsksForANumberOrATime) {
  for (const char* question : {"How many sheep are there?", "wie viele Schafe", "how old is the bridge"})
    EXPECT_TRUE(cues_of(question, sunday).number) << question;
  EXPECT_FALSE(cues_of("who is numb", sunday).number);
  for (const char* question : {"When does the ferry leave?", "what day is it", "wann kommt er", "¿cuándo llega?"})
    EXPECT_TRUE(cues_of(question, sunday).time) << question;
  EXPECT_FALSE(cues_of("whenever", sunday).time);
}

TEST(AQuestion, NamesADayByItsDistance) {
  const auto days_ago = [](const char* question) {
    const auto day = cues_of(question, sunday).day;
    return day ? day->days_ago : -1;
  };
  EXPECT_EQ(days_ago("what happened yesterday"), 1);
  EXPECT_EQ(days_ago("three days ago"), 3);
  EXPECT_EQ(days_ago("a week ago"), 7);
  EXPECT_EQ(days_ago("a couple of weeks ago"), 14);
  EXPECT_EQ(days_ago("last Friday"), 2);
  EXPECT_EQ(days_ago("last sunday"), 7);
  for (const char* question : {"ago", "long ago", "Friday", "the last one", "999999999999 days ago"})
    EXPECT_EQ(days_ago(question), -1) << question;
}

TEST(AQuestionsWord, CountsLessIfItBelongsToTheAskingAndMoreWithADigit) {
  EXPECT_LT(weight_of_question_word("remind"), 1);
  EXPECT_LT(weight_of_question_word("conversation"), 1);
  EXPECT_EQ(weight_of_question_word("zebrafish"), 1);
  EXPECT_GT(weight_of_question_word("v2"), 1);
}

}  // namespace
}  // namespace loci
