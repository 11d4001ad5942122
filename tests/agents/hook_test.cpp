#include "agents/hook.h"

#include <gmock/gmock.h>

#include "agents/hook_proof.h"
#include "agents/hook_session.h"
#include "agents/spool.h"
#include "capture/pauses.h"
#include "memory/may_send.h"
#include "tests/memory/memory_fixture.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The hooks of one agent on one vault: what it says at its events, and what is in the archive afterwards.
class Hooks : public MemoryTest {
 protected:
  bool prompt(Memory& memory, const std::string& text, const std::string& id = "p1") {
    return record(memory, {.event = HookEvent::user_prompt_submit, .session = "s1", .message = id, .prompt = text});
  }
  void answer(Memory& memory, const std::string& text, const std::string& id = "p1") {
    record(memory, {.event = HookEvent::stop, .session = "s1", .message = id, .answer = text});
  }
  bool record(Memory& memory, HookInput input) {
    const std::vector<path> transcripts{folder / "agent"};
    const auto recorded = record_hook(memory.vault(), input, Actor::person, transcripts);
    EXPECT_TRUE(recorded) << recorded.error().message;
    clock.advance(std::chrono::milliseconds(10));
    return recorded.value_or(false);
  }

  // "1 user: text", in the order of the conversation, once everything is drained.
  std::vector<std::string> said(Memory& memory) {
    const auto drained = drain_spool(memory, {}, std::chrono::milliseconds(0));
    EXPECT_TRUE(drained) << drained.error().message;
    EXPECT_TRUE(memory.bring_up_to_date());
    EntryFilter filter;
    filter.kinds = {EntryKind::turn};
    std::vector<std::string> lines;
    const auto entries = memory.reader().value()->list(filter, 100).value();
    for (const Entry& entry : entries) lines.push_back(std::to_string(*entry.turn) + ' ' + entry.role + ": " + entry.text);
    std::ranges::sort(lines);
    return lines;
  }
};

TEST_F(Hooks, APromptAndItsAnswerBecomeOneTurn) {
  auto memory = open();
  EXPECT_TRUE(prompt(memory, "My bike is green."));
  answer(memory, "Noted.");
  EXPECT_EQ(count_spooled(memory.vault()), 2u);
  EXPECT_THAT(said(memory), ElementsAre("0 assistant: Noted.", "0 user: My bike is green."));
  EXPECT_EQ(count_spooled(memory.vault()), 0u);
}

TEST_F(Hooks, WhatIsEnqueuedTwiceIsStoredOnce) {
  auto memory = open();
  prompt(memory, "My bike is green.");
  prompt(memory, "My bike is green.");
  answer(memory, "Noted.");
  answer(memory, "Noted.");
  EXPECT_THAT(said(memory), ElementsAre("0 assistant: Noted.", "0 user: My bike is green."));
}

TEST_F(Hooks, AnAgentThatStopsAgainAtTheSamePromptHasSaidAnotherThing) {
  auto memory = open();
  prompt(memory, "Go on until it is done.");
  answer(memory, "Half of it.");
  answer(memory, "All of it.");
  answer(memory, "All of it.");
  EXPECT_THAT(said(memory), ElementsAre("0 assistant: All of it.", "0 assistant: Half of it.", "0 user: Go on until it is done."));
}

TEST_F(Hooks, WhatAnAgentSaysOnceMoreAtTheSamePromptIsAnotherAnswerIfItSaidSomethingElseBetween) {
  auto memory = open();
  prompt(memory, "Go on until it is done.");
  const std::vector<std::string> answers{"Waiting.", "Waiting.", "Still.", "Waiting.", "1", "2", "3", "4", "5", "6", "7", "8"};
  for (const std::string& said_now : answers) {
    answer(memory, said_now);
    said(memory);
  }
  prompt(memory, "Go on until it is done.");
  const auto lines = said(memory);
  EXPECT_THAT(lines, testing::SizeIs(12));
  EXPECT_THAT(lines, testing::IsSupersetOf({"0 assistant: Waiting.", "0 user: Go on until it is done.", "0 assistant: Still.",
                                            "0 assistant: Waiting.", "0 assistant: 8"}));
}

TEST_F(Hooks, OtherWordsUnderTheIdOfAPromptAreAnotherPrompt) {
  auto memory = open();
  prompt(memory, "Is it green?");
  prompt(memory, "Is it blue?");
  answer(memory, "It is.");
  prompt(memory, "Is it green?");
  EXPECT_THAT(said(memory), ElementsAre("0 assistant: It is.", "0 user: Is it blue?", "0 user: Is it green?"));
}

TEST_F(Hooks, APromptThatIsToldAgainAndAsksForNoMemoryNowIsForgotten) {
  const std::string words = "The party is on Friday.";
  auto memory = open();
  record(memory, {.event = HookEvent::user_prompt_submit, .session = "s2", .message = "p", .prompt = words});
  for (const bool is_stored : {false, true}) {
    const std::string id = is_stored ? "p2" : "p1";
    prompt(memory, words, id);
    if (is_stored) {
      EXPECT_THAT(said(memory), ElementsAre("0 user: " + words, "0 user: " + words));
    }
    EXPECT_FALSE(prompt(memory, words + " #nomemory", id));
    answer(memory, "I will keep it to myself.", id);
    EXPECT_THAT(said(memory), ElementsAre("0 user: " + words)) << "in the other conversation";
  }
}

TEST_F(Hooks, WhateverIsSaidAtAPromptIsAsPrivateAsTheStrictestOfItsWords) {
  folder.write("vault/.loci/config.toml", "[privacy]\nnever_send = [\"#private\"]\n");
  auto memory = open();
  prompt(memory, "My pin is 1.");
  answer(memory, "Noted, 1.");
  answer(memory, "It is 1, I am sure.");
  prompt(memory, "My pin is 1. #private");
  prompt(memory, "Is it green?", "p2");
  EXPECT_THAT(said(memory), testing::SizeIs(5));
  Sendable sendable(memory);
  std::vector<std::string> seen;
  const auto entries = memory.reader().value()->list({}, 100).value();
  for (const Entry& entry : entries)
    if (sendable.may_send(entry).value()) seen.push_back(entry.text);
  EXPECT_THAT(seen, ElementsAre("Is it green?"));
}

TEST_F(Hooks, AnAnswerGoesToThePromptThatTheAgentNamesThoughAnotherOneCameMeanwhile) {
  auto memory = open();
  prompt(memory, "My bike is green.", "p1");
  prompt(memory, "Where is the key? #nomemory", "p2");
  prompt(memory, "And my car is red.", "p3");
  answer(memory, "It is under the mat.", "p2");
  answer(memory, "Green, then.", "p1");
  answer(memory, "And red.", "p3");
  EXPECT_THAT(said(memory), ElementsAre("0 assistant: Green, then.", "0 user: My bike is green.", "1 assistant: And red.",
                                        "1 user: And my car is red."));
}

TEST_F(Hooks, PromptsOfAnAgentWithoutIdsAreToldApartByTheirCount) {
  auto memory = open();
  prompt(memory, "yes", "");
  answer(memory, "One.", "");
  prompt(memory, "yes", "");
  answer(memory, "Two.", "");
  EXPECT_THAT(said(memory), ElementsAre("0 assistant: One.", "0 user: yes", "1 assistant: Two.", "1 user: yes"));
}

TEST_F(Hooks, OfAnAgentWithoutIdsAnAnswerToAPromptThatNobodyHasSeenIsNotStored) {
  auto memory = open();
  answer(memory, "A secret.", "");
  prompt(memory, "Hello.", "");
  answer(memory, "Hi.", "");
  folder.write("agent/s1.jsonl", R"({"type":"user","message":{"content":"Where is the key? #nomemory"}})"
                                 "\n"
                                 R"({"type":"assistant","message":{"content":[{"type":"text","text":"Under the mat."}]}})"
                                 "\n");
  record(memory, {.event = HookEvent::stop, .session = "s1", .answer = "Under the mat.", .transcript = folder / "agent/s1.jsonl"});
  record(memory, {.event = HookEvent::stop, .session = "s1", .prompt = "And now? #nomemory", .answer = "Still there."});
  prompt(memory, "Again.", "");
  answer(memory, "Hi again.", "");
  EXPECT_THAT(said(memory), ElementsAre("0 assistant: Hi.", "0 user: Hello.", "1 assistant: Hi again.", "1 user: Again."));
}

TEST_F(Hooks, OfAnAgentWithoutIdsEveryAnswerToAPromptIsStoredOnce) {
  auto memory = open();
  prompt(memory, "Work.", "");
  for (const char* words : {"First.", "First.", "Second.", "Second.", "First.", "Third."}) answer(memory, words, "");
  prompt(memory, "Where is the key? #nomemory", "");
  for (const char* words : {"Under the mat.", "Or in the shed."}) answer(memory, words, "");
  prompt(memory, "Go on.", "");
  answer(memory, "Under the mat.", "");  // may be one of those told again
  answer(memory, "First.", "");
  EXPECT_THAT(said(memory), ElementsAre("0 assistant: First.", "0 assistant: Second.", "0 assistant: Third.", "0 user: Work.",
                                        "1 assistant: First.", "1 user: Go on."));
}

TEST_F(Hooks, OfAnAgentWithoutIdsTheSameAnswerIsAnotherOneIfAPromptCameBetween) {
  auto memory = open();
  for (const char* asked : {"Go on.", "Go on.", "And the tests?"}) {
    prompt(memory, asked, "");
    answer(memory, "Done.", "");
    answer(memory, "Done.", "");
  }
  EXPECT_THAT(said(memory), ElementsAre("0 assistant: Done.", "0 user: Go on.", "1 assistant: Done.", "1 user: Go on.",
                                        "2 assistant: Done.", "2 user: And the tests?"));
}

TEST_F(Hooks, OfAnAgentWithoutIdsAnAnswerInTheWordsOfTheOneBeforeKeepsNoOtherOut) {
  auto memory = open();
  prompt(memory, "Is it green?", "");
  answer(memory, "It is.", "");
  prompt(memory, "And blue?", "");
  answer(memory, "It is.", "");  // this one, or the one before told again: nobody can know
  answer(memory, "Blue as well.", "");
  EXPECT_THAT(said(memory), ElementsAre("0 assistant: It is.", "0 user: Is it green?", "1 assistant: Blue as well.",
                                        "1 assistant: It is.", "1 user: And blue?"));
}

TEST_F(Hooks, OfAnAgentWithoutIdsAnAnswerThatMayNotBeRememberedIsNotStoredForTheNextPromptEither) {
  auto memory = open();
  prompt(memory, "Where is the key? #nomemory", "");
  answer(memory, "Under the mat.", "");
  prompt(memory, "Is it green?", "");
  answer(memory, "Under the mat.", "");
  answer(memory, "It is.", "");
  prompt(memory, "Where did I lose it?", "");
  answer(memory, "Under the mat.", "");
  EXPECT_THAT(said(memory), ElementsAre("0 assistant: It is.", "0 user: Is it green?", "1 assistant: Under the mat.",
                                        "1 user: Where did I lose it?"));
}

TEST_F(Hooks, OfAnAgentWithoutIdsATranscriptThatLagsBehindTellsNothingOfTheSameAnswer) {
  auto memory = open();
  const auto stop = [&] {
    record(memory, {.event = HookEvent::stop, .session = "s1", .answer = "Done.", .transcript = folder / "agent/s1.jsonl"});
  };
  const auto done = [](const std::string& asked) {
    return R"({"type":"user","message":{"content":")" + asked + "\"}}\n" +
           R"({"type":"assistant","message":{"content":[{"type":"text","text":"Done."}]}})" + "\n";
  };
  std::string before;
  for (const char* asked : {"Go on.", "And the tests?", "Is that all?"}) {
    folder.write("agent/s1.jsonl", before);
    prompt(memory, asked, "");
    stop();
    before += done(asked);
  }
  EXPECT_THAT(said(memory), ElementsAre("0 assistant: Done.", "0 user: Go on.", "1 assistant: Done.", "1 user: And the tests?",
                                        "2 assistant: Done.", "2 user: Is that all?"));
}

TEST_F(Hooks, OfAnAgentWithoutIdsAnAnswerGoesToThePromptWhoseWordsTheAgentOrItsTranscriptTells) {
  auto memory = open();
  folder.write("agent/s1.jsonl", R"({"type":"user","message":{"content":"Is it green?"}})"
                                 "\n"
                                 R"({"type":"assistant","message":{"content":[{"type":"text","text":"It is."}]}})"
                                 "\n"
                                 R"({"type":"user","message":{"content":"And blue?"}})"
                                 "\n");
  prompt(memory, "Is it green?", "");
  prompt(memory, "And blue?", "");
  record(memory, {.event = HookEvent::stop, .session = "s1", .answer = "It is.", .transcript = folder / "agent/s1.jsonl"});
  prompt(memory, "And red?", "");
  record(memory, {.event = HookEvent::stop, .session = "s1", .prompt = "And blue?", .answer = "It is."});
  record(memory, {.event = HookEvent::stop, .session = "s1", .prompt = "And red?", .answer = "It is."});
  EXPECT_THAT(said(memory), ElementsAre("0 assistant: It is.", "0 user: Is it green?", "1 assistant: It is.", "1 user: And blue?",
                                        "2 assistant: It is.", "2 user: And red?"));
}

TEST_F(Hooks, AnAnswerThatTheHookDoesNotSayComesFromTheTranscript) {
  auto memory = open();
  folder.write("agent/s1.jsonl", R"({"type":"user","promptId":"p1","message":{"content":"What is the plan?"}})"
                                 "\n"
                                 R"({"type":"assistant","message":{"content":[{"type":"text","text":"We sail on Monday."}]}})"
                                 "\n");
  prompt(memory, "What is the plan?");
  record(memory, {.event = HookEvent::stop, .session = "s1", .message = "p1", .transcript = folder / "agent/s1.jsonl"});
  EXPECT_THAT(said(memory), ElementsAre("0 assistant: We sail on Monday.", "0 user: What is the plan?"));
}

TEST_F(Hooks, HoweverLongAnAnswerAndWhatStandsBeforeItAreTheTranscriptHasItAndItsPrompt) {
  auto memory = open();
  const std::string wide(300'000, 'x');
  const auto line = [](const std::string& id, const std::string& role, const std::string& text) {
    return R"({"type":")" + role + R"(","promptId":")" + id + R"(","message":{"content":[{"type":"text","text":")" + text +
           "\"}]}}\n";
  };
  const std::string tool = R"({"type":"user","message":{"content":[{"type":"tool_result","content":")" + wide + "\"}]}}\n";
  prompt(memory, "Write it out.", "p1");
  folder.write("agent/s1.jsonl", line("p1", "user", "Write it out.") + line("p1", "assistant", wide));
  record(memory, {.event = HookEvent::stop, .session = "s1", .message = "p1", .transcript = folder / "agent/s1.jsonl"});
  folder.write("agent/s1.jsonl", line("p2", "user", "Read it.") + tool + line("p2", "assistant", "I have."));
  record(memory, {.event = HookEvent::stop, .session = "s1", .message = "p2", .transcript = folder / "agent/s1.jsonl"});
  EXPECT_THAT(said(memory),
              ElementsAre("0 assistant: " + wide, "0 user: Write it out.", "1 assistant: I have.", "1 user: Read it."));
}

TEST_F(Hooks, APromptFromBeforeTheHooksWereThereComesFromTheTranscript) {
  auto memory = open();
  folder.write("agent/s1.jsonl", R"({"type":"user","promptId":"p7","message":{"content":"What is the plan?"}})"
                                 "\n");
  record(memory,
         {.event = HookEvent::stop, .session = "s1", .message = "p7", .answer = "Tea.", .transcript = folder / "agent/s1.jsonl"});
  EXPECT_THAT(said(memory), ElementsAre("0 assistant: Tea.", "0 user: What is the plan?"));
}

TEST_F(Hooks, WhatWasSaidInAPauseIsKnownAgainInACopyOfItsTranscript) {
  auto memory = open();
  ASSERT_TRUE(begin_pause(memory.vault(), "s1", {}));
  const Instant before = clock.now(), said_at = before + std::chrono::milliseconds(5);
  clock.advance(std::chrono::milliseconds(20));
  folder.write("agent/s1.jsonl", R"({"type":"user","promptId":"p1","timestamp":")" + format_rfc3339(said_at) +
                                     R"(","message":{"content":"yes"}})" + "\n");
  prompt(memory, "yes");
  EXPECT_TRUE(KeptOut::read(memory.vault()).value().was_kept_out("yes", said_at));
  EXPECT_TRUE(KeptOut::read(memory.vault()).value().was_kept_out("yes", said_at + std::chrono::milliseconds(1)));
  record(memory,
         {.event = HookEvent::stop, .session = "s1", .message = "p1", .answer = "Safe.", .transcript = folder / "agent/s1.jsonl"});
  EXPECT_TRUE(KeptOut::read(memory.vault()).value().was_kept_out("yes", said_at));
  EXPECT_FALSE(KeptOut::read(memory.vault()).value().was_kept_out("yes", said_at + std::chrono::milliseconds(1)));
  EXPECT_THAT(said(memory), IsEmpty());
}

TEST_F(Hooks, WhatATranscriptHasFromAPauseStaysOut) {
  auto memory = open();
  const auto stop = [&](const std::string& at) {
    folder.write("agent/s1.jsonl",
                 R"({"type":"user","promptId":"p7","timestamp":")" + at + R"(","message":{"content":"A secret."}})" + "\n");
    record(
        memory,
        {.event = HookEvent::stop, .session = "s1", .message = "p7", .answer = "Safe.", .transcript = folder / "agent/s1.jsonl"});
  };
  ASSERT_TRUE(begin_pause(memory.vault(), "", std::chrono::hours(1)));
  const std::string meanwhile = format_rfc3339(clock.now() + std::chrono::minutes(30));
  clock.advance(std::chrono::hours(2));
  stop(meanwhile);
  EXPECT_THAT(said(memory), IsEmpty());
}

TEST_F(Hooks, WhatIsAnsweredToWordsThatTheTranscriptHidesGoesToNoEarlierPrompt) {
  auto memory = open();
  const auto line = [](const std::string& role, const std::string& text) {
    return R"({"type":"response_item","payload":{"type":"message","role":")" + role +
           R"(","content":[{"type":"input_text","text":")" + text + "\"}]}}\n";
  };
  const std::string before = line("user", "My bike is green.") + line("assistant", "Noted.");
  const std::string cut = line("user", "My pin is 1 #nomemory").substr(0, 120) + '\n';
  for (const std::string& asked : {line("user", "/review my pin #nomemory"), cut})
    for (const std::string id : {"p9", ""}) {
      folder.write("agent/s.jsonl", before + asked + line("assistant", "Your pin is 1."));
      record(memory, {.event = HookEvent::stop,
                      .session = "s1",
                      .message = id,
                      .answer = "Your pin is 1.",
                      .transcript = (folder / "agent/s.jsonl").string()});
      EXPECT_THAT(said(memory), IsEmpty()) << asked;
    }
}

TEST_F(Hooks, CommandsOfTheAgentAndSubagentsAreNotStored) {
  auto memory = open();
  EXPECT_FALSE(prompt(memory, "/review the parser"));
  answer(memory, "The parser is fine.");
  record(memory, {.event = HookEvent::user_prompt_submit, .session = "s1", .message = "p2", .prompt = "look", .is_subagent = true});
  EXPECT_THAT(said(memory), IsEmpty());
}

TEST_F(Hooks, OfAPromptThatSaysNoMemoryNothingIsWrittenAnywhere) {
  auto memory = open();
  EXPECT_FALSE(prompt(memory, "The surprise party is on Friday. #nomemory"));
  answer(memory, "I will keep the surprise to myself.");
  EXPECT_THAT(said(memory), IsEmpty());
  for (const auto& [file, bytes] : folder.contents()) EXPECT_FALSE(bytes.contains("surprise")) << file;
  EXPECT_TRUE(prompt(memory, "And the cake?", "p2"));
}

TEST_F(Hooks, UntilATurnWithNoMemoryIsOverAnAgentWritesNothingThatMayBeFromIt) {
  auto memory = open();
  const auto may_write = [&](const std::string& session) {
    return check_no_pause(memory.vault(), Actor::agent, session).has_value();
  };
  const std::vector<HookEvent> ends{HookEvent::stop, HookEvent::user_prompt_submit, HookEvent::session_end};
  record(memory, {.event = HookEvent::user_prompt_submit, .session = "s2", .message = "p0", .prompt = "Of another conversation."});
  said(memory);
  for (const HookEvent end : ends) {
    const std::string id = "p" + std::to_string(static_cast<int>(end));
    EXPECT_FALSE(prompt(memory, "The party is a secret. #nomemory", id));
    EXPECT_FALSE(may_write("s1"));
    EXPECT_FALSE(may_write("")) << "it may be of that turn";
    EXPECT_FALSE(may_write(" \t")) << "a blank is no name";
    EXPECT_FALSE(may_write("made up")) << "of which nothing was ever said";
    EXPECT_TRUE(may_write("s2"));
    EXPECT_TRUE(check_no_pause(memory.vault(), Actor::person, "s1"));
    record(memory, {.event = HookEvent::stop, .session = "s2", .answer = "Of another conversation."});
    EXPECT_FALSE(may_write("s1"));
    const bool is_answer = end == HookEvent::stop;
    record(memory, {.event = end, .session = "s1", .message = is_answer ? id : "after", .prompt = is_answer ? "" : "Go on."});
    EXPECT_TRUE(may_write("s1") && may_write("")) << name_of(end);
  }
}

TEST_F(Hooks, TheEndOfAnEarlierTurnWithNoMemoryEndsNoneThatCameAfterIt) {
  auto memory = open();
  const auto may_write = [&] { return check_no_pause(memory.vault(), Actor::agent, "s1").has_value(); };
  prompt(memory, "The party is a secret. #nomemory", "p1");
  prompt(memory, "And so is the cake. #nomemory", "p2");
  answer(memory, "The party is safe with me.", "p1");
  EXPECT_FALSE(may_write()) << "the second turn goes on";
  answer(memory, "So is the cake.", "p2");
  EXPECT_TRUE(may_write());
  answer(memory, "The party is safe with me.", "p1");
  EXPECT_THAT(said(memory), IsEmpty());
}

TEST_F(Hooks, WhatIsDeliveredTwiceIsOneTurnAlsoWhenItComesAfterItsEnd) {
  auto memory = open();
  const auto may_write = [&] { return check_no_pause(memory.vault(), Actor::agent, "s1").has_value(); };
  const auto lines = [&] {
    size_t count = 0;
    for (const auto& [file, bytes] : folder.contents("vault/.loci/pauses"))
      count += static_cast<size_t>(std::ranges::count(bytes, '\n'));
    return count;
  };
  for (int time = 0; time < 2; ++time) prompt(memory, "The party is a secret. #nomemory", "p1");
  EXPECT_EQ(lines(), 1u);
  for (int time = 0; time < 2; ++time) answer(memory, "It is safe with me.", "p1");
  EXPECT_EQ(lines(), 2u);
  prompt(memory, "The party is a secret. #nomemory", "p1");
  EXPECT_TRUE(may_write()) << "its turn is over";
  prompt(memory, "What is for tea?", "p2");
  answer(memory, "It is safe with me.", "p1");
  answer(memory, "Cake.", "p2");
  EXPECT_THAT(said(memory), ElementsAre("0 assistant: Cake.", "0 user: What is for tea?"));
}

TEST_F(Hooks, WhereAnotherHookMayHaveTheAgentGoOnATurnWithNoMemoryIsOverWhenTheNextBegins) {
  auto memory = open();
  const auto may_write = [&] { return check_no_pause(memory.vault(), Actor::agent, "s1").has_value(); };
  for (const HookEvent end : {HookEvent::user_prompt_submit, HookEvent::session_end}) {
    const std::string id = "p" + std::to_string(static_cast<int>(end));
    prompt(memory, "The party is a secret. #nomemory", id);
    for (const char* said : {"I run the tests first.", "Now it is done."}) {
      record(memory, {.event = HookEvent::stop, .session = "s1", .message = id, .answer = said, .may_go_on = true});
      EXPECT_FALSE(may_write()) << said;
    }
    record(memory, {.event = end, .session = "s1", .message = "after" + id, .prompt = "Hello."});
    EXPECT_TRUE(may_write()) << name_of(end);
  }
  EXPECT_THAT(said(memory), ElementsAre("0 user: Hello."));
}

TEST_F(Hooks, APauseOfATurnFromAnEarlierVersionEndsWithAnyEndInItsSession) {
  auto memory = open();
  folder.write("vault/.loci/pauses/before.jsonl", "{\"at\":\"" + format_rfc3339(clock.now()) +
                                                      "\",\"act\":\"pause\",\"session\":\"s1\",\"until\":\"" +
                                                      format_rfc3339(clock.now() + std::chrono::hours(5)) + "\",\"turn\":1}\n");
  EXPECT_FALSE(check_no_pause(memory.vault(), Actor::agent, "s1"));
  clock.advance(std::chrono::seconds(1));
  answer(memory, "Of course.", "p1");
  EXPECT_TRUE(check_no_pause(memory.vault(), Actor::agent, "s1"));
}

TEST_F(Hooks, WhatWasAskedInAPauseOrForNoMemoryIsNotedNowhere) {
  auto memory = open();
  prompt(memory, "Hello.", "p0");
  said(memory);
  const auto may = [&](const std::string& session, const std::string& question) {
    return may_be_noted(memory.vault(), session, question);
  };
  EXPECT_TRUE(may("s1", "Where is the cake?"));
  EXPECT_FALSE(may("s1", "Where is the cake? #nomemory"));
  ASSERT_TRUE(begin_pause(memory.vault(), "s9", {}));
  EXPECT_TRUE(may("s1", "Where is the cake?"));
  EXPECT_FALSE(may("s9", "Where is the cake?"));
  EXPECT_FALSE(may("", "Where is the cake?"));
}

TEST_F(Hooks, ATurnWithNoMemoryEndsNoPauseOfThePersonAndAnAgentThatDiedInOneIsWaitedForADay) {
  auto memory = open();
  ASSERT_TRUE(begin_pause(memory.vault(), "s1", {}));
  prompt(memory, "The party is a secret. #nomemory");
  answer(memory, "I see.");
  EXPECT_FALSE(check_no_pause(memory.vault(), Actor::agent, "s1"));
  ASSERT_TRUE(end_pause(memory.vault(), "s1").value());
  prompt(memory, "And so is the cake. #nomemory", "p2");
  clock.advance(std::chrono::hours(23));
  EXPECT_FALSE(check_no_pause(memory.vault(), Actor::agent, "s1"));
  clock.advance(std::chrono::hours(1));
  EXPECT_TRUE(check_no_pause(memory.vault(), Actor::agent, "s1"));
}

TEST_F(Hooks, AnAnswerToAnotherPromptIsStoredWhileATurnWithNoMemoryGoesOn) {
  auto memory = open();
  prompt(memory, "My bike is green.", "p1");
  prompt(memory, "The party is a secret. #nomemory", "p2");
  answer(memory, "Noted.", "p1");
  EXPECT_THAT(said(memory), ElementsAre("0 assistant: Noted.", "0 user: My bike is green."));
  EXPECT_FALSE(check_no_pause(memory.vault(), Actor::agent, "s1"));
}

TEST_F(Hooks, WhatIsSaidInAPauseIsNotStoredNorItsAnswerAfterwards) {
  auto memory = open();
  ASSERT_TRUE(begin_pause(memory.vault(), "", {}));
  EXPECT_FALSE(prompt(memory, "This is between us."));
  ASSERT_TRUE(end_pause(memory.vault(), ""));
  clock.advance(std::chrono::seconds(1));
  answer(memory, "Of course.");
  EXPECT_THAT(said(memory), IsEmpty());
  EXPECT_TRUE(prompt(memory, "Back again.", "p2"));
  EXPECT_THAT(said(memory), ElementsAre("0 user: Back again."));
}

TEST_F(Hooks, ATurnFromBeforeAPauseIsStoredThoughItIsTakenInLater) {
  auto memory = open();
  prompt(memory, "Said in time.");
  ASSERT_TRUE(begin_pause(memory.vault(), "", {}));
  clock.advance(std::chrono::seconds(1));
  EXPECT_THAT(said(memory), ElementsAre("0 user: Said in time."));
}

TEST_F(Hooks, WhatWasSaidBeforeAPauseIsStoredHoweverLongItsHooksTake) {
  auto memory = open();
  const Instant said_at = clock.now();
  clock.advance(std::chrono::seconds(1));
  ASSERT_TRUE(begin_pause(memory.vault(), "", {}));
  clock.advance(std::chrono::seconds(1));
  const auto hook = [&](HookEvent event, std::optional<Instant> told_at, const std::string& words, const std::string& message) {
    const bool is_prompt = event == HookEvent::user_prompt_submit;
    record(memory, {.event = event,
                    .session = "s1",
                    .message = message,
                    .prompt = is_prompt ? words : "",
                    .answer = is_prompt ? "" : words,
                    .told_at = told_at});
  };
  hook(HookEvent::user_prompt_submit, said_at, "Said in time.", "p1");
  hook(HookEvent::stop, said_at + std::chrono::milliseconds(500), "Heard.", "p1");
  hook(HookEvent::user_prompt_submit, {}, "Between us.", "p2");
  hook(HookEvent::stop, {}, "Of course.", "p2");
  EXPECT_THAT(said(memory), ElementsAre("0 assistant: Heard.", "0 user: Said in time."));
}

// Which came first is in no clock then.
TEST_F(Hooks, APauseHoldsThoughTheClockIsSetBackAndKeepsNothingOutThatWasHeardBefore) {
  auto memory = open();
  prompt(memory, "Said in time.", "p1");
  clock.advance(-std::chrono::hours(1));
  ASSERT_TRUE(begin_pause(memory.vault(), "", {}));
  clock.advance(-std::chrono::hours(1));
  EXPECT_FALSE(prompt(memory, "Between us.", "p2"));
  answer(memory, "Of course.", "p2");
  EXPECT_FALSE(check_no_pause(memory.vault(), Actor::agent, "s1"));
  EXPECT_THAT(said(memory), ElementsAre("0 user: Said in time."));
  EXPECT_TRUE(end_pause(memory.vault(), "").value());
  EXPECT_TRUE(prompt(memory, "Back again.", "p3"));
  EXPECT_TRUE(check_no_pause(memory.vault(), Actor::agent, "s1"));
  EXPECT_THAT(said(memory), ElementsAre("0 user: Said in time.", "1 user: Back again."));
}

TEST_F(Hooks, TheEndOfASessionWaitsForWhoeverSumsItUp) {
  auto memory = open();
  record(memory, {.event = HookEvent::session_end, .session = "s1"});
  record(memory, {.event = HookEvent::session_end, .session = "s1"});
  ASSERT_TRUE(drain_spool(memory, {}, std::chrono::milliseconds(0)));
  EXPECT_EQ(count_spooled(memory.vault()), 1u);
  std::vector<std::string> ended;
  const SpoolActions actions{.ended = [&](Memory& of, const std::string& session) {
    ended.push_back(session);
    ASSERT_TRUE(postpone_session_end(of.vault(), session));
  }};
  ASSERT_TRUE(drain_spool(memory, actions, std::chrono::milliseconds(0)));
  ASSERT_TRUE(drain_spool(memory, actions, std::chrono::milliseconds(0)));
  EXPECT_THAT(ended, ElementsAre("s1"));
  clock.advance(std::chrono::hours(2));
  ASSERT_TRUE(drain_spool(memory, actions, std::chrono::milliseconds(0)));
  EXPECT_THAT(ended, ElementsAre("s1", "s1"));
  ASSERT_TRUE(finish_session_end(memory.vault(), "s1"));
  EXPECT_EQ(count_spooled(memory.vault()), 0u);
}

TEST_F(Hooks, AnItemThatIsBrokenKeepsNothingElseBack) {
  auto memory = open();
  prompt(memory, "Still here.");
  folder.write(std::filesystem::relative(memory.vault().state_folder() / "spool/00.json", folder.path()).string(), "{broken");
  EXPECT_THAT(said(memory), ElementsAre("0 user: Still here."));
  EXPECT_EQ(count_spooled(memory.vault()), 0u);
}

TEST_F(Hooks, AnAnswerThatOvertakesItsPromptWaitsForIt) {
  auto memory = open();
  answer(memory, "Noted.", "p1");
  EXPECT_THAT(said(memory), IsEmpty());
  EXPECT_EQ(count_spooled(memory.vault()), 1u);
  prompt(memory, "My bike is green.", "p1");
  prompt(memory, "And my car is red.", "p2");
  EXPECT_THAT(said(memory), ElementsAre("0 assistant: Noted.", "0 user: My bike is green.", "1 user: And my car is red."));
  EXPECT_EQ(count_spooled(memory.vault()), 0u);
}

TEST_F(Hooks, AnAnswerThatOvertakesAPromptThatMayNotBeRememberedIsStoredNowhere) {
  auto memory = open();
  answer(memory, "It is under the mat.", "p1");
  answer(memory, "Compacted.", "p2");
  prompt(memory, "Where is the key? #nomemory", "p1");
  prompt(memory, "/compact", "p2");
  EXPECT_THAT(said(memory), IsEmpty());
  EXPECT_EQ(count_spooled(memory.vault()), 0u);
}

TEST_F(Hooks, OnlyWhoKnowsTheSecretOfTheStateFolderProvesAnAnswer) {
  auto memory = open();
  const std::string nonce = make_hook_nonce(), answer = R"({"hookSpecificOutput":{}})";
  const std::string proof = hook_proof(memory.vault(), nonce, answer).value();
  EXPECT_TRUE(is_hook_proof(memory.vault(), nonce, answer, proof));
  EXPECT_FALSE(is_hook_proof(memory.vault(), make_hook_nonce(), answer, proof));
  EXPECT_FALSE(is_hook_proof(memory.vault(), nonce, answer + " ", proof));
  EXPECT_FALSE(is_hook_proof(memory.vault(), nonce, answer, ""));
}

}  // namespace
}  // namespace loci
