// What consolidation is for, in eight cases: each with the obvious answer of a model, and with awkward ones.
#include <algorithm>
#include <iterator>

#include "memory/forget.h"
#include "tests/consolidate/consolidator_fixture.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class Purpose : public ConsolidatorTest {
 protected:
  Purpose() { use_model(); }

  // A run over what is pending, with these answers.
  void fold(const std::vector<std::map<std::string, std::string>>& decided) {
    model.answer_always(Script{answer_of(decided)});
    EXPECT_FALSE(consolidate_now().failure);
  }
};

TEST_F(Purpose, ANewEmployerTakesThePlaceOfTheOldOneWhichIsToldAsThePast) {
  struct Row {
    const char *before, *entry, *now, *text;
  };
  for (const Row& row :
       {Row{"I work at Google.", "Works at Google.", "I just joined Microsoft.", "Works at Microsoft; previously at Google."},
        Row{"Ana works at Siemens.", "Ana works at Siemens.", "Ana joined Bosch.", "Ana joined Bosch after a time at Siemens."},
        Row{"Ben is with Airbus.", "Ben is with Airbus.", "Ben is with Safran now.",
            "Safran is Ben's employer now (before that: Airbus)."}}) {
    say(row.before, Source::user);
    fold({{{"facts", "[1]"}, {"text", row.entry}}});
    say(row.now, Source::user);
    const std::string target = std::to_string(1 + material().entries.size());
    fold({{{"op", "REPLACE"}, {"facts", "[1]"}, {"target", target}, {"text", row.text}, {"kind", "change"}}});
    EXPECT_THAT(durable(), testing::Contains(row.text));
    EXPECT_THAT(read(file), HasSubstr("\"history\":[{\"day\":"));
  }
  EXPECT_THAT(durable(), SizeIs(3));
}

TEST_F(Purpose, OtherWordsAndOtherLanguagesMakeOneEntry) {
  say("Works at Microsoft.", Source::user);
  say("Is employed by Microsoft.", Source::user);
  say("Arbeitet bei Microsoft.", Source::user);
  fold({{{"facts", "[1]"}, {"text", "Works at Microsoft."}}, {{"op", "DUPLICATE"}, {"facts", "[2,3]"}, {"of", "1"}}});
  EXPECT_THAT(durable(), ElementsAre("Works at Microsoft."));
  EXPECT_THAT(material().entries.at(0).from, SizeIs(3));
}

TEST_F(Purpose, WhatSaysMoreIsNoDuplicate) {
  say("Works at Microsoft.", Source::user);
  say("Works at Microsoft in Dublin since 2021.", Source::user);
  fold({{{"facts", "[1]"}, {"text", "Works at Microsoft."}}, {{"op", "DUPLICATE"}, {"facts", "[2]"}, {"of", "1"}}});
  EXPECT_THAT(durable(), testing::Contains("Works at Microsoft in Dublin since 2021."));
}

TEST_F(Purpose, APlainWordCorrectsANameAndWhatWasWrongIsDeleted) {
  const std::string wrong = say("My brother is called Jon.", Source::user);
  fold({{{"facts", "[1]"}, {"text", "Brother is called Jon."}}});
  say("My brother is called John, not Jon.", Source::user);
  fold({{{"op", "REPLACE"}, {"facts", "[1]"}, {"target", "2"}, {"text", "Brother is called John."}, {"kind", "correction"}}});
  EXPECT_THAT(durable(), ElementsAre("Brother is called John."));
  EXPECT_THAT(read(file), Not(HasSubstr("Jon.")));
  EXPECT_THAT(material().ended, testing::Contains(wrong));
}

TEST_F(Purpose, ACorrectionOfSomethingElseIsNone) {
  say("I live in Ely.", Source::user);
  fold({{{"facts", "[1]"}, {"text", "Lives in Ely."}}});
  say("My brother is called John, not Jon.", Source::user);
  fold({{{"op", "REPLACE"}, {"facts", "[1]"}, {"target", "2"}, {"text", "Brother is called John."}, {"kind", "correction"}}});
  EXPECT_THAT(durable(), ElementsAre("Lives in Ely.", "My brother is called John, not Jon."));
}

TEST_F(Purpose, TwoTopicsStayTwoEntries) {
  say("I keep bees.", Source::user);
  say("I deploy on Fridays.", Source::user);
  fold({{{"facts", "[1]"}, {"text", "Keeps bees."}}, {{"facts", "[2]"}, {"text", "Deploys on Fridays."}}});
  EXPECT_THAT(durable(), ElementsAre("Deploys on Fridays.", "Keeps bees."));
}

TEST_F(Purpose, ATextThatDropsOneOfItsTopicsIsRefused) {
  say("I keep 40 bees.", Source::user);
  say("I deploy on Fridays.", Source::user);
  fold({{{"facts", "[1,2]"}, {"text", "Deploys on Fridays."}}});
  EXPECT_THAT(durable(), ElementsAre("I deploy on Fridays.", "I keep 40 bees."));
}

TEST_F(Purpose, AGateIsClosedUntilThereIsEnoughToFold) {
  for (int i = 0; i < 19; ++i) say("Fact " + std::to_string(i) + ".", Source::user);
  EXPECT_FALSE(consolidate_now({}).ran);
  EXPECT_THAT(model.requests(), IsEmpty());
  say("Fact 19.", Source::user);
  EXPECT_TRUE(consolidate_now({}).ran);
  EXPECT_THAT(durable(), SizeIs(20));
  for (int i = 20; i < 40; ++i) say("Fact " + std::to_string(i) + ".", Source::user);
  EXPECT_FALSE(consolidate_now({}).ran) << "the last run was a minute ago";
}

TEST_F(ConsolidatorTest, AnAnswerThatIsNoneCostsOnlyTheClusterThatItIsAbout) {
  use_model("cluster_max = 8");
  say_a_dozen([&](const std::string& text) { say(text, Source::user); });
  model.answer_always([](const ModelRequest& request) -> Result<std::string> {
    return request.task == decide_prompt_version && request.input.contains("fridge") ? Result<std::string>("I would rather not.")
                                                                                     : add_everything(request);
  });
  EXPECT_TRUE(consolidate_now().failure);
  EXPECT_THAT(durable(), SizeIs(testing::Ge(7u)));
  EXPECT_THAT(durable(), Not(testing::Contains(HasSubstr("fridge"))));
  model.answer_always(add_everything);
  EXPECT_FALSE(consolidate_now().failure);
  EXPECT_THAT(durable(), SizeIs(12));
}

TEST_F(Purpose, WhatWasDeletedStaysSo) {
  const std::string id = say("I keep bees.", Source::user);
  say("I live in Ely.", Source::user);
  fold({{{"facts", "[1]"}, {"text", "Keeps bees."}}, {{"facts", "[2]"}, {"text", "Lives in Ely."}}});
  ASSERT_TRUE(forget(*memory, {entry_with("Keeps bees.").id}, {}));
  model.answer_always(add_everything);
  EXPECT_FALSE(consolidate_now().ran) << "its fact is not pending again";
  EXPECT_THAT(durable(), ElementsAre("Lives in Ely."));
  ASSERT_FALSE(consolidate_now({.force = true, .dry_run = false, .rebuild = true, .stop = {}, .progress = {}}).failure);
  EXPECT_THAT(durable(), ElementsAre("I live in Ely.")) << "made anew of the facts that are left";
  EXPECT_THAT(material().ended, testing::Contains(id));
}

TEST_F(Purpose, AnIndexThatWasThrownAwayTellsTheSame) {
  say("I keep bees.", Source::user);
  say("I live in Ely.", Source::user);
  fold({{{"facts", "[1]"}, {"text", "Keeps bees."}}, {{"facts", "[2]"}, {"text", "Lives in Ely."}}});
  ASSERT_TRUE(forget(*memory, {entry_with("Keeps bees.").id}, {}));
  say("I deploy on Fridays.", Source::user);
  const auto told = [&] {
    std::vector<std::string> all = durable();
    std::ranges::move(pending_texts(), std::back_inserter(all));
    const FactCounts facts = counts();
    all.push_back(std::to_string(facts.settled) + " settled, " + std::to_string(facts.deleted) + " deleted");
    return all;
  };
  const auto before = told();
  const auto files = folder.contents("vault");
  ASSERT_TRUE(memory->reindex(true));
  EXPECT_EQ(told(), before);
  EXPECT_EQ(folder.contents("vault"), files);
  EXPECT_THAT(before, ElementsAre("Lives in Ely.", "I deploy on Fridays.", "1 settled, 1 deleted"));
}

}  // namespace
}  // namespace loci
