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

}  // namespace
}  // namespace loci
