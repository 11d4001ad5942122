#include "capture/digest.h"

#include "capture/summarise.h"
#include "tests/capture/capture_fixture.h"

namespace loci {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class Digests : public CaptureTest {
 protected:
  Result<Digest> digest(Memory& memory, LanguageModel* model = nullptr, std::string_view since = "2026-11-21",
                        std::string_view until = "2026-11-23") {
    EXPECT_TRUE(memory.bring_up_to_date());
    return make_digest(memory, model, {.since = parse_time(since), .until = parse_time(until)}, {});
  }

  // Two days: a conversation on both, a fact on the first, a task's summary on the second.
  void fill(Memory& memory) {
    say(memory, "When do we deploy?", "On Fridays.\nAs always.");
    ASSERT_TRUE(add(memory, {NewEntry{Metadata{}, "The cat is called Mia."}}));
    clock.advance(std::chrono::hours(24));
    say(memory, "Still on Fridays?", "Yes.");
    ASSERT_TRUE(
        complete_task(memory, {.task = "T-7", .state = "", .conclusions = "It works.", .project = "", .session = "", .tags = {}}));
  }
};

TEST_F(Digests, WithoutAModelItIsTheTimelineByDayAndThread) {
  Memory memory = open();
  fill(memory);
  const auto made = digest(memory);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_FALSE(made->by_model);
  EXPECT_EQ(made->text,
            "# 2026-11-21\n\n"
            "## Conversation s1\n\n- user: When do we deploy?\n- assistant: On Fridays. As always.\n\n"
            "## Facts and notes\n\n- The cat is called Mia.\n\n"
            "# 2026-11-22\n\n"
            "## Conversation s1\n\n- user: Still on Fridays?\n- assistant: Yes.\n\n"
            "## Facts and notes\n\n- task T-7: Task T-7. Conclusions: It works.\n");
  ASSERT_THAT(made->days, SizeIs(2));
  EXPECT_THAT(made->days[0].threads, SizeIs(2));
}

TEST_F(Digests, OfOneConversationItIsTheWholeOfIt) {
  Memory memory = open();
  fill(memory);
  const auto made = make_digest(memory, nullptr, {.session = "s1"}, {});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_THAT(made->text, AllOf(HasSubstr("When do we deploy?"), HasSubstr("Still on Fridays?"), Not(HasSubstr("Mia"))));
  EXPECT_EQ(make_digest(memory, nullptr, {.session = "s2"}, {}).error().code, ErrorCode::not_found);
}

TEST_F(Digests, AnAgentHearsNothingOfAPrivateTurnOfWhichOneHalfIsNamed) {
  configure("[privacy]\nnever_send = [\"#private\"]\n");
  Memory memory = open();
  say(memory, "My PIN is 4711 #private", "I will remember 4711.");
  say(memory, "And the weather?", "Rain.");
  EXPECT_TRUE(memory.bring_up_to_date());
  const auto for_agent = make_digest(memory, nullptr, {.session = "s1", .is_for_agent = true}, {});
  EXPECT_THAT(for_agent->text, AllOf(HasSubstr("weather"), Not(HasSubstr("4711"))));
  EXPECT_THAT(for_agent->notes, IsEmpty());
  EXPECT_THAT(make_digest(memory, nullptr, {.session = "s1"}, {})->text, HasSubstr("4711"));
}

TEST_F(Digests, OnlyThePeriodCounts) {
  Memory memory = open();
  fill(memory);
  const auto made = digest(memory, nullptr, "2026-11-22", "2026-11-23");
  EXPECT_THAT(made->text, AllOf(HasSubstr("Still on Fridays?"), Not(HasSubstr("When do we deploy?"))));
  EXPECT_THAT(digest(memory, nullptr, "2025-01-01", "2025-02-01")->days, IsEmpty());
}

TEST_F(Digests, ADayIsThatOfTheLocalCalendar) {
  clock.set_offset(std::chrono::hours(5));
  Memory memory = open();
  say(memory, "late");  // 20:14 UTC is the next day
  EXPECT_THAT(digest(memory)->text, HasSubstr("# 2026-11-22\n"));
}

TEST_F(Digests, NotesOfAPersonCountByTheirDateAndDurableEntriesNot) {
  Memory memory = open();
  clock.set_offset(std::chrono::hours(-5));
  write("2026-11-21 standup.md", "We met.\n");
  write("undated.md", "We never met.\n");
  write("consolidated/memory.md", "<!--m {\"id\":\"c\",\"updated\":\"2026-11-21\"}-->\nDurable.\n");
  EXPECT_EQ(digest(memory)->text, "# 2026-11-21\n\n## Facts and notes\n\n- We met.\n");
}

TEST_F(Digests, AModelIsAskedWindowByWindowAndThenTogether) {
  Memory memory = open();
  for (int i = 0; i < 24; ++i) say(memory, "Point " + std::to_string(i) + ' ' + std::string(6'000, 'x'));
  ScriptedModel model;
  int levels = 0;
  model.answer_always([&](const ModelRequest& request) -> Result<std::string> {
    EXPECT_LE(estimate_tokens(request.input), 7'500);
    if (request.task == "digest/1") return summary_of(std::string(7'900, 'y'));
    ++levels;
    return summary_of(levels > 3 ? "all of it" : std::string(7'900, 'z'));
  });
  const auto made = digest(memory, &model);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_TRUE(made->by_model);
  EXPECT_EQ(made->text, "all of it");
  EXPECT_EQ(made->calls, static_cast<std::int64_t>(model.requests().size()));
  EXPECT_GT(made->tokens.input, 30'000);
  std::string shown;
  for (const ModelRequest& request : model.requests()) shown += request.input;
  for (int i = 0; i < 24; ++i) EXPECT_THAT(shown, HasSubstr("\"Point " + std::to_string(i) + ' '));
}

TEST_F(Digests, AnAnswerThatIsTooLongIsCutAtASentencesEnd) {
  Memory memory = open();
  fill(memory);
  std::string answer;
  while (answer.size() <= longest_summary) answer += "The boat leaves at noon. ";
  ScriptedModel model{summary_of(answer)};
  const auto made = digest(memory, &model);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_THAT(made->text, testing::EndsWith("The boat leaves at noon."));
  EXPECT_GT(made->text.size(), longest_summary - 100);
  EXPECT_LE(made->text.size(), longest_summary);
}

TEST_F(Digests, OneWindowNeedsOneCall) {
  Memory memory = open();
  fill(memory);
  ScriptedModel model{summary_of("Deploys on Fridays.")};
  const auto made = digest(memory, &model);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->text, "Deploys on Fridays.");
  EXPECT_EQ(made->calls, 1);
  EXPECT_EQ(model.requests()[0].task, "digest/1");
  EXPECT_THAT(model.requests()[0].input, HasSubstr("\"date\":\"2026-11-21 (Saturday)\""));
}

TEST_F(Digests, NothingIsStored) {
  Memory memory = open();
  fill(memory);
  const auto before = folder.contents("vault");
  ScriptedModel model{summary_of("Deploys on Fridays.")};
  ASSERT_TRUE(digest(memory, &model));
  ASSERT_TRUE(digest(memory));
  EXPECT_EQ(folder.contents("vault"), before);
}

TEST_F(Digests, WhatIsPrivateIsCountedAndNotSent) {
  configure("[privacy]\nnever_send = [\"#health\"]\n");
  Memory memory = open();
  say(memory, "I have a cold. #health", "Get well soon.");
  say(memory, "What is on?", "A film.");
  ScriptedModel model{summary_of("Wishes.")};
  const auto made = digest(memory, &model);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_THAT(model.requests().at(0).input, Not(HasSubstr("cold")));
  EXPECT_THAT(model.requests().at(0).input, Not(HasSubstr("Get well"))) << "a turn is private as a whole";
  EXPECT_THAT(model.requests().at(0).input, HasSubstr("A film."));
  EXPECT_THAT(made->notes, ElementsAre(HasSubstr("2 entries are private")));
  EXPECT_THAT(digest(memory)->text, HasSubstr("I have a cold"));
}

TEST_F(Digests, ASummaryThatWasMadePartlyOfSomethingPrivateIsNotSent) {
  configure("[privacy]\nnever_send = [\"project:secret\"]\n");
  Memory memory = open();
  say(memory, "The plan is open.", "", "secret");
  say(memory, "What is on?", "A film.", "home");
  ASSERT_TRUE(end_session(memory, nullptr, "s1", {}));
  ASSERT_THAT(summaries(memory), testing::SizeIs(1));
  ScriptedModel model{summary_of("A film.")};
  ASSERT_TRUE(digest(memory, &model));
  EXPECT_THAT(model.requests().at(0).input, Not(HasSubstr("plan is open")));
  EXPECT_THAT(model.requests().at(0).input, HasSubstr("A film."));
}

TEST_F(Digests, WhenAllIsPrivateThereIsTheTimeline) {
  configure("[privacy]\nnever_send = [\"archive/**\"]\n");
  Memory memory = open();
  fill(memory);
  ScriptedModel model;
  const auto made = digest(memory, &model);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_THAT(model.requests(), IsEmpty());
  EXPECT_FALSE(made->by_model);
  EXPECT_THAT(made->text, HasSubstr("When do we deploy?"));
}

TEST_F(Digests, APeriodThatTheBudgetDoesNotHoldIsRefusedBeforeAnythingIsSpent) {
  configure(
      "[consolidation]\nmodel = \"local\"\n[models.local]\nprovider = \"ollama\"\nbase_url = \"http://127.0.0.1:9\"\nmodel = "
      "\"m\"\n"
      "max_tokens_a_day = 10000\n");
  Memory memory = open();
  for (int i = 0; i < 4; ++i) say(memory, std::string(16'000, 'x'));
  ScriptedModel model{summary_of("a part")};
  EXPECT_EQ(digest(memory, &model).error().code, ErrorCode::remote);
  EXPECT_THAT(model.requests(), IsEmpty());
}

TEST_F(Digests, AModelThatFailsIsARemoteError) {
  Memory memory = open();
  fill(memory);
  ScriptedModel dead;
  EXPECT_EQ(digest(memory, &dead).error().code, ErrorCode::remote);
  ScriptedModel empty{summary_of(" \n")};
  EXPECT_EQ(digest(memory, &empty).error().code, ErrorCode::remote);
  ScriptedModel chatty{R"({"summary":"s","more":1})"};
  EXPECT_EQ(digest(memory, &chatty).error().code, ErrorCode::remote);
}

}  // namespace
}  // namespace loci
