#include "consolidate/runs/undo.h"
#include "consolidate/shapes.h"
#include "edits/edit_state.h"
#include "edits/understand.h"
#include "memory/forget.h"
#include "memory/import.h"
#include "parser/parser.h"
#include "parser/text_hash.h"
#include "tests/consolidate/consolidator_fixture.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

TEST_F(ConsolidatorTest, AClosedGateAsksNobodyAndWritesNothing) {
  use_model();
  say("Likes tea.");
  const auto before = folder.contents("vault");
  const auto done = consolidate_now({});
  EXPECT_FALSE(done.ran);
  EXPECT_THAT(done.gates.closed, SizeIs(1));
  EXPECT_THAT(model.requests(), IsEmpty());
  EXPECT_EQ(folder.contents("vault"), before);
}

TEST_F(ConsolidatorTest, ARunSettlesPromotesAndIsRemembered) {
  use_model();
  write("MEMORY.md", "<!-- loci:core begin -->\n<!-- loci:core end -->\n");
  const std::string id = say("Likes tea.", Source::user);
  model.answer(R"({"operations":[)" + add_of(1, "Likes tea.") + "]}");
  model.answer_always([&](const ModelRequest& request) -> Result<std::string> {
    EXPECT_EQ(request.task, "promote/1");
    return R"({"lines":[{"id":")" + material().entries.at(0).id + R"(","text":null}]})";
  });
  const auto done = consolidate_now();
  ASSERT_TRUE(done.run && !done.failure);
  EXPECT_EQ(done.run->outcome, "done");
  EXPECT_EQ(done.run->prompt, "decide/3");
  EXPECT_THAT(durable(), ElementsAre("Likes tea."));
  EXPECT_THAT(material().entries.at(0).from, ElementsAre(id));
  EXPECT_THAT(read("MEMORY.md"), HasSubstr("\n- Likes tea.\n"));
  EXPECT_GT(done.run->tokens.total(), 0);
  EXPECT_EQ(use().today, done.run->tokens);
  EXPECT_EQ(outcomes_of(*done.run).at("added"), 1u);
  EXPECT_FALSE(consolidate_now().ran) << "nothing is pending";
}

TEST_F(ConsolidatorTest, WhileAPersonIsAskedAboutTheCoreNobodyIsAskedWhatBelongsThere) {
  use_model();
  const std::string begin = "<!-- loci:core begin -->\n", end = "<!-- loci:core end -->\n";
  std::string lines;
  for (const char* number : {"1", "2", "3", "4"})
    lines += std::string(R"(<!--m {"ref":"e)") + number + "\"}-->\n- Line " + number + ".\n";
  write("MEMORY.md", begin + lines + end);
  ASSERT_TRUE(understand(*memory));
  write("MEMORY.md", begin + end);
  ASSERT_EQ(understand(*memory)->waiting.size(), 1u);
  say("Likes tea.", Source::user);
  model.answer(R"({"operations":[)" + add_of(1, "Likes tea.") + "]}");
  const auto done = consolidate_now();
  ASSERT_TRUE(done.run && !done.failure);
  EXPECT_THAT(durable(), ElementsAre("Likes tea."));
  EXPECT_THAT(model.requests(), SizeIs(1)) << "the decision: a question about the core would be billed for nothing";
  EXPECT_EQ(read("MEMORY.md"), begin + end);
}

TEST_F(ConsolidatorTest, WithNothingToFoldTheCoreStillFollowsItsEntries) {
  use_model();
  write("MEMORY.md", "<!-- loci:core begin -->\n<!-- loci:core end -->\n");
  say("Likes tea.", Source::user);
  model.answer(R"({"operations":[)" + add_of(1, "Likes tea.") + "]}");
  model.answer_always([&](const ModelRequest&) -> Result<std::string> {
    return R"({"lines":[{"id":")" + material().entries.at(0).id + R"(","text":null}]})";
  });
  ASSERT_TRUE(consolidate_now().run);
  ASSERT_THAT(read("MEMORY.md"), HasSubstr("\n- Likes tea.\n"));
  const DurableEntry entry = material().entries.at(0);
  write(".loci/tombstones/elsewhere.jsonl", R"({"at":")" + format_rfc3339(clock.now()) + R"(","id":")" + entry.id +
                                                R"(","text_hash":")" + stored_text_hash(entry.text) +
                                                R"(","reason":"deleted","by":"user"})" + "\n");
  EXPECT_FALSE(consolidate_now().ran);
  EXPECT_THAT(read("MEMORY.md"), Not(HasSubstr("Likes tea."))) << "what another machine forgot";
}

TEST_F(ConsolidatorTest, ADryRunSaysWhatARunSends) {
  use_model("cluster_max = 5\nverify = false");
  for (int i = 0; i < 40; ++i) say("Fact " + std::to_string(i) + " about subject " + std::to_string(i % 8) + " of the list.");
  const auto before = folder.contents("vault");
  const auto planned = dry_run();
  EXPECT_EQ(folder.contents("vault"), before);
  EXPECT_THAT(model.requests(), IsEmpty());
  ASSERT_FALSE(consolidate_now().failure);
  std::int64_t sent = 0;
  for (const ModelRequest& request : model.requests()) sent += model.tokens_to_send(request);
  EXPECT_EQ(planned.asking.calls, static_cast<std::int64_t>(model.requests().size()));
  EXPECT_NEAR(static_cast<double>(planned.asking.tokens), static_cast<double>(sent), 0.1 * static_cast<double>(sent));
}

TEST_F(ConsolidatorTest, ADryRunTellsApartWhatIsAskedOnlyIfAnAnswerIsSentBack) {
  use_model("cluster_max = 20");
  say_a_dozen([&](const std::string& text) { say(text, Source::user); });
  const auto planned = dry_run();
  EXPECT_EQ(planned.mending.calls, 2) << "a mending, and its reading";
  EXPECT_GT(planned.mending.tokens, 0);
  EXPECT_EQ(planned.asking.calls, 3) << "a decision, its reading, and the core";
}

TEST_F(ConsolidatorTest, WhatMustNotBeSentIsInNoPromptAndIsSettledByRule) {
  use_model({}, "[privacy]\nnever_send = [\"#health\"]\n");
  say("Has asthma. #health");
  say("Likes tea.");
  const auto done = consolidate_now();
  EXPECT_FALSE(done.failure);
  EXPECT_THAT(durable(), ElementsAre("Has asthma. #health", "Likes tea."));
  say("Likes cake.");
  consolidate_now();
  for (const ModelRequest& request : model.requests()) EXPECT_THAT(request.input, Not(HasSubstr("asthma"))) << request.task;
}

TEST_F(ConsolidatorTest, TheBudgetOfADayStopsARunBeforeTheCallThatPassesIt) {
  tokens_a_day = 5'000;
  use_model("cluster_max = 5");
  for (int i = 0; i < 60; ++i) say("Fact " + std::to_string(i) + " about subject " + std::to_string(i % 12) + " of the list.");
  const auto done = consolidate_now();
  ASSERT_TRUE(done.failure);
  EXPECT_THAT(done.failure->message, HasSubstr("budget"));
  EXPECT_EQ(done.run->outcome, "stopped");
  EXPECT_LE(use().today.input, tokens_a_day);
  const auto pending = material().facts.size();
  EXPECT_GT(pending, 0u);
  for (const Fact& fact : material().facts) EXPECT_EQ(fact.failures, 0);
  clock.advance(std::chrono::hours(24));
  consolidate_now();
  EXPECT_LT(material().facts.size(), pending) << "the next day it goes on";
}

TEST_F(ConsolidatorTest, AServerThatIsAwayIsAskedTwiceAndCostsNoFactItsPatience) {
  use_model("cluster_max = 5");
  for (int i = 0; i < 40; ++i) say("Fact " + std::to_string(i) + " about subject " + std::to_string(i % 8) + " of the list.");
  model.answer_always([](const ModelRequest&) -> Result<std::string> { return fail(ErrorCode::remote, "connection refused"); });
  const auto before = folder.contents("vault/consolidated");
  for (int run = 1; run <= 4; ++run) {
    const size_t asked = model.requests().size();
    const auto done = consolidate_now();
    ASSERT_TRUE(done.failure);
    EXPECT_EQ(done.failure->code, ErrorCode::remote);
    EXPECT_LE(model.requests().size() - asked, 2u);
    EXPECT_EQ(use().failed_runs, run);
  }
  EXPECT_EQ(folder.contents("vault/consolidated"), before);
  EXPECT_THAT(material().facts, SizeIs(40));
  for (const Fact& fact : material().facts) EXPECT_TRUE(fact.failures == 0 && !fact.quarantined);
  EXPECT_TRUE(use().resting_until(clock.now()));
  const auto closed = consolidate_now({});
  EXPECT_THAT(closed.gates.closed, testing::Contains(testing::Field(&Gate::name, "put off")));
}

TEST_F(ConsolidatorTest, WhatIsRefusedGoesBackOnceWithItsReasonsAndTheRestIsDone) {
  use_model();
  say("I have three hens.", Source::user);
  say("I live in Ely.", Source::user);
  model.answer_always(Script{answer_of({{{"facts", "[1]"}, {"text", "Has hens."}}, {{"facts", "[2]"}, {"text", "Lives in Ely."}}}),
                             answer_of({{{"facts", "[1]"}, {"text", "Has 3 hens."}}})});
  const auto done = consolidate_now();
  EXPECT_FALSE(done.failure);
  EXPECT_THAT(durable(), ElementsAre("Has 3 hens.", "Lives in Ely."));
  EXPECT_THAT(model.requests().at(2).input, testing::AllOf(HasSubstr("leaves out values"), Not(HasSubstr("Ely"))));
  EXPECT_THAT(tasks_of(model), ElementsAre("decide/3", "verify/2", "mend/2", "verify/2"));
  ASSERT_THAT(done.run->clusters.at(0).refused, SizeIs(1));
  EXPECT_EQ(done.run->clusters.at(0).refused.at(0).text, "Has hens.");
}

TEST_F(ConsolidatorTest, SmallClustersShareACall) {
  use_model("cluster_max = 8");
  say_a_dozen([&](const std::string& text) { say(text, Source::user); });
  EXPECT_FALSE(consolidate_now().failure);
  EXPECT_EQ(std::ranges::count(tasks_of(model), decide_prompt_version), 2);
  EXPECT_THAT(durable(), SizeIs(12));
}

TEST_F(ConsolidatorTest, WhatTheSecondReadingNamesIsMended) {
  use_model();
  say("I love cilantro.", Source::user);
  model.answer_always([](const ModelRequest& request) -> Result<std::string> {
    if (request.task == verify_prompt_version && request.input.contains("Hates"))
      return R"({"problems":[{"op":1,"what":"negation changed","why":"love became hate"}]})";
    return Script{answer_of({{{"facts", "[1]"}, {"text", "Hates cilantro."}}}),
                  answer_of({{{"facts", "[1]"}, {"text", "Loves cilantro."}}})}(request);
  });
  EXPECT_FALSE(consolidate_now().failure);
  EXPECT_THAT(durable(), ElementsAre("Loves cilantro."));
}

TEST_F(ConsolidatorTest, WhatFailsTwiceIsKeptWordForWordIfAPersonSaidItAndElseStaysPending) {
  use_model();
  say("I have three hens.", Source::user);
  say("User may have asthma.", Source::agent);
  model.answer_always(Script{answer_of({{{"facts", "[1]"}, {"text", "Has hens."}}, {{"facts", "[2]"}, {"text", "Has asthma."}}})});
  const auto done = consolidate_now();
  EXPECT_FALSE(done.failure) << "a fact that stays pending is no failure";
  EXPECT_EQ(done.run->outcome, "done");
  EXPECT_THAT(durable(), ElementsAre("I have three hens."));
  EXPECT_THAT(read(file), HasSubstr("\"asis\":1"));
  ASSERT_THAT(material().facts, SizeIs(1));
  EXPECT_EQ(material().facts.at(0).failures, 1);
}

TEST_F(ConsolidatorTest, AModelOfWhichMostIsRefusedInThreeRunsDoesNotSuit) {
  use_model();
  const auto said = [&] {
    (void)material();
    return consolidation_status(*memory).value().text_at("unsuitable_model");
  };
  for (int run = 0; run < 3; ++run) {
    EXPECT_EQ(said(), "");
    for (const char* what : {"goats", "geese", "ducks"}) say("I have " + std::to_string(17 + run) + " " + what + ".", Source::user);
    model.answer_always([](const ModelRequest& request) -> Result<std::string> {
      if (!request.task.starts_with("decide/") && !request.task.starts_with("mend/")) return add_everything(request);
      std::string operations;
      for (const auto& [number, text] : facts_in(request))
        operations += (operations.empty() ? "" : ",") + add_of(number, "Has animals.");
      return R"({"operations":[)" + operations + "]}";
    });
    ASSERT_FALSE(consolidate_now().failure);
  }
  EXPECT_EQ(said(), model.name());
}

TEST_F(ConsolidatorTest, WhatWasSpentTodayIsToldThoughNoModelIsAskedAnyMore) {
  use_model();
  say("I have three hens.", Source::user);
  ASSERT_FALSE(consolidate_now().failure);
  const auto told = [&] { return consolidation_status(*memory).value().find("tokens")->count_at("today"); };
  const auto spent = told();
  EXPECT_GT(spent, 0);
  folder.write("home/.config/loci/config.toml", "");
  memory.emplace(open());
  EXPECT_EQ(told(), spent);
}

TEST_F(ConsolidatorTest, OfWhatContradictsAnEntryThatItMayNotChangeOnlyTheNewerIsInTheCore) {
  use_model();
  say("Always deploy on Mondays.", Source::user);
  ASSERT_FALSE(consolidate_now().failure);
  const std::string old = material().entries.at(0).id;
  clock.advance(std::chrono::days(3));
  say("The deploy day is Tuesday.", Source::agent);
  model.answer_always([](const ModelRequest& request) -> Result<std::string> {
    if (request.task.starts_with("promote/"))
      return request.input.contains("Mondays") ? R"({"lines":[]})" : R"({"lines":[{"id":"none","text":null}]})";
    return Script{answer_of({{{"facts", "[1]"}, {"text", "The deploy day is Tuesday."}, {"against", "2"}}})}(request);
  });
  ASSERT_FALSE(consolidate_now().failure);
  EXPECT_THAT(read(file), HasSubstr("\"against\":\"" + old + "\""));
  EXPECT_THAT(model.requests().back().input, testing::AllOf(HasSubstr("Tuesday"), Not(HasSubstr("Mondays"))));
  EXPECT_THAT(durable(), SizeIs(2));
}

TEST_F(ConsolidatorTest, WhatAPersonSaidAndFailedTwiceStandsInTheCoreInThePlaceOfWhatItWouldHaveChanged) {
  use_model();
  say("I have three hens.", Source::user);
  ASSERT_FALSE(consolidate_now().failure);
  clock.advance(std::chrono::days(3));
  say("I have four hens now.", Source::user);
  model.answer_always(
      Script{answer_of({{{"op", "REPLACE"}, {"facts", "[1]"}, {"target", "2"}, {"text", "Has hens."}, {"kind", "change"}}})});
  ASSERT_FALSE(consolidate_now().failure);
  EXPECT_THAT(durable(), ElementsAre("I have four hens now.", "I have three hens."));
  EXPECT_THAT(model.requests().back().input, testing::AllOf(HasSubstr("four hens"), Not(HasSubstr("three hens"))));
}

TEST_F(ConsolidatorTest, WhatCouldNotBeReadASecondTimeIsNotApplied) {
  use_model();
  say("I have three hens.", Source::user);
  model.answer_always(Script{answer_of({{{"facts", "[1]"}, {"text", "Has 3 hens."}}}), {}, "I cannot say."});
  const auto done = consolidate_now();
  ASSERT_TRUE(done.failure);
  EXPECT_EQ(done.failure->code, ErrorCode::remote);
  EXPECT_THAT(durable(), IsEmpty());
  EXPECT_EQ(material().facts.at(0).failures, 0);
}

TEST_F(ConsolidatorTest, WithoutVerifyNothingIsReadASecondTime) {
  use_model("verify = false");
  say("I have three hens.", Source::user);
  model.answer_always(Script{answer_of({{{"facts", "[1]"}, {"text", "Has 3 hens."}}})});
  EXPECT_FALSE(consolidate_now().failure);
  EXPECT_THAT(tasks_of(model), ElementsAre("decide/3"));
}

TEST_F(ConsolidatorTest, ARunThatFailedIsTriedAgainAfterAnHourWhateverTheVolume) {
  use_model("min_facts = 20");
  say("Likes tea.");
  model.answer_always([](const ModelRequest&) { return "I would rather not."; });
  EXPECT_TRUE(consolidate_now().failure);
  const size_t asked = model.requests().size();
  EXPECT_THAT(consolidate_now({}).gates.closed, ElementsAre(testing::Field(&Gate::name, "failed before")));
  EXPECT_EQ(model.requests().size(), asked);
  clock.advance(std::chrono::hours(1));
  model.answer_always(add_everything);
  EXPECT_FALSE(consolidate_now({}).failure);
  EXPECT_THAT(durable(), ElementsAre("Likes tea."));
}

TEST_F(ConsolidatorTest, NothingThatWasAnsweredIsLeftBehindByARun) {
  use_model();
  say("Likes tea.");
  ASSERT_FALSE(consolidate_now().failure);
  for (const auto& [name, bytes] : folder.contents("home/.local/state")) EXPECT_THAT(name, Not(HasSubstr("/answers/")));
}

TEST_F(ConsolidatorTest, AShutdownInTheMiddleIsNobodysFailure) {
  use_model();
  say("Likes tea.");
  std::stop_source stop;
  model.while_asked([&] { stop.request_stop(); });
  const auto done = consolidate_now({.force = true, .dry_run = false, .rebuild = false, .stop = stop.get_token(), .progress = {}});
  EXPECT_TRUE(done.failure);
  EXPECT_EQ(use().failed_runs, 0);
  EXPECT_THAT(material().facts, SizeIs(1));
  EXPECT_EQ(material().facts.at(0).failures, 0);
  EXPECT_FALSE(consolidate_now().failure) << "and the next run does it";
}

TEST_F(ConsolidatorTest, WhatIsSaidWhileTheModelThinksIsPendingForTheNextRun) {
  use_model();
  say("Likes tea.");
  bool said = false;
  model.while_asked([&] {
    if (!std::exchange(said, true)) say("Likes cake.");
  });
  EXPECT_FALSE(consolidate_now().failure);
  EXPECT_THAT(durable(), ElementsAre("Likes tea."));
  ASSERT_THAT(material().facts, SizeIs(1));
  EXPECT_EQ(material().facts.at(0).text, "Likes cake.");
}

TEST_F(ConsolidatorTest, WhatIsForgottenWhileTheModelThinksDoesNotComeBack) {
  use_model();
  const std::string id = say("Likes tea.");
  say("Likes cake.");
  model.while_asked([&] {
    Memory other = open();
    if (model.requests().size() > 1) return;
    EXPECT_TRUE(other.bring_up_to_date() && forget(other, {id}, {}));
  });
  consolidate_now();
  consolidate_now();
  EXPECT_THAT(texts(*memory), Not(testing::Contains("Likes tea.")));
  EXPECT_THAT(material().facts, IsEmpty());
}

TEST_F(ConsolidatorTest, ALineThatIsTakenOutWhileTheModelThinksIsNotPromotedAgain) {
  const std::string empty = "<!-- loci:core begin -->\n<!-- loci:core end -->\n";
  use_model();
  write("MEMORY.md", empty);
  say("Likes tea.", Source::user);
  bool takes_out = false;
  model.answer_always([&](const ModelRequest& request) -> Result<std::string> {
    if (!request.task.starts_with("promote/")) return add_everything(request);
    if (takes_out) write("MEMORY.md", empty);
    std::string lines;
    for (const DurableEntry& entry : material().entries) lines += (lines.empty() ? "{\"id\":\"" : ",{\"id\":\"") + entry.id + "\"}";
    return R"({"lines":[)" + lines + "]}";
  });
  ASSERT_FALSE(consolidate_now().failure);
  ASSERT_THAT(read("MEMORY.md"), HasSubstr("- Likes tea.\n"));
  clock.advance(std::chrono::days(1));
  say("Likes cake.", Source::user);
  takes_out = true;
  ASSERT_FALSE(consolidate_now().failure);
  EXPECT_THAT(read("MEMORY.md"), AllOf(HasSubstr("- Likes cake.\n"), Not(HasSubstr("tea"))));
}

TEST_F(ConsolidatorTest, WhatAFullDiskCutShortIsFinishedWithoutAskingAnybody) {
  use_model();
  say("Likes tea.");
  RunRecord record;
  record.run = make_id(clock.now());
  record.at = clock.now();
  record.ended = clock.now();
  record.kind = "consolidate";
  record.outcome = run_interrupted;
  ASSERT_TRUE(write_run(memory->vault(), record));
  const auto done = consolidate_now({});
  EXPECT_TRUE(done.ran);
  EXPECT_THAT(model.requests(), IsEmpty());
  EXPECT_THAT(material().facts, SizeIs(1)) << "it waits for its time";
  EXPECT_FALSE(consolidate_now({}).ran);
}

TEST_F(ConsolidatorTest, AFolderInThePlaceOfTheCoreCostsTheCoreAndNothingElse) {
  use_model();
  say("Likes tea.");
  std::filesystem::create_directory(memory->vault().file("MEMORY.md"));
  const auto done = consolidate_now();
  ASSERT_TRUE(done.run);
  EXPECT_EQ(done.run->outcome, "done");
  EXPECT_THAT(done.notes, Contains(HasSubstr("MEMORY.md is as it was: it is a folder")));
  EXPECT_THAT(durable(), ElementsAre("Likes tea."));
  EXPECT_FALSE(consolidate_now({}).ran) << "nothing is left to finish";
}

TEST_F(ConsolidatorTest, APasteIsInNoPromptAndKeepsNothingBack) {
  use_model();
  const std::string paste = "The log of the night: " + std::string(200'000, 'x');
  say(paste);
  say("Likes tea.");
  EXPECT_FALSE(consolidate_now().failure);
  EXPECT_THAT(material().facts, IsEmpty());
  for (const ModelRequest& request : model.requests()) EXPECT_LT(request.input.size(), 10'000u);
}

TEST_F(ConsolidatorTest, ACallThatWouldSendTooMuchIsMadeInParts) {
  tokens_a_day = 1'000'000;
  use_model();
  for (char c = 'a'; c < 'a' + 20; ++c) say("Item " + std::string(1, c) + ' ' + std::string(7'000, c) + '.');
  EXPECT_FALSE(consolidate_now().failure);
  EXPECT_THAT(material().facts, IsEmpty());
  EXPECT_GT(model.requests().size(), 2u);
  for (const ModelRequest& request : model.requests()) EXPECT_LE(model.tokens_to_send(request), 24'000);
}

TEST_F(ConsolidatorTest, AnEntryThatAPersonMayHaveTakenOutDoesNotComeBackBeforeThatIsDecided) {
  use_model();
  write("MEMORY.md", "<!-- loci:core begin -->\n<!-- loci:core end -->\n");
  say("Likes tea.", Source::user);
  ASSERT_FALSE(consolidate_now().failure);
  const std::string before = read(file);
  write(file, "# Memory\n");
  consolidate_now();
  EXPECT_EQ(read(file), "# Memory\n");
  ASSERT_THAT(material().facts, SizeIs(1));
  const auto rebuilt = consolidate_now({.force = false, .dry_run = false, .rebuild = true, .stop = {}, .progress = {}});
  ASSERT_TRUE(rebuilt.failure);
  EXPECT_THAT(rebuilt.failure->message, HasSubstr("taken out by hand"));
  EXPECT_EQ(read(file), "# Memory\n");
  write(file, before);
  consolidate_now();
  EXPECT_THAT(durable(), ElementsAre("Likes tea.")) << "nobody meant it";
  write(file, "# Memory\n");
  consolidate_now();
  clock.advance(std::chrono::minutes(10));
  consolidate_now();
  EXPECT_THAT(durable(), IsEmpty()) << "it was meant";
  EXPECT_THAT(material().facts, IsEmpty());
}

TEST_F(ConsolidatorTest, LostRecordsDoNotOpenTheTimeGate) {
  say("Likes tea.");
  ASSERT_TRUE(consolidate_now().ran);
  const auto last = gate_facts(*memory).value().last_run;
  ASSERT_TRUE(last);
  std::filesystem::remove_all(memory->vault().state_folder() / "runs");
  EXPECT_EQ(gate_facts(*memory).value().last_run, last);
}

TEST_F(ConsolidatorTest, WhatAnImportSettledWasNoRun) {
  ExportedEntry fact;
  fact.entry.id = "f1";
  fact.entry.text = "Likes tea.";
  fact.entry.hash = stored_text_hash(fact.entry.text);
  fact.entry.at = clock.now();
  fact.entry.kind = EntryKind::fact;
  fact.entry.place = Place::archive;
  fact.settled = Settled{LedgerEntry::Outcome::ignored, {}};
  fact.tells_settled = true;
  ASSERT_TRUE(import_entries(*memory, {fact}, false));
  ASSERT_EQ(ledger().size(), 1u);
  EXPECT_EQ(gate_facts(*memory).value().last_run, std::nullopt);
}

TEST_F(ConsolidatorTest, WhatAPersonSettledWasNoRun) {
  ASSERT_TRUE(memory->bring_up_to_date());
  for (const char* by : {"correct-f1", "restore-f1", "purge-f1", "by-hand", "u-0123456789abcdef0123"}) {
    LedgerEntry line;
    line.generation = 1;
    line.run = by;
    line.at = clock.now();
    line.fact = "f1";
    line.fact_hash = stored_text_hash("Likes tea.");
    ASSERT_TRUE(append_ledger(memory->vault(), {line}));
    EXPECT_EQ(gate_facts(*memory).value().last_run, std::nullopt) << by;
  }
}

TEST_F(ConsolidatorTest, RecordsThatAreNotKeptDoNotOpenTheTimeGate) {
  folder.write("home/.config/loci/config.toml", "[consolidation]\nundo_keep_days = 0\n");
  memory.emplace(open());
  say("Likes tea.");
  const auto done = consolidate_now();
  ASSERT_TRUE(done.ran);
  ASSERT_TRUE(remove_old_runs(memory->vault()));
  EXPECT_EQ(gate_facts(*memory).value().last_run, done.run->at);
  EXPECT_EQ(outcomes_of(list_runs(memory->vault()).value().at(0)).at("added"), 1u);
  EXPECT_EQ(undo_run(*memory, done.run->run).error().code, ErrorCode::not_found);
}

TEST_F(ConsolidatorTest, WhatStandsBetweenGitsMarkersInTheArchiveWaitsUntilAPersonHasChosen) {
  use_model();
  const std::string tea = say("Likes tea."), walk = say("Walks to work.");
  const std::string day = find_entry(*memory, tea)->places.front().file, before = read(day);
  const size_t begin = before.find("<!--m"), end = before.find("<!--m", begin + 1);
  const std::string ours = before.substr(begin, end - begin);
  std::string theirs = ours;
  theirs.replace(theirs.find("tea"), 3, "mint");
  write(day, std::string(before).replace(begin, ours.size(), "<<<<<<< HEAD\n" + ours + "=======\n" + theirs + ">>>>>>> other\n"));
  ASSERT_FALSE(consolidate_now().failure);
  EXPECT_THAT(durable(), ElementsAre("Walks to work."));
  const auto closed = consolidate_now().gates.closed;
  ASSERT_THAT(closed, SizeIs(1));
  EXPECT_EQ(closed[0].name, "question");
  EXPECT_THAT(closed[0].reason, AllOf(HasSubstr("'loci resolve'"), HasSubstr(day)));
  EXPECT_TRUE(consolidate_now({.force = false, .dry_run = false, .rebuild = true, .stop = {}, .progress = {}}).failure);
  write(day, before);
  ASSERT_FALSE(consolidate_now().failure);
  EXPECT_THAT(durable(), ElementsAre("Likes tea.", "Walks to work."));
}

TEST_F(ConsolidatorTest, ARunSaysThatTheCoreHoldsAConflictAndAsksNoModelForLines) {
  use_model();
  const std::string core = "<!-- loci:core begin -->\n<!-- loci:core end -->\n\n<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> other\n";
  write("MEMORY.md", core);
  say("Likes tea.");
  EXPECT_THAT(consolidate_now().notes, ElementsAre(AllOf(HasSubstr("git's conflict"), HasSubstr("'loci resolve MEMORY.md'"))));
  for (const ModelRequest& request : model.requests()) EXPECT_FALSE(request.task.starts_with("promote/"));
  EXPECT_EQ(read("MEMORY.md"), core);
}

}  // namespace
}  // namespace loci
