// What an operation may say: texts as people say them and as models put them, in several languages, and what is wrong with some.
#include "consolidate/decide/statement_check.h"

#include <gmock/gmock.h>

#include <optional>

#include "tests/consolidate/material_builder.h"

namespace loci {
namespace {

using testing::IsEmpty;
using testing::Not;
using Kind = Operation::Kind;

constexpr const char* thursday = "2026-03-12";

Operation writes(std::vector<size_t> facts, std::string text, std::optional<size_t> target = {}, bool is_correction = false) {
  Operation operation;
  operation.kind = target ? Kind::replace : Kind::add;
  operation.facts = std::move(facts);
  operation.text = std::move(text);
  operation.target = target;
  operation.is_correction = is_correction;
  return operation;
}

Operation repeats(size_t fact, size_t entry) {
  Operation operation;
  operation.kind = Kind::duplicate;
  operation.facts = {fact};
  operation.same_as_entry = entry;
  return operation;
}

Fact said(std::string text, std::string day = thursday, Source source = Source::user) {
  Fact fact = fact_of(std::move(text), source);
  fact.day = std::move(day);
  return fact;
}

DurableEntry kept(std::string text, Source source = Source::user) { return entry_of(std::move(text), source); }

std::vector<std::string> wrong(const Operation& operation, std::vector<Fact> facts, std::vector<DurableEntry> entries = {}) {
  const Material material = material_of(std::move(facts), std::move(entries));
  return check_operations({{operation}, {}}, material, whole(material)).front();
}

struct Wording {
  const char *fact, *text;
};

// One fact of the user, said on a Thursday, and the entry that a model makes of it.
class RightWording : public testing::TestWithParam<Wording> {};
class WrongWording : public testing::TestWithParam<Wording> {};

TEST_P(RightWording, IsTaken) { EXPECT_THAT(wrong(writes({0}, GetParam().text), {said(GetParam().fact)}), IsEmpty()); }
TEST_P(WrongWording, IsRefused) { EXPECT_THAT(wrong(writes({0}, GetParam().text), {said(GetParam().fact)}), Not(IsEmpty())); }

INSTANTIATE_TEST_SUITE_P(
    Texts, RightWording,
    testing::Values(
        // persons
        Wording{"I keep three hens.", "Keeps 3 hens."}, Wording{"Mein Hund heißt Balu.", "Hund heißt Balu."},
        Wording{"Je travaille chez Renault depuis 2018.", "Travaille chez Renault depuis 2018."},
        Wording{"Vivo en Sevilla con mi hermana Lucía.", "Vive en Sevilla con su hermana Lucía."},
        Wording{"Abito a Torino e lavoro da casa.", "Abita a Torino e lavora da casa."},
        Wording{"Ik woon in Utrecht en heb geen auto.", "Woont in Utrecht en heeft geen auto."},
        Wording{"我不喝咖啡。", "不喝咖啡。"}, Wording{"We rent a flat on Elm Street.", "The family rents a flat on Elm Street."},
        // days and times
        Wording{"The plumber comes tomorrow at 9.", "The plumber comes on 2026-03-13 at 9:00."},
        Wording{"Gestern habe ich den Vertrag unterschrieben.", "Hat den Vertrag am 2026-03-11 unterschrieben."},
        Wording{"I sprained my ankle last Monday.", "Sprained an ankle on Monday 2026-03-09."},
        Wording{"Mother visits next weekend.", "Mother visits on the weekend of 2026-03-21."},
        Wording{"The lease ends in six months.", "The lease ends in September 2026."},
        Wording{"I moved here four years ago.", "Moved there in 2022."},
        Wording{"Cast stays on for two weeks.", "Cast stays on until 2026-03-26."},
        Wording{"In zwei Wochen fliege ich nach Lissabon.", "Fliegt am 2026-03-26 nach Lissabon."},
        Wording{"Le train part après-demain à 18h30.", "Le train part le 2026-03-14 à 18:30."},
        Wording{"The fair is in August.", "The fair is in August 2026."}, Wording{"We fly on 3 May.", "Flies on 2026-05-03."},
        Wording{"Standup is at half past nine.", "Standup is at 9:30."}, Wording{"Dinner is at 7 pm.", "Dinner is at 19:00."},
        Wording{"Der Kurs beginnt um halb acht.", "Der Kurs beginnt um 7:30."},
        Wording{"I am off this week.", "Is off in the week of 2026-03-09."},
        Wording{"My visa runs until the end of the year.", "Visa runs until 2026-12-31."},
        Wording{"I work from home now.", "Works from home since 2026-03-12."},
        // values
        Wording{"The car cost 12,500 EUR.", "The car cost €12500."},
        Wording{"Das Rad hat 1.200 Euro gekostet.", "Das Rad kostete 1200 EUR."},
        Wording{"The fence is 2.5 m high.", "The fence is 2,5 metres high."}, Wording{"I make 80k a year.", "Earns 80,000 a year."},
        Wording{"Call the vet on 0221 / 555 0198.", "The vet's number is 0221 5550198."},
        Wording{"The router is at 10.1.1.254.", "Router address: 10.1.1.254."},
        Wording{"Use Node v20.11 for it.", "Wants Node 20.11 used for it."},
        Wording{"Our shop is https://shop.example.com/.", "The shop is at https://shop.example.com"},
        Wording{"Der Rucksack wiegt acht Kilo.", "Der Rucksack wiegt 8 kg."},
        // not
        Wording{"I don't eat pork.", "Avoids pork."}, Wording{"I stopped smoking.", "Does not smoke any more."},
        Wording{"Please never call me before noon.", "Never call before noon."},
        Wording{"Bitte keine Sprachnachrichten.", "Möchte keine Sprachnachrichten."},
        Wording{"Not only Rust, also Go.", "Rust and also Go."},
        Wording{"My sister is called Maren, not Marion.", "Sister is called Maren."},
        // perhaps
        Wording{"I'm thinking about it: maybe a sabbatical.", "Might take a sabbatical."},
        Wording{"I'd love a bigger desk, I want one by summer.", "Would like a bigger desk by summer."},
        Wording{"Vielleicht kaufe ich ein Boot.", "Überlegt, eventuell ein Boot zu kaufen."},
        Wording{"The review is in May.", "The review is in May 2026."}));

INSTANTIATE_TEST_SUITE_P(
    Texts, WrongWording,
    testing::Values(
        // made up
        Wording{"I keep three hens.", "Keeps 4 hens."}, Wording{"The car cost 12,500 EUR.", "The car cost 12,500 USD."},
        Wording{"I moved to a bigger flat.", "Moved to a bigger flat in Potsdam."},
        Wording{"The fair is in August.", "The fair is on 2026-08-14."},
        Wording{"The plumber comes tomorrow.", "The plumber comes on 2026-03-14."},
        Wording{"I sprained my ankle last Monday.", "Sprained an ankle on 2026-03-10."},
        Wording{"I moved here four years ago.", "Moved there in 2021."}, Wording{"Dinner is at 7 pm.", "Dinner is at 7:00."},
        Wording{"Das Rad hat 1.200 Euro gekostet.", "Das Rad kostete 1300 Euro."},
        Wording{"The router is at 10.1.1.254.", "The router is at 10.1.1.245."}, Wording{"我每月付900元。", "每月付700元。"},
        // lost
        Wording{"I keep three hens.", "Keeps hens."}, Wording{"Balu's vet is Dr. Okafor.", "Balu has a vet."},
        Wording{"Anneke plays chess.", "Plays chess."}, Wording{"Mein Bruder Jonas wohnt in Ulm.", "Wohnt in Ulm."},
        Wording{"Standup is at half past nine.", "Standup is in the morning."}, Wording{"I swim on Tuesdays.", "Swims."},
        Wording{"My blog is at blog.example.org.", "Has a blog."},
        // not
        Wording{"I don't eat pork.", "Eats pork."}, Wording{"I eat pork.", "Doesn't eat pork."},
        Wording{"Ich habe kein Auto.", "Hat ein Auto."}, Wording{"No tengo hijos.", "Tiene hijos."},
        Wording{"Je n'ai pas de voiture.", "A une voiture."}, Wording{"Non mangio pesce.", "Mangia pesce."},
        Wording{"Ik drink geen melk.", "Drinkt melk."}, Wording{"我不喝咖啡。", "喝咖啡。"},
        Wording{"Nunca trabajo los domingos.", "Trabaja los domingos."},
        // perhaps
        Wording{"We might adopt a dog.", "Adopts a dog."}, Wording{"Vielleicht kaufe ich ein Boot.", "Kauft ein Boot."},
        Wording{"I want to learn to sail.", "Learned to sail."}, Wording{"Je vais peut-être déménager.", "Déménage."},
        Wording{"Quizás cambie de trabajo.", "Cambia de trabajo."}, Wording{"I sail.", "Perhaps sails."},
        Wording{"I think the gate code changed.", "The gate code changed."}));

TEST(StatementCheck, AChangeTellsWhatWasAndNeedNotPutItAnyParticularWay) {
  const std::vector<Fact> fact = {said("The printer is at 172.16.0.9 now.")};
  const std::vector<DurableEntry> entry = {kept("The printer on the 3rd floor is at 172.16.0.4.")};
  for (const char* text : {"The printer on the 3rd floor is at 172.16.0.9; previously 172.16.0.4.",
                           "On the 3rd floor: printer, 172.16.0.9 since 2026-03-12 (172.16.0.4 before that).",
                           "Since 2026-03-12 the 3rd floor's printer, once at 172.16.0.4, has the address 172.16.0.9."})
    EXPECT_THAT(wrong(writes({0}, text, 0), fact, entry), IsEmpty()) << text;
  EXPECT_THAT(wrong(writes({0}, "The printer on the 3rd floor is at 172.16.0.9.", 0), fact, entry), Not(IsEmpty()));
  EXPECT_THAT(wrong(writes({0}, "The printer is at 172.16.0.9; previously 172.16.0.4.", 0), fact, entry), Not(IsEmpty()));
}

TEST(StatementCheck, WhatHistoryHoldsMayLeaveTheText) {
  DurableEntry entry = kept("Rides a Cube since 2025-04-01; previously a Giant.");
  const std::vector<Fact> fact = {said("I ride a Canyon now.")};
  const Operation operation = writes({0}, "Rides a Canyon since 2026-03-12; previously a Cube, since 2025-04-01.", 0);
  EXPECT_THAT(wrong(operation, fact, {entry}), Not(IsEmpty()));
  entry.state.history = {{"2025-01-10", "Rides a Giant."}};
  EXPECT_THAT(wrong(operation, fact, {entry}), IsEmpty());
}

TEST(StatementCheck, ACorrectionTakesTheWrongValueAndTheNotAway) {
  const std::vector<DurableEntry> entry = {kept("Dentist is Dr. Jensen, Hafenstr. 12.")};
  const Fact fact = said("The dentist is called Jansen, not Jensen.");
  EXPECT_THAT(wrong(writes({0}, "Dentist is Dr. Jansen, Hafenstr. 12.", 0, true), {fact}, entry), IsEmpty());
  EXPECT_THAT(wrong(writes({0}, "Dentist is Dr. Jansen.", 0, true), {fact}, entry), Not(IsEmpty()));
  EXPECT_THAT(wrong(writes({0}, "Dentist is Dr. Jansen, Hafenstr. 12.", 0), {fact}, entry), Not(IsEmpty()));
  const Fact time = said("I meant 16:30 instead of 16:00.");
  EXPECT_THAT(wrong(writes({0}, "Choir is on Fridays at 16:30.", 0, true), {time}, {kept("Choir is on Fridays at 16:00.")}),
              IsEmpty());
}

TEST(StatementCheck, WhatIsDeniedAndPutRightGoesWithItsNot) {
  const std::vector<DurableEntry> entry = {kept("The user's landlady is Vera Holm.")};
  for (const char* fact :
       {"Vera Holm was never my landlady; my landlady is Ulla Kern.", "Vera Holm was never my landlady, it's Ulla Kern.",
        "Vera Holm is not my landlady. My landlady is Ulla Kern.", "My landlady is Ulla Kern; Vera Holm never was my landlady."}) {
    EXPECT_THAT(wrong(writes({0}, "The user's landlady is Ulla Kern.", 0, true), {said(fact)}, entry), IsEmpty()) << fact;
    EXPECT_THAT(wrong(writes({0}, "The user's landlady is Ulla Kern."), {said(fact)}), IsEmpty()) << fact;
    EXPECT_THAT(wrong(writes({0}, "The user's landlady is Ulla Kern; Vera Holm never was.", 0, true), {said(fact)}, entry),
                IsEmpty())
        << fact;
    EXPECT_THAT(wrong(writes({0}, "The user's landlady is Vera Holm."), {said(fact)}), Not(IsEmpty())) << fact;
    EXPECT_THAT(wrong(writes({0}, "The user's landlady is Ulla Kern.", 0), {said(fact)}, entry), Not(IsEmpty()))
        << "no change: " << fact;
  }
  for (const char* fact :
       {"Vera Holm was never my landlady; the rent is due on Fridays.", "Vera Holm was never here; Ulla Kern came.",
        "Vera Holm is not my landlady any more; my landlady is Ulla Kern."})
    EXPECT_THAT(wrong(writes({0}, "The user's landlady is Ulla Kern."), {said(fact)}), Not(IsEmpty())) << fact;
}

TEST(StatementCheck, WhatCanBeDoneCouldBeDoneThenAndIsNoGuess) {
  const Fact fact = said("The kiln can only be lit with two people.");
  EXPECT_THAT(wrong(writes({0}, "The kiln could only be lit with 2 people."), {fact}), IsEmpty());
  EXPECT_THAT(wrong(writes({0}, "The kiln might only be lit with two people."), {fact}), Not(IsEmpty()));
  EXPECT_THAT(wrong(writes({0}, "The kiln could be lit."), {said("The kiln is lit.")}), Not(IsEmpty()));
}

TEST(StatementCheck, WhatIsDeniedAndPutRightInGermanGoesToo) {
  const Fact fact = said("Vera Holm war nie meine Vermieterin; meine Vermieterin ist Frau Kern.");
  const std::vector<DurableEntry> entry = {kept("Die Vermieterin ist Vera Holm.")};
  EXPECT_THAT(wrong(writes({0}, "Die Vermieterin ist Frau Kern.", 0, true), {fact}, entry), IsEmpty());
  EXPECT_THAT(wrong(writes({0}, "Die Vermieterin ist Frau Kern.", 0), {fact}, entry), Not(IsEmpty()));
}

TEST(StatementCheck, APlainWordCorrectionReachesWhatItNamesAndNothingElse) {
  const Fact fact = said("My uncle is called Geoff, not Jeff.");
  EXPECT_THAT(wrong(writes({0}, "Uncle is called Geoff.", 0, true), {fact}, {kept("Uncle is called Jeff.")}), IsEmpty());
  EXPECT_THAT(wrong(writes({0}, "Uncle is called Geoff.", 0, true), {fact}, {kept("Rent is due on the 3rd.")}), Not(IsEmpty()));
  const Fact instrument = said("Ruth plays the cello, not the harp.");
  EXPECT_THAT(wrong(writes({0}, "Ruth plays the cello.", 0, true), {instrument}, {kept("Wants to learn the piano.")}),
              Not(IsEmpty()));
}

TEST(StatementCheck, OfTwoPendingFactsTheOneThatSaysNotTakesTheOthersValueAway) {
  const std::vector<Fact> facts = {said("My uncle is called Jeff."), said("My uncle is called Geoff, not Jeff.")};
  EXPECT_THAT(wrong(writes({0, 1}, "Uncle is called Geoff."), facts), IsEmpty());
}

TEST(StatementCheck, ADuplicateSaysAllValuesInWhateverLanguage) {
  EXPECT_THAT(wrong(repeats(0, 0), {said("Ich nehme morgens 50 mg Thyroxin.")}, {kept("Takes 50 mg thyroxine in the morning.")}),
              IsEmpty());
  EXPECT_THAT(wrong(repeats(0, 0), {said("Ich nehme morgens 75 mg Thyroxin.")}, {kept("Takes 50 mg thyroxine in the morning.")}),
              Not(IsEmpty()));
  EXPECT_THAT(wrong(repeats(0, 0), {said("Soy vegetariana.")}, {kept("Is a vegetarian.")}), IsEmpty());
  EXPECT_THAT(wrong(repeats(0, 0), {said("No soy vegetariana.")}, {kept("Is happy with the flat.")}), Not(IsEmpty()));
  EXPECT_THAT(wrong(repeats(0, 0), {said("I've got two bikes.")}, {kept("Has 2 bikes and a scooter.")}), IsEmpty());
  EXPECT_THAT(wrong(repeats(0, 0), {said("I like jazz.")}, {kept("Does not like jazz.")}), Not(IsEmpty()));
  EXPECT_THAT(wrong(repeats(0, 0), {said("I may move to Ghent.")}, {kept("Moves to Ghent.")}), Not(IsEmpty()));
}

TEST(StatementCheck, AnAgentsParaphraseOfAnOrderNeedsNoNot) {
  const Fact fact = said("User wants tests for every fix.", thursday, Source::agent);
  EXPECT_THAT(wrong(repeats(0, 0), {fact}, {kept("Never merge a fix without a test.")}), IsEmpty());
}

TEST(StatementCheck, IntoAPersonsEntryGoesNoValueThatOnlyAnAgentSays) {
  const std::vector<Fact> facts = {said("The garage door is green."), said("The garage code is 4711.", thursday, Source::agent)};
  const std::vector<DurableEntry> entry = {kept("The garage door is old.")};
  EXPECT_THAT(wrong(writes({0, 1}, "The garage door is old and green; the code is 4711.", 0), facts, entry), Not(IsEmpty()));
  EXPECT_THAT(wrong(writes({0, 1}, "The garage door is old and green.", 0), facts, entry), IsEmpty());
}

TEST(StatementCheck, AllThatIsWrongIsTold) {
  EXPECT_GE(wrong(writes({0}, "Drives 40 km to Essen."), {said("I might not drive 30 km to Bochum.")}).size(), 4u);
}

}  // namespace
}  // namespace loci
