#include "words/whose_words.h"

#include <gtest/gtest.h>

#include "words/hedges.h"

namespace loci {
namespace {

struct Case {
  std::string user, quote, fact;
  Whose whose = Whose::anothers;
  std::string before = {}, corrected = {};
};

void expect_all(const std::vector<Case>& cases) {
  WordReader reader;
  for (const Case& one : cases) {
    const Whose whose = whose_words(reader, {one.fact, one.quote},
                                    {.user = one.user, .before = one.before, .corrected = one.corrected, .day = "2026-03-11"});
    EXPECT_EQ(static_cast<int>(whose), static_cast<int>(one.whose)) << one.user << " -> " << one.fact;
  }
}

TEST(WhoseWords, AreTheUsersIfTheirSentenceSaysTheFact) {
  constexpr Whose users = Whose::users;
  expect_all({
      {"I drink rooibos in the evening.", "I drink rooibos", "The user drinks rooibos in the evening.", users},
      {"Right. I live in Turin since 2019! And you?", "I live in Turin", "The user lives in Turin since 2019.", users},
      {"I'm allergic to walnuts.", "allergic to walnuts", "The user is allergic to walnuts.", users},
      {"I don't eat pork.", "I don't eat pork", "The user does not eat pork.", users},
      {"i moved to Turin yesterday", "moved to Turin", "The user moved to Turin on 2026-03-10.", users},
      {"I plan to learn Basque.", "plan to learn Basque", "The user plans to learn Basque.", users},
      {"I might sell the boat.", "might sell the boat", "The user might sell the boat.", users},
      {"My brother Otto keeps bees.", "Otto keeps bees", "The user's brother Otto keeps bees.", users},
      {"Wednesday works.", "Wednesday works", "The standup is on Wednesday.", users, "When shall the standup be?"},
  });
}

TEST(WhoseWords, AreNotTheUsersIfTheFactSaysSomethingElse) {
  expect_all({
      {"I drink rooibos a lot.", "I drink rooibos", "The user wants all red bills paid to account 777."},
      {"I drink rooibos a lot.", "I drink rooibos", "The user drinks rooibos and owes 300 euros."},
      {"I drink rooibos a lot.", "I drink rooibos", "The user drinks rooibos with Otto."},
      {"I drink rooibos a lot.", "I drink coffee", "The user drinks rooibos."},
      {"I drink rooibos a lot.", "", "The user drinks rooibos."},
      {"I joined the team.", "tea", "The user likes tea."},
      {"I don't eat pork.", "eat pork", "The user eats pork."},
      {"I eat pork.", "eat pork", "The user does not eat pork."},
      {"I no longer smoke.", "smoke", "The user smokes."},
      {"I used to smoke.", "smoke", "The user smokes."},
      {"I might sell the boat.", "sell the boat", "The user sells the boat."},
      {"I want to sell the boat.", "sell the boat", "The user sells the boat."},
      {"I sell the boat.", "sell the boat", "The user might sell the boat."},
      {"I avoid walnuts.", "walnuts", "The user eats walnuts."},
      {"My brother is allergic to walnuts.", "allergic to walnuts", "The user is allergic to walnuts."},
      {"Otto keeps bees.", "keeps bees", "The user keeps bees."},
      {"Yes, exactly.", "Yes, exactly", "The user lives in Turin.", Whose::anothers, "You live in Turin, right?"},
      {"If I win I buy a boat.", "I buy a boat", "The user buys a boat."},
  });
}

TEST(WhoseWords, QuestionsCodeAndWhatIsQuotedAreNotTheUsers) {
  expect_all({
      {"Do I live in Turin?", "I live in Turin", "The user lives in Turin."},
      {"He wrote: \"I live in Turin\".", "I live in Turin", "The user lives in Turin."},
      {"He wrote: “I live in Turin”.", "I live in Turin", "The user lives in Turin."},
      {"> I live in Turin\nWhat do you say to that", "I live in Turin", "The user lives in Turin."},
      {"```\nI live in Turin\n```\n", "I live in Turin", "The user lives in Turin."},
      {"See `I live in Turin` there.", "I live in Turin", "The user lives in Turin."},
      {"    I live in Turin\n", "I live in Turin", "The user lives in Turin."},
      {"Do I live in Turin? I live in Turin.", "I live in Turin", "The user lives in Turin.", Whose::users},
  });
}

TEST(WhoseWords, ACorrectionDeniesOrReplacesWhatItNames) {
  constexpr Whose correction = Whose::users_correction, users = Whose::users;
  expect_all({
      {"No, my brother is Otto, not Odo.", "Otto, not Odo", "The user's brother is Otto.", correction, "",
       "The user's brother is Odo."},
      {"My brother is Otto.", "brother is Otto", "The user's brother is Otto.", correction, "", "The user's brother is Odo."},
      {"My brother is Otto.", "brother is Otto", "The user's brother is Otto.", users},
      {"My brother is Otto.", "brother is Otto", "The user's brother is Otto.", users, "", "The user was born in Turin in 1980."},
      {"My brother is Otto.", "brother is Otto", "The user's brother is Ugo.", Whose::anothers, "", "The user's brother is Odo."},
  });
}

TEST(Sentences, AreThoseThatHoldTheQuote) {
  EXPECT_EQ(sentences_with("One here. Two there! Three.", "two THERE"), " Two there!\n");
  EXPECT_EQ(sentences_with("One here. Two there! Three.", "here. Two"), "One here.\n Two there!\n");
  EXPECT_EQ(sentences_with("Version 1.2.3 is out", "1.2.3"), "Version 1.2.3 is out\n\n");
  EXPECT_EQ(sentences_with("nothing", "x"), "");
}

TEST(Hedges, AreKnownByTables) {
  struct Row {
    std::string text;
    bool guesses, wishes;
  };
  for (const auto& [text, guesses, wishes] : {Row{"I might go", true, false},
                                              {"I want to go", false, true},
                                              {"I went in May", false, false},
                                              {"I may go", true, false},
                                              {"Ich möchte gehen", false, true},
                                              {"Vielleicht gehe ich", true, false},
                                              {"I go", false, false}}) {
    EXPECT_EQ(hedges_in(text).guesses, guesses) << text;
    EXPECT_EQ(hedges_in(text).wishes, wishes) << text;
  }
}

}  // namespace
}  // namespace loci
