#include "agents/hook_input.h"

#include <gtest/gtest.h>

namespace loci {
namespace {

TEST(HookInput, TheFieldsOfTheAgentsAreReadUnderEachOfTheirNames) {
  const auto claude =
      parse_hook_input(HookEvent::stop, R"({"session_id":"s","prompt_id":"p1","cwd":"/w","last_assistant_message":"Done.",
      "hook_event_name":"Stop","transcript_path":"/t.jsonl","effort":{"level":"high"}})");
  ASSERT_TRUE(claude) << claude.error().message;
  EXPECT_EQ(claude->session, "s");
  EXPECT_EQ(claude->message, "p1");
  EXPECT_EQ(claude->answer, "Done.");
  EXPECT_EQ(claude->working_folder, "/w");
  EXPECT_EQ(claude->transcript, "/t.jsonl");
  const auto codex = parse_hook_input(HookEvent::user_prompt_submit, R"({"session_id":"s","turn_id":"t9","prompt":"Hello"})");
  ASSERT_TRUE(codex);
  EXPECT_EQ(codex->message, "t9");
  EXPECT_EQ(codex->prompt, "Hello");
  const auto gemini = parse_hook_input(HookEvent::stop,
                                       R"({"session_id":"s","prompt":"Hi","prompt_response":"Ho","hook_event_name":"AfterAgent"})");
  ASSERT_TRUE(gemini);
  EXPECT_EQ(gemini->answer, "Ho");
  EXPECT_EQ(gemini->agents_event, "AfterAgent");
}

TEST(HookInput, AnAnswerHasTheTwoKeysThatEveryAgentKnowsAndNamesTheEventAsTheAgentDoes) {
  const auto input = parse_hook_input(HookEvent::user_prompt_submit, R"({"session_id":"s","hook_event_name":"BeforeAgent"})");
  EXPECT_EQ(to_string(hook_output(*input, "a \"b\"")),
            R"({"hookSpecificOutput":{"hookEventName":"BeforeAgent","additionalContext":"a \"b\""}})");
  const auto strange = parse_hook_input(HookEvent::session_start, R"({"session_id":"s","hook_event_name":"Stop"})");
  EXPECT_EQ(strange->agents_event, "SessionStart");
}

TEST(HookInput, WhatIsNoEventOfAnAgentIsRefused) {
  for (const char* bad : {"", "[]", "{", R"({"prompt":"x"})", R"({"session_id":7})", R"({"session_id":"  "})"})
    EXPECT_FALSE(parse_hook_input(HookEvent::stop, bad)) << bad;
}

TEST(HookInput, ATextThatNoEntryCouldHoldIsMadeOneThatItCan) {
  const std::string longer(std::size_t{3} << 20, 'x');
  const auto input = parse_hook_input(HookEvent::user_prompt_submit, R"({"session_id":"s","prompt":")" + longer + R"(\u00e4"})");
  ASSERT_TRUE(input);
  EXPECT_EQ(input->prompt.size(), std::size_t{1} << 20);
  const auto nul = parse_hook_input(HookEvent::user_prompt_submit, R"({"session_id":"s","prompt":"a\u0000b"})");
  ASSERT_TRUE(nul);
  EXPECT_FALSE(nul->prompt.contains('\0'));
}

TEST(HookInput, WhatGoesToADaemonIsReadThereAsItWas) {
  auto input =
      *parse_hook_input(HookEvent::session_start, R"({"session_id":"s","source":"compact","hook_event_name":"SessionStart"})");
  input.project = "loom";
  const auto read = parse_hook_input(HookEvent::session_start, to_string(to_json(input)));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->source, "compact");
  EXPECT_EQ(read->project, "loom");
  EXPECT_TRUE(read->is_enqueued);
}

TEST(HookInput, ACommandOfTheAgentIsToldFromAPathAndFromProse) {
  for (const char* command : {"/compact", "/review the parser", " /plugin:do-it x", "/a_b"})
    EXPECT_TRUE(is_slash_command(command)) << command;
  for (const char* prose : {"/etc/hosts is broken", "a /compact", "/", "// a comment", "", "/häuser"})
    EXPECT_FALSE(is_slash_command(prose)) << prose;
}

}  // namespace
}  // namespace loci
