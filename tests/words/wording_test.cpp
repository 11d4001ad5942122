#include "words/wording.h"

#include <gmock/gmock.h>

namespace loci {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Words = std::vector<std::string>;

Words dropped(const std::string& old_text, const std::string& new_text) {
  WordReader reader;
  const TextWords then = reader.read(old_text), now = reader.read(new_text);
  return dropped_words(reader, then, now);
}

TEST(Wording, AChangeAccountsForEveryWordOfTheOldText) {
  struct Row {
    std::string old_text, new_text;
    Words dropped;
  };
  const Row rows[] = {
      {"Works at Google as an SRE.", "Works at Microsoft since 2026-11-20; previously at Google as an SRE.", {}},
      {"Works at Google as an SRE.", "Now at Microsoft; before that an SRE with Google.", {}},
      {"Works at Google as an SRE.", "Works at Microsoft.", {"google", "sre"}},
      {"Works at Google.", "No longer works at Google.", {}},
      {"Works at Google.", "Works at Microsoft, not at Google any more.", {}},
      {"Works at Google.", "Works at Microsoft, not at Google.", {"google"}},  // that it was so is lost
      {"Likes tea.", "Likes coffee.", {"tea"}},
      {"Likes tea.", "Prefers coffee; previously liked tea.", {}},
      {"Likes tea.", "Likes green tea.", {}},
      {"Deploys happen on Fridays.", "Deploys happened every Friday until 2026; now on Mondays.", {}},
      {"Drove to Oslo in 2024.", "Drives to Oslo since 2024.", {}},
      {"Drove to Oslo in 2024.", "Drives to Oslo.", {"2024"}},
      {"Lives with two cats.", "Lives with 2 cats and 1 dog.", {}},
      {"Lives with two cats.", "Lives with three cats.", {"two"}},
      {"Is a vegetarian.", "Is not a vegetarian.", {"vegetarian"}},
      {"Is a vegetarian.", "Is no longer a vegetarian.", {}},
      {"Is a vegetarian.", "Is not a vegetarian; was a vegetarian until 2026.", {}},
      {"Does not eat fish.", "Eats fish.", {"eat", "fish"}},
      {"Does not eat fish.", "Eats fish now; previously did not.", {}},
      {"Doesn’t eat fish.", "Does not eat fish or meat.", {}},
      {"Wohnt in Berlin.", "Wohnt in Hamburg; früher in Berlin.", {}},
      {"Wohnt in Berlin.", "Wohnt in Hamburg.", {"berlin"}},
      {"住在北京", "住在上海，以前住在北京", {}},
      {"住在北京", "住在上海", {"北", "京"}},
      {"Works.", "Rests.", {"works"}},  // nothing but frame words
      {"to be or not to be", "anything", {}},
  };
  for (const Row& row : rows) EXPECT_EQ(dropped(row.old_text, row.new_text), row.dropped) << row.old_text << " -> " << row.new_text;
}

bool opposite(const std::string& one, const std::string& other) {
  WordReader reader;
  const TextWords first = reader.read(one), second = reader.read(other);
  return denies(first, second) || denies(second, first);
}

TEST(Wording, OnlyTheTextWithANotDenies) {
  WordReader reader;
  const TextWords with = reader.read("Is not a vegetarian."), without = reader.read("Is a vegetarian.");
  EXPECT_TRUE(denies(with, without));
  EXPECT_FALSE(denies(without, with));
}

TEST(Wording, ANotMoreOrLessIsTheOpposite) {
  struct Row {
    std::string one, other;
    bool opposite;
  };
  const Row rows[] = {
      {"Is a vegetarian.", "Is not a vegetarian.", true},
      {"Is a vegetarian.", "Isn't a vegetarian.", true},
      {"Is a vegetarian.", "Isn’t a strict vegetarian.", true},
      {"Is a vegetarian.", "Is no longer a vegetarian.", true},
      {"Is not a vegetarian; previously a vegetarian.", "Is not a vegetarian.", false},
      {"Eats neither meat nor fish.", "Eats meat.", true},
      {"Knows not only Rust but also Go.", "Knows Rust.", false},
      {"Is not a vegetarian.", "Isn't a vegetarian", false},
      {"Never deploys on Fridays.", "Deploys on Fridays.", true},
      {"Has no pets.", "Has pets.", true},
      {"The name is John, not Jon.", "The name is John.", false},
      {"The name is John, not Jon.", "The name is Jon.", true},
      {"Has dogs and no cats.", "Has dogs.", false},
      {"Does not like tea.", "Likes coffee.", false},
      {"Does not like tea.", "Likes coffee but not tea.", false},
      {"Isst kein Fleisch.", "Isst Fleisch.", true},
      {"Ist nicht verheiratet.", "Ist verheiratet.", true},
      {"Il ne mange pas de viande", "Il mange de la viande", true},
      {"Das mag er nicht.", "Das mag er.", true},
      {"Likes tea.", "Likes coffee.", false},
      {"Not.", "Is a vegetarian.", false},
  };
  for (const Row& row : rows) EXPECT_EQ(opposite(row.one, row.other), row.opposite) << row.one << " / " << row.other;
}

Words invented(const std::string& text, const Words& sources, const Words& days = {"2026-11-21"}) {
  WordReader reader;
  Sources all;
  for (const std::string& source : sources) all.texts.push_back(reader.read(source));
  all.days = all.fact_days = days;
  return invented_values(reader, reader.read(text), all);
}

TEST(Wording, ValuesComeFromTheSources) {
  struct Row {
    std::string text, source;
    Words invented;
  };
  const Row rows[] = {
      {"Works at Microsoft.", "Joined Microsoft.", {}},
      {"Works at Microsoft in Oslo.", "Joined Microsoft.", {"oslo"}},
      {"Has 3 dogs.", "Has three dogs.", {}},
      {"Has 4 dogs.", "Has three dogs.", {"4"}},
      {"Runs v2.1 of atlas.", "Runs v2.1 of atlas", {}},
      {"Runs v2.2 of atlas.", "Runs v2.1 of atlas", {"2.2", "2"}},
      {"The file is src/main.cpp.", "It is in src/main.cpp", {}},
      {"The file is src/other.cpp.", "It is in src/main.cpp", {"other"}},
      {"Reachable at ann@example.org.", "Reachable", {"ann", "example", "org"}},
      {"Meets on the 20th.", "Meets on 20 November", {}},
      {"Likes GitHub.", "likes github", {}},
      {"Microsoft employs the user.", "Has a job.", {"microsoft"}},
      {"Bob is allergic to penicillin.", "Alice is allergic to penicillin.", {"bob"}},
      {"Thomas lives in Oslo.", "Lives in Oslo.", {"thomas"}},
      {"Owns two dogs.", "I have two dogs", {}},
      {"Allergic to nuts.", "I cannot eat nuts", {}},
      {"Freezer must be at 18 degrees.", "Freezer must be at -18 degrees.", {"18"}},
      {"The freezer is kept at minus 18 degrees.", "Freezer must be at -18 degrees.", {}},
      {"The dose is 5 ml a day.", "The dose is 0.5 ml a day.", {"5"}},
      {"A daily dose of 0.5ml.", "The dose is 0.5 ml a day.", {}},
      {"The dose is 25.1 ml a day.", "The dose is 1.25 ml a day.", {"25.1"}},
      {"Takes 5 g of warfarin.", "Takes 5 mg of warfarin.", {"5"}},
      {"Takes 5 milligrams of warfarin.", "Takes 5 mg of warfarin.", {}},
      {"The PIN is \u0661\u0662\u0663\u0665.", "The PIN is 1234.", {"1235"}},
      {"The PIN is 1234.", "The PIN is \u0661\u0662\u0663\u0664.", {}},
      {"Has thirty goats.", "I have thirteen goats.", {"thirty"}},
      {"Has 13 goats.", "I have thirteen goats.", {}},
      {"Rent is 3 % of income and 10 rooms.", "Rent is 10 % of income and 3 rooms.", {"3", "10"}},
      {"Has 3 cats with 2 dogs.", "Has 2 cats with 3 dogs.", {"3", "2"}},
      {"Has 3 rooms; the rent is 10 percent of the income.", "Rent is 10 % of income and 3 rooms.", {}},
      {"Earns 1000 euros.", "I earn \u20ac1,000.", {}},
      {"SRE by trade.", "Has a job.", {"sre"}},
      {"Joined on 2026-11-21.", "Joined today", {}},
      {"Joined on 2026-11-21.", "Joined", {}},  // the day of the source
      {"Joined on 2026-11-20.", "Joined yesterday", {}},
      {"Joined on 2026-11-20.", "Joined", {"2026-11-20"}},
      {"Joined on 2021-11-20.", "Joined yesterday", {"2021-11-20"}},
      {"Joined in 2026-11.", "Joined", {}},
      {"Joined in 2025-11.", "Joined", {"2025-11"}},
      {"Joined in November 2026.", "Joined", {}},
      {"Joined in October.", "Joined", {"october"}},
      {"Joined on November 21, 2026.", "Joined", {}},
      {"Joined on 21 November.", "Joined", {}},
      {"Joined on November 22.", "Joined", {"22"}},
      {"Has about 21 dogs.", "Has dogs", {"21"}},
      {"Joined on 2024-02-09.", "Joined on 9 February 2024", {}},
      {"Arbeitet bei Siemens als Leiter.", "Leitet etwas bei der Siemens", {}},  // in German every noun has a capital
      {"Previously: Google. Now: Microsoft.", "Microsoft after Google", {}},
  };
  for (const Row& row : rows) EXPECT_EQ(invented(row.text, {row.source}), row.invented) << row.text << " from " << row.source;
}

TEST(Wording, CoverageCountsWordsAndValuesThatAreNotDenied) {
  WordReader reader;
  const auto of = [&](const std::string& said, const std::string& text) {
    return coverage(reader, reader.read(said), reader.read(text));
  };
  EXPECT_TRUE(of("Works at Google", "Google pays").has_a_trace());
  EXPECT_FALSE(of("Works at Google", "Works at Microsoft").has_a_trace());
  EXPECT_TRUE(of("Moved from Google to Microsoft", "Works at Google").has_a_trace());
  EXPECT_FALSE(of("Moved from Google to Microsoft", "Works at Google").has_all_values());
  EXPECT_TRUE(of("The name is John, not Jon", "The name is John").has_all_values());
  EXPECT_FALSE(of("Likes tea", "Plays chess").has_a_trace());
  EXPECT_TRUE(of("to be", "Plays chess").has_all_values());  // nothing that could be found
}

TEST(TextWords, DatesAreWholeAndContractionsAreNegations) {
  WordReader reader;
  const TextWords words = reader.read("Since 2026-11-20 I don't run, I've walked. 2026-11 is over");
  EXPECT_TRUE(words.denies);
  Words dates, denied, all;
  for (const TextWord& word : words.words) {
    if (!word.date.empty()) dates.push_back(word.date);
    if (word.is_denied) denied.push_back(word.folded);
    all.push_back(word.folded);
  }
  EXPECT_THAT(dates, ElementsAre("2026-11-20", "2026-11-20", "2026-11-20", "2026-11", "2026-11"));
  EXPECT_THAT(denied, ElementsAre("run"));
  EXPECT_THAT(all, ElementsAre("since", "2026", "11", "20", "run", "walked", "2026", "11", "over"));
  EXPECT_THAT(reader.read("").words, IsEmpty());
}

TEST(TextWords, OnlyTheBeginningOfALongTextIsRead) {
  WordReader reader;
  std::string text;
  while (text.size() < 3 * longest_read) text += "tea ";
  EXPECT_EQ(reader.read(text).words.size(), longest_read / 4);
}

}  // namespace
}  // namespace loci
