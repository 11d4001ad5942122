// What is forgotten or purged while a model looks at a conversation does not come back with its answer.
#include <gmock/gmock.h>

#include "capture/extract.h"
#include "capture/turn_store.h"
#include "memory/purge.h"
#include "memory/stores.h"
#include "tests/capture/capture_fixture.h"

namespace loci {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr const char* secret = "I prefer that my password is hunter2zebra";

class ForgottenMeanwhile : public CaptureTest {
 protected:
  // Every entry that holds the word.
  void purge_all(const std::string& word) {
    Memory other = open();
    ASSERT_TRUE(other.bring_up_to_date());
    std::vector<std::string> ids;
    const auto all = other.reader().value()->list(EntryFilter{}, 10'000).value();
    for (const Entry& entry : all)
      if (entry.text.contains(word)) ids.push_back(entry.id);
    if (ids.empty()) return;
    const auto entries = entries_to_purge(other, ids, {});
    std::vector<Store> stores = memory_stores();
    stores.push_back(turn_store);
    ASSERT_TRUE(entries && purge(other, *entries, stores));
  }
  static std::string gap() {
    return answer_of({proposed("User prefers that the password is hunter2zebra.", "preference", secret, 0)});
  }
};

TEST_F(ForgottenMeanwhile, WhatAGapFillFoundInAPurgedTurnIsDropped) {
  Memory memory = open();
  say(memory, secret, "ok");
  say(memory, "I like tea.", "ok");
  ScriptedModel model{gap(), summary_of("They spoke of tea.")};
  model.while_asked([&] { purge_all("hunter2zebra"); });
  const auto ended = end_session(memory, &model, "s1", {});
  ASSERT_TRUE(ended) << ended.error().message;
  EXPECT_THAT(ended->gap_fill.notes, Contains(HasSubstr("forgotten or changed meanwhile")));
  EXPECT_THAT(files_with("hunter2zebra"), IsEmpty());
  ASSERT_THAT(model.requests(), SizeIs(2));
  EXPECT_THAT(model.requests()[1].input, Not(HasSubstr("hunter2zebra")));
}

TEST_F(ForgottenMeanwhile, ASummaryOfAPurgedTurnIsDroppedAndMadeOfTheRestNextTime) {
  Memory memory = open();
  say(memory, secret, "ok");
  say(memory, "I like tea.", "ok");
  ScriptedModel model{std::string(nothing), summary_of("The password is hunter2zebra.")};
  model.while_asked([&] {
    if (model.requests().size() == 2) purge_all("hunter2zebra");
  });
  const auto ended = end_session(memory, &model, "s1", {});
  ASSERT_TRUE(ended) << ended.error().message;
  EXPECT_THAT(ended->summary, IsEmpty());
  EXPECT_THAT(ended->notes, Contains(HasSubstr("the summary was dropped")));
  EXPECT_THAT(files_with("hunter2zebra"), IsEmpty());
  model.answer(summary_of("They spoke of tea."));
  EXPECT_THAT(end_session(memory, &model, "s1", {})->summary, SizeIs(1));
}

TEST_F(ForgottenMeanwhile, WhatWasExtractedFromAPurgedTurnIsDropped) {
  Memory memory = open();
  say(memory, secret, "ok");
  ScriptedModel model{answer_of({proposed("The password is hunter2zebra.")})};
  model.while_asked([&] { purge_all("hunter2zebra"); });
  const auto extracted = extract_from_turn(memory, model, "s1", 0, {});
  ASSERT_TRUE(extracted) << extracted.error().message;
  EXPECT_THAT(extracted->facts, IsEmpty());
  EXPECT_THAT(extracted->notes, ElementsAre(HasSubstr("forgotten or changed meanwhile")));
  EXPECT_THAT(files_with("hunter2zebra"), IsEmpty());
}

TEST_F(ForgottenMeanwhile, AFactOfATurnThatIsForgottenMeanwhileIsNotSummarised) {
  Memory memory = open();
  say(memory, secret, "ok");
  ScriptedModel extractor{answer_of({proposed("The password is hunter2zebra.")})};
  ASSERT_TRUE(extract_from_turn(memory, extractor, "s1", 0, {}));
  ScriptedModel model{std::string(nothing), summary_of("The password is hunter2zebra.")};
  model.while_asked([&] {
    if (model.requests().size() < 2) return;
    Memory other = open();
    EXPECT_TRUE(forget(other, {id_of(other, "The password is hunter2zebra.")}, {}));
  });
  const auto ended = end_session(memory, &model, "s1", {});
  ASSERT_TRUE(ended) << ended.error().message;
  EXPECT_THAT(ended->summary, IsEmpty());
}

TEST_F(ForgottenMeanwhile, WhatIsSaidMeanwhileDropsNothing) {
  Memory memory = open();
  say(memory, "I like tea.");
  ScriptedModel model{std::string(nothing), summary_of("They spoke of tea.")};
  model.while_asked([&] {
    Memory other = open();
    say(other, "I like cake too.");
  });
  EXPECT_THAT(end_session(memory, &model, "s1", {})->summary, SizeIs(1));
}

TEST_F(ForgottenMeanwhile, ASummaryByRuleQuotesNoWordsThatMustNotBeInTheVault) {
  configure("[capture]\nturns = \"summary\"\n");
  Memory memory = open();
  say(memory, "my secret is hunter2zebra", "noted");
  say(memory, "and the moon is made of hunter3zebra", "noted");
  ASSERT_THAT(end_session(memory, nullptr, "s1", {})->summary, SizeIs(1));
  EXPECT_EQ(summaries(memory)[0].text, "Conversation of 2 turns on 2026-11-21. The user began.");
  EXPECT_THAT(files_with("zebra"), IsEmpty());
}

TEST_F(ForgottenMeanwhile, WordsThatWaitForASummaryAreGoneAfterAPurge) {
  configure("[capture]\nturns = \"summary\"\n");
  Memory memory = open();
  say(memory, "my secret is hunter2zebra", "noted");
  write("archive/2026-11-20.md", "hunter2zebra is my secret\n");
  purge_all("hunter2zebra");
  EXPECT_THAT(files_with("hunter2zebra"), IsEmpty());
  ScriptedModel model;
  model.answer_always([](const ModelRequest& request) -> Result<std::string> {
    EXPECT_THAT(request.input, Not(HasSubstr("hunter2zebra")));
    return request.task == "gap-fill/2" ? std::string(nothing) : summary_of("A talk.");
  });
  EXPECT_TRUE(end_session(memory, &model, "s1", {}));
}

TEST_F(ForgottenMeanwhile, AnEntryMadeOfAPrivateFactIsNotShownAsKnown) {
  configure("[privacy]\nnever_send = [\"archive/2026-11-05*.md\"]\n");
  Memory memory = open();
  write("archive/2026-11-05.md", "My lawyer is Zebra.\n");
  const std::string fact = id_of(memory, "My lawyer is Zebra.");
  write("consolidated/memory.md", "<!--m {\"id\":\"c-1\",\"from\":[\"" + fact +
                                      "\"]}-->\nMy lawyer is called Zebra.\n\n<!--m {\"id\":\"c-2\"}-->\nLawyers like soup.\n");
  say(memory, "Which lawyer likes soup?");
  ScriptedModel model{std::string(nothing)};
  ASSERT_TRUE(extract_from_turn(memory, model, "s1", 0, {}));
  ASSERT_THAT(model.requests(), SizeIs(1));
  EXPECT_THAT(model.requests()[0].input, HasSubstr("Lawyers like soup."));
  EXPECT_THAT(model.requests()[0].input, Not(HasSubstr("called Zebra")));
}

}  // namespace
}  // namespace loci
