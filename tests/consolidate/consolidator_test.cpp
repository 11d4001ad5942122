// Whole runs, with a model that says what a test told it to.
#include "consolidate/consolidator.h"

#include <gmock/gmock.h>

#include <map>
#include <sstream>

#include "consolidate/decide/decide_prompt.h"
#include "consolidate/decide/second_reading.h"
#include "consolidate/runs/undo.h"
#include "consolidate/shapes.h"
#include "edits/edit_state.h"
#include "memory/forget.h"
#include "model/model_use.h"
#include "parser/parser.h"
#include "tests/consolidate/consolidate_fixture.h"
#include "tests/support/scripted_model.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

// The numbers of the facts in a request to decide, and their texts.
std::vector<std::pair<std::int64_t, std::string>> facts_in(const ModelRequest& request) {
  std::vector<std::pair<std::int64_t, std::string>> facts;
  const size_t begin = request.input.find("<facts>\n"), end = request.input.find("</facts>");
  std::istringstream lines(request.input.substr(begin, end - begin));
  for (std::string line; std::getline(lines, line);)
    if (const auto json = parse_json(line); json && json->find("n"))
      facts.emplace_back(*json->find("n")->as_integer(), json->text_at("text"));
  return facts;
}

std::string add_of(std::int64_t number, const std::string& text) {
  Json operation = Json::object();
  operation.set("op", "ADD");
  operation.set("facts", Json(Json::Array{Json(number)}));
  for (const char* key : {"target", "into", "of"}) operation.set(key, 0);
  operation.set("text", text);
  operation.set("about", Json::array());
  operation.set("kind", "none");
  operation.set("why", "");
  return to_string(operation);
}

// Adds every fact as it is, gives no keys and promotes nothing.
Result<std::string> add_everything(const ModelRequest& request) {
  if (request.task.starts_with("promote/")) return R"({"lines":[]})";
  if (request.task.starts_with("keys/")) return R"({"facts":[]})";
  if (request.task == verify_prompt_version) return R"({"problems":[]})";
  std::string operations;
  for (const auto& [number, text] : facts_in(request)) operations += (operations.empty() ? "" : ",") + add_of(number, text);
  return R"({"operations":[)" + operations + "]}";
}

class ConsolidatorTest : public ConsolidateTest {
 protected:
  void use_model(const std::string& settings = {}, const std::string& vault_settings = {}) {
    folder.write(
        "home/.config/loci/config.toml",
        "[consolidation]\nmodel = \"scripted\"\n" + settings +
            "\n[models.scripted]\nprovider = \"ollama\"\nmodel = \"x\"\nmax_tokens_a_day = " + std::to_string(tokens_a_day) + "\n");
    if (!vault_settings.empty()) write(".loci/config.toml", vault_settings);
    memory.emplace(open());
    model.answer_always(add_everything);
  }

  Consolidated consolidate_now(ConsolidateOptions options = {
                                   .force = true, .dry_run = false, .rebuild = false, .stop = {}, .progress = {}}) {
    const auto lend = [this]() -> Result<std::unique_ptr<LanguageModel>> { return std::make_unique<Borrowed>(model); };
    auto done = consolidate(*memory, lend, options);
    if (!done) ADD_FAILURE() << done.error().message;
    clock.advance(std::chrono::minutes(1));
    return done ? std::move(*done) : Consolidated{};
  }
  Consolidated dry_run() { return consolidate_now({.force = true, .dry_run = true, .rebuild = false, .stop = {}, .progress = {}}); }

  std::vector<std::string> durable() {
    std::vector<std::string> texts;
    for (const DurableEntry& entry : material().entries) texts.push_back(entry.text);
    std::ranges::sort(texts);
    return texts;
  }
  ModelUse use() { return read_model_use(real_file_system(), memory->vault().state_folder(), clock.local_date(clock.now())); }

  // The model that the test holds, for one run.
  class Borrowed final : public LanguageModel {
   public:
    explicit Borrowed(ScriptedModel& model) : model_(model) {}
    Result<ModelAnswer> ask(const ModelRequest& request, std::stop_token stop) override { return model_.ask(request, stop); }
    std::int64_t tokens_to_send(const ModelRequest& request) const override { return model_.tokens_to_send(request); }
    const std::string& name() const override { return model_.name(); }

   private:
    ScriptedModel& model_;
  };

  ScriptedModel model;
  std::int64_t tokens_a_day = 100'000;
};

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
  EXPECT_EQ(planned.calls, static_cast<std::int64_t>(model.requests().size()));
  EXPECT_NEAR(static_cast<double>(planned.tokens), static_cast<double>(sent), 0.1 * static_cast<double>(sent));
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

// An answer with these operations: {"op","facts":"[1]","target","text","kind", …}; what is not named is blank.
std::string answer_of(const std::vector<std::map<std::string, std::string>>& operations) {
  std::string list;
  for (const auto& named : operations) {
    std::map<std::string, std::string> all = {{"op", "\"ADD\""}, {"facts", "[]"}, {"target", "0"},      {"into", "0"},  {"of", "0"},
                                              {"text", "\"\""},  {"about", "[]"}, {"kind", "\"none\""}, {"why", "\"\""}};
    for (const auto& [name, value] : named)
      all[name] =
          value.starts_with('[') || value.find_first_not_of("0123456789") == std::string::npos ? value : "\"" + value + "\"";
    std::string members;
    for (const auto& [name, value] : all) members += (members.empty() ? "" : ",") + ("\"" + name + "\":") + value;
    list += (list.empty() ? "{" : ",{") + members + "}";
  }
  return R"({"operations":[)" + list + "]}";
}

// Decides by a list of answers, mends by another one; reads with a list of problems, and promotes nothing.
struct Script {
  std::string decided, mended = {}, problems = R"({"problems":[]})";

  Result<std::string> operator()(const ModelRequest& request) const {
    if (request.task == decide_prompt_version) return decided;
    if (request.task == mend_prompt_version) return mended.empty() ? decided : mended;
    if (request.task == verify_prompt_version) return problems;
    return add_everything(request);
  }
};

// What was asked but for the core.
std::vector<std::string> tasks_of(const ScriptedModel& model) {
  std::vector<std::string> tasks;
  for (const ModelRequest& request : model.requests())
    if (!request.task.starts_with("promote")) tasks.push_back(request.task);
  return tasks;
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

// Twelve topics of which none is near another, beside too much for one call.
void say_a_dozen(const std::function<void(const std::string&)>& say) {
  for (const char* topic :
       {"bees", "canoe", "fridge", "ladder", "museum", "orchard", "piano", "quilt", "rowing", "sauna", "tulips", "violin"})
    say(std::string("Knows much about the ") + topic + ".");
}

TEST_F(ConsolidatorTest, SmallClustersShareACall) {
  use_model("cluster_max = 8");
  say_a_dozen([&](const std::string& text) { say(text, Source::user); });
  EXPECT_FALSE(consolidate_now().failure);
  EXPECT_EQ(std::ranges::count(tasks_of(model), decide_prompt_version), 2);
  EXPECT_THAT(durable(), SizeIs(12));
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

// --- what consolidation is for: obvious answers and awkward ones ---

TEST_F(ConsolidatorTest, ANewEmployerTakesThePlaceOfTheOldOneWhichIsToldAsThePast) {
  use_model();
  struct Row {
    const char *before, *entry, *now, *text;
  };
  for (const Row& row :
       {Row{"I work at Google.", "Works at Google.", "I just joined Microsoft.", "Works at Microsoft; previously at Google."},
        Row{"Ana works at Siemens.", "Ana works at Siemens.", "Ana joined Bosch.", "Ana joined Bosch after a time at Siemens."},
        Row{"Ben is with Airbus.", "Ben is with Airbus.", "Ben is with Safran now.",
            "Safran is Ben's employer now (before that: Airbus)."}}) {
    say(row.before, Source::user);
    model.answer_always(Script{answer_of({{{"facts", "[1]"}, {"text", row.entry}}})});
    ASSERT_FALSE(consolidate_now().failure);
    say(row.now, Source::user);
    const std::string target = std::to_string(1 + material().entries.size());
    model.answer_always(
        Script{answer_of({{{"op", "REPLACE"}, {"facts", "[1]"}, {"target", target}, {"text", row.text}, {"kind", "change"}}})});
    ASSERT_FALSE(consolidate_now().failure);
    EXPECT_THAT(durable(), testing::Contains(row.text));
    EXPECT_THAT(read(file), HasSubstr("\"history\":[{\"day\":"));
  }
  EXPECT_THAT(durable(), SizeIs(3));
}

TEST_F(ConsolidatorTest, OtherWordsAndOtherLanguagesMakeOneEntry) {
  use_model();
  say("Works at Microsoft.", Source::user);
  say("Is employed by Microsoft.", Source::user);
  say("Arbeitet bei Microsoft.", Source::user);
  model.answer_always(Script{
      answer_of({{{"facts", "[1]"}, {"text", "Works at Microsoft."}}, {{"op", "DUPLICATE"}, {"facts", "[2,3]"}, {"of", "1"}}})});
  ASSERT_FALSE(consolidate_now().failure);
  EXPECT_THAT(durable(), ElementsAre("Works at Microsoft."));
  EXPECT_THAT(material().entries.at(0).from, SizeIs(3));
}

TEST_F(ConsolidatorTest, APlainWordCorrectsANameAndWhatWasWrongIsDeleted) {
  use_model();
  const std::string wrong = say("My brother is called Jon.", Source::user);
  model.answer_always(Script{answer_of({{{"facts", "[1]"}, {"text", "Brother is called Jon."}}})});
  ASSERT_FALSE(consolidate_now().failure);
  say("My brother is called John, not Jon.", Source::user);
  model.answer_always(Script{answer_of(
      {{{"op", "REPLACE"}, {"facts", "[1]"}, {"target", "2"}, {"text", "Brother is called John."}, {"kind", "correction"}}})});
  ASSERT_FALSE(consolidate_now().failure);
  EXPECT_THAT(durable(), ElementsAre("Brother is called John."));
  EXPECT_THAT(read(file), Not(HasSubstr("Jon.")));
  EXPECT_THAT(material().ended, testing::Contains(wrong));
}

TEST_F(ConsolidatorTest, TwoTopicsStayTwoEntries) {
  use_model();
  say("I keep bees.", Source::user);
  say("I deploy on Fridays.", Source::user);
  model.answer_always(
      Script{answer_of({{{"facts", "[1]"}, {"text", "Keeps bees."}}, {{"facts", "[2]"}, {"text", "Deploys on Fridays."}}})});
  ASSERT_FALSE(consolidate_now().failure);
  EXPECT_THAT(durable(), ElementsAre("Deploys on Fridays.", "Keeps bees."));
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

class Rebuild : public ConsolidatorTest {
 protected:
  Rebuild() {
    use_model("cluster_max = 5");
    for (int i = 0; i < 20; ++i) say("Fact " + std::to_string(i) + " about subject " + std::to_string(i % 4) + " of the list.");
    EXPECT_FALSE(consolidate_now().failure);
    before = read(file);
  }

  Consolidated rebuild() {
    return consolidate_now({.force = false, .dry_run = false, .rebuild = true, .stop = {}, .progress = {}});
  }
  static bool is_of_refused_cluster(const ModelRequest& request) { return request.input.contains("Fact 0 about"); }
  void refuse_one_cluster() {
    model.answer_always([](const ModelRequest& request) -> Result<std::string> {
      if (request.task.starts_with("decide/") && is_of_refused_cluster(request)) return "no";
      return add_everything(request);
    });
  }
  void accept_all() { model.answer_always(add_everything); }

  std::string before;
};

TEST_F(Rebuild, IsAllOrNothing) {
  refuse_one_cluster();
  const auto failed = rebuild();
  ASSERT_TRUE(failed.failure);
  EXPECT_THAT(failed.failure->message, HasSubstr("nothing was changed yet"));
  EXPECT_EQ(read(file), before);
  EXPECT_THAT(material().facts, IsEmpty());
  EXPECT_THAT(material().entries, SizeIs(20));
}

TEST_F(Rebuild, GoesOnWithTheClustersThatAreNotDecidedYet) {
  refuse_one_cluster();
  ASSERT_TRUE(rebuild().failure);
  const size_t asked = model.requests().size();
  accept_all();
  ASSERT_FALSE(rebuild().failure);
  for (size_t i = asked; i < model.requests().size(); ++i) {
    const ModelRequest& request = model.requests()[i];
    EXPECT_TRUE(!request.task.starts_with("decide/") || is_of_refused_cluster(request)) << request.input;
  }
  EXPECT_THAT(material().entries, SizeIs(20));
  EXPECT_FALSE(consolidate_now().gates.open()) << "nothing is pending";
}

TEST_F(Rebuild, KeepsOrdinaryRunsAwayUntilItIsDoneOrGivenUp) {
  refuse_one_cluster();
  ASSERT_TRUE(rebuild().failure);
  say("Said meanwhile.");
  EXPECT_THAT(consolidate_now().gates.closed, ElementsAre(testing::Field(&Gate::name, "rebuild")));
  EXPECT_TRUE(abandon_rebuild(memory->vault()).value());
  EXPECT_FALSE(abandon_rebuild(memory->vault()).value());
  accept_all();
  EXPECT_TRUE(consolidate_now().ran);
  EXPECT_THAT(material().entries, SizeIs(21));
}

TEST_F(Rebuild, TakesInWhatWasSaidWhileItWaited) {
  refuse_one_cluster();
  ASSERT_TRUE(rebuild().failure);
  say("Said meanwhile.");
  accept_all();
  ASSERT_FALSE(rebuild().failure);
  EXPECT_THAT(durable(), testing::Contains("Said meanwhile."));
  EXPECT_THAT(material().facts, IsEmpty());
}

}  // namespace
}  // namespace loci
