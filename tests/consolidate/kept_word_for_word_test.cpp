#include "consolidate/shapes.h"
#include "tests/consolidate/consolidator_fixture.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

// Keeps "I have three hens." word for word beside "Has a coop."
class KeptWordForWord : public ConsolidatorTest {
 protected:
  KeptWordForWord() {
    use_model();
    say("I have three hens.", Source::user);
    model.answer_always(Script{answer_of({{{"facts", "[1]"}, {"text", "Has hens."}}})});
    EXPECT_FALSE(consolidate_now().failure);
    EXPECT_THAT(durable(), ElementsAre("I have three hens."));
    kept = material().entries.at(0).id;
  }
  size_t asked() const { return model.requests().size(); }
  std::int64_t counted() { return consolidation_status(*memory).value().count_at("as_said"); }

  std::string kept;
};

TEST_F(KeptWordForWord, IsCountedAndNoReasonToRun) {
  EXPECT_EQ(counted(), 1);
  const size_t before = asked();
  EXPECT_THAT(consolidate_now().gates.closed, testing::Contains(testing::Field(&Gate::name, "nothing pending")));
  EXPECT_EQ(asked(), before);
}

TEST_F(KeptWordForWord, IsOfferedOnceMoreBesideAnotherFact) {
  say("I keep bees.", Source::user);
  model.answer_always(
      Script{answer_of({{{"facts", "[1]"}, {"text", "Has 3 hens."}}, {{"facts", "[2]"}, {"text", "Keeps bees."}}})});
  ASSERT_FALSE(consolidate_now().failure);
  EXPECT_THAT(durable(), ElementsAre("Has 3 hens.", "Keeps bees."));
  const Material after = material();
  EXPECT_THAT(after.facts, IsEmpty());
  EXPECT_EQ(after.entries.at(entry_saying(after, "Has 3 hens.")).id, kept);
  EXPECT_EQ(counted(), 0);
}

TEST_F(KeptWordForWord, MayBeMergedIntoAnotherEntry) {
  say("I have a coop.", Source::user);
  model.answer_always(Script{answer_of({{{"facts", "[1,2]"}, {"text", "Has 3 hens and a coop."}}})});
  const auto done = consolidate_now();
  ASSERT_FALSE(done.failure);
  EXPECT_THAT(durable(), ElementsAre("Has 3 hens and a coop."));
  EXPECT_THAT(material().entries.at(0).from, SizeIs(2));
  EXPECT_THAT(material().facts, IsEmpty());
  ASSERT_TRUE(undo_run(*memory, done.run->run));
  EXPECT_THAT(durable(), ElementsAre("I have three hens."));
  EXPECT_THAT(material().facts, SizeIs(1)) << "the new one alone";
  EXPECT_FALSE(consolidate_now().failure);
  EXPECT_THAT(durable(), ElementsAre("Has 3 hens and a coop."));
}

TEST_F(KeptWordForWord, GoesIntoAnEntryThatItChangesAndItsOwnGoes) {
  say("I have a coop.", Source::user);
  say("I have a goose.", Source::user);
  model.answer_always(Script{answer_of({{{"facts", "[1]"}, {"text", "Hens."}},
                                        {{"facts", "[2]"}, {"text", "Has a coop."}},
                                        {{"facts", "[3]"}, {"text", "Has a goose."}}})});
  ASSERT_FALSE(consolidate_now().failure);
  EXPECT_THAT(durable(), ElementsAre("Has a coop.", "Has a goose.", "I have three hens."));
  EXPECT_THAT(read(file), HasSubstr("\"asis\":2"));
  say("I have a duck.", Source::user);
  model.answer_always(add_everything);
  const size_t before = asked();
  ASSERT_FALSE(consolidate_now().failure);
  EXPECT_THAT(facts_in(model.requests().at(before)), SizeIs(1)) << "once is enough";
  EXPECT_EQ(counted(), 1);
}

// Twelve hens with an entry each; what is said of all of them makes the model put six into one.
class TooMuchTakenOut : public ConsolidatorTest {
 protected:
  TooMuchTakenOut() {
    use_model();
    for (const char* hen : {"Ada", "Bea", "Cleo", "Dora", "Emma", "Fanny", "Greta", "Hilde", "Inga", "Jule", "Karla", "Lotte"})
      say(std::string("The hen ") + hen + " lays.", Source::agent);
    EXPECT_FALSE(consolidate_now().failure);
    EXPECT_THAT(durable(), SizeIs(12));
  }

  static std::string number_of(const ModelRequest& request, const std::string& text) {
    const size_t end = request.input.find("\"text\":\"" + text), begin = request.input.rfind("\"n\":", end) + 4;
    return request.input.substr(begin, request.input.find(',', begin) - begin);
  }
  static Result<std::string> six_into_one(const ModelRequest& request) {
    if (request.task != decide_prompt_version) return add_everything(request);
    std::vector<std::map<std::string, std::string>> operations;
    const std::string ada = number_of(request, "The hen Ada");
    for (const char* hen : {"Bea", "Cleo", "Dora", "Emma", "Fanny"})
      operations.push_back({{"op", "REMOVE"}, {"target", number_of(request, std::string("The hen ") + hen)}, {"into", ada}});
    operations.push_back({{"op", "REPLACE"},
                          {"facts", "[" + number_of(request, "Every hen") + "]"},
                          {"target", ada},
                          {"kind", "change"},
                          {"text", "Every hen lays in the barn: Ada, Bea, Cleo, Dora, Emma and Fanny."}});
    operations.push_back({{"facts", "[" + number_of(request, "The goose") + "]"}, {"text", "The goose bites."}});
    return answer_of(operations);
  }
};

TEST_F(TooMuchTakenOut, IsLeftAndWhatThePersonSaidStandsBesideIt) {
  say("Every hen lays in the barn.", Source::user);
  say("The goose bites the hen.", Source::agent);
  model.answer_always(six_into_one);
  const auto done = consolidate_now();
  EXPECT_FALSE(done.failure);
  EXPECT_THAT(durable(), SizeIs(14));
  EXPECT_THAT(durable(), testing::IsSupersetOf({"Every hen lays in the barn.", "The goose bites.", "The hen Fanny lays."}));
  EXPECT_THAT(material().facts, IsEmpty()) << "nothing that a person said is left waiting";
  EXPECT_THAT(done.notes, testing::Contains(HasSubstr("5 of 12 entries out")));
  ASSERT_THAT(done.run->clusters, SizeIs(1));
  EXPECT_THAT(done.run->clusters.at(0).refused, SizeIs(6));
}

TEST_F(TooMuchTakenOut, IsTriedAgainIfOnlyAnAgentSaidIt) {
  say("Every hen lays in the barn.", Source::agent);
  say("The goose bites the hen.", Source::agent);
  model.answer_always([](const ModelRequest& request) { return six_into_one(request); });
  EXPECT_FALSE(consolidate_now().failure);
  ASSERT_THAT(material().facts, SizeIs(1));
  EXPECT_EQ(material().facts.at(0).failures, 1);
}

}  // namespace
}  // namespace loci
