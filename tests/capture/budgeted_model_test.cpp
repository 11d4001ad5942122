#include "capture/budgeted_model.h"

#include "tests/capture/capture_fixture.h"

namespace loci {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using AfterFailures = BudgetedModel::AfterFailures;

class Budget : public CaptureTest {
 protected:
  static constexpr std::string_view settings =
      "[consolidation]\nmodel = \"local\"\n[models.local]\nprovider = \"ollama\"\nbase_url = \"http://127.0.0.1:9\"\nmodel = "
      "\"m\"\n"
      "max_tokens_a_day = 100\n";

  static ModelRequest request(size_t tokens) {
    return {.task = "t", .instructions = "", .input = std::string(4 * tokens, 'x'), .schema = {}};
  }
};

TEST_F(Budget, WhatIsSpentCountsUntilTheNextDay) {
  configure(settings);
  const Memory memory = open();
  ScriptedModel model{"abcd", "abcd", "abcd"};
  BudgetedModel budgeted(memory.vault(), model, AfterFailures::ask);
  EXPECT_TRUE(budgeted.ask(request(60), {}));
  EXPECT_EQ(read_capture_use(memory.vault()).today, (TokenUse{60, 1}));
  const auto refused = budgeted.ask(request(40), {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::remote);
  EXPECT_THAT(refused.error().message, HasSubstr("100 tokens a day"));
  EXPECT_THAT(model.requests(), SizeIs(1));
  EXPECT_TRUE(budgeted.ask(request(39), {}));
  clock.advance(std::chrono::hours(24));
  EXPECT_TRUE(budgeted.ask(request(60), {}));
}

TEST_F(Budget, WhatHappensAtEveryTurnMayUseHalfOfTheDay) {
  configure(settings);
  const Memory memory = open();
  ScriptedModel model{"abcd", "abcd"};
  BudgetedModel at_turns(memory.vault(), model, AfterFailures::rest), asked_for(memory.vault(), model, AfterFailures::ask);
  EXPECT_TRUE(at_turns.ask(request(40), {}));
  EXPECT_FALSE(at_turns.ask(request(20), {}));
  EXPECT_TRUE(asked_for.ask(request(20), {}));
}

TEST_F(Budget, TurnsAreExtractedByThemselvesWhereAModelIsConfiguredAndHalfOfTheDaysTokensIsLeft) {
  const StoredTurn stored{.session = "s1", .turn = 0, .entries = {}, .known = false, .searchable = {}};
  EXPECT_FALSE(wants_extraction(open().vault(), stored)) << "no model";
  std::string with_room(settings);
  with_room.replace(with_room.find("100\n"), 4, "20000\n");
  configure(with_room);
  const Memory memory = open();
  EXPECT_TRUE(wants_extraction(memory.vault(), stored));
  ScriptedModel model{"abcd"};
  BudgetedModel at_turns(memory.vault(), model, AfterFailures::rest);
  EXPECT_TRUE(at_turns.ask(request(8'000), {}));
  EXPECT_FALSE(wants_extraction(memory.vault(), stored));
  clock.advance(std::chrono::hours(24));
  EXPECT_TRUE(wants_extraction(memory.vault(), stored));
  configure(with_room + "[capture]\nextract = \"end\"\n");
  EXPECT_FALSE(wants_extraction(open().vault(), stored));
}

TEST_F(Budget, WhatConsolidationSpendsCountsToo) {
  configure(settings);
  const Memory memory = open();
  ModelUse use;
  use.day = "2026-11-21";
  use.today = {90, 0};
  std::filesystem::create_directories(memory.vault().state_folder());
  ASSERT_TRUE(write_model_use(real_file_system(), memory.vault().state_folder(), use));
  ScriptedModel model{"abcd"};
  BudgetedModel budgeted(memory.vault(), model, AfterFailures::ask);
  EXPECT_FALSE(budgeted.ask(request(20), {}));
  EXPECT_THAT(model.requests(), IsEmpty());
}

TEST_F(Budget, AfterThreeFailuresAModelIsLeftAloneByWhatHappensAtEveryTurn) {
  const Memory memory = open();
  ScriptedModel model;
  BudgetedModel at_turns(memory.vault(), model, AfterFailures::rest), asked_for(memory.vault(), model, AfterFailures::ask);
  for (int i = 0; i < breaker_opens_after; ++i) EXPECT_FALSE(at_turns.ask(request(1), {}));
  const auto rests = at_turns.ask(request(1), {});
  ASSERT_FALSE(rests);
  EXPECT_THAT(rests.error().message, HasSubstr("left alone until 2026-11-21T21:14:43.120Z"));
  EXPECT_THAT(model.requests(), SizeIs(3));
  model.answer("abcd");
  EXPECT_TRUE(asked_for.ask(request(1), {})) << "who asks for it gets an answer, and all is well again";
  model.answer("abcd");
  EXPECT_TRUE(at_turns.ask(request(1), {}));
}

TEST_F(Budget, ACallThatWasCancelledIsNoFailureOfTheModel) {
  const Memory memory = open();
  ScriptedModel model;
  BudgetedModel budgeted(memory.vault(), model, AfterFailures::rest);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(budgeted.ask(request(1), stop.get_token()));
  EXPECT_EQ(read_capture_use(memory.vault()).failed_runs, 0);
}

}  // namespace
}  // namespace loci
