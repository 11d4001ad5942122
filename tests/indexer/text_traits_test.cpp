#include "indexer/text_traits.h"

#include <gtest/gtest.h>

namespace loci {
namespace {

TEST(TextTraits, TellAQuestion) {
  for (const char* text : {"Which one?", "Really?! Yes.", "\"Where?\" she asked.", "**Why?** Because.", "何時ですか？"})
    EXPECT_TRUE(traits_of(text).asks) << text;
  for (const char* text : {"", "No.", "see example.org/?q=x", "a?b"}) EXPECT_FALSE(traits_of(text).asks) << text;
}

TEST(TextTraits, TellWhoSpeaksOfHimself) {
  for (const char* text : {"I like it.", "It is mine", "I've seen it", "they gave it to US"})
    EXPECT_TRUE(traits_of(text).first_person) << text;
  for (const char* text : {"You like it.", "Minerals and weather", "Ian met Meg"})
    EXPECT_FALSE(traits_of(text).first_person) << text;
}

TEST(TextTraits, TellNumbersAndTimes) {
  for (const char* text : {"v2", "Twelve of them", "a dozen"}) EXPECT_TRUE(traits_of(text).number) << text;
  for (const char* text : {"someone", "attention"}) EXPECT_FALSE(traits_of(text).number) << text;
  for (const char* text : {"on Tuesday", "YESTERDAY.", "in November"}) EXPECT_TRUE(traits_of(text).time) << text;
  for (const char* text : {"", "weekly planner", "someday"}) EXPECT_FALSE(traits_of(text).time) << text;
}

}  // namespace
}  // namespace loci
