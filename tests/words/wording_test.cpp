#include "words/wording.h"

#include <gmock/gmock.h>

namespace loci {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Words = std::vector<std::string>;

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
