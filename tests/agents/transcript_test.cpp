#include "agents/transcript.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/pauses.h"
#include "tests/support/temporary_folder.h"

namespace loci {
namespace {

using testing::SizeIs;

TEST(Transcript, TheTurnsOfClaudeCodeAreWhatThePersonAndTheAgentSaid) {
  const auto turns = turns_of_transcript(
      R"({"type":"summary","summary":"x"})"
      "\n"
      R"({"type":"user","promptId":"p1","message":{"role":"user","content":"My cat is called Bodo."}})"
      "\n"
      R"({"type":"assistant","message":{"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Let me look."},{"type":"tool_use","name":"Bash"}]}})"
      "\n"
      R"({"type":"user","promptId":"p1","message":{"role":"user","content":[{"type":"tool_result","content":"a secret file"}]}})"
      "\n"
      R"({"type":"user","isMeta":true,"message":{"role":"user","content":"Caveat: what follows"}})"
      "\n"
      R"({"type":"assistant","isSidechain":true,"message":{"content":[{"type":"text","text":"I am a subagent."}]}})"
      "\n"
      R"({"type":"assistant","message":{"content":[{"type":"text","text":"A fine name."}]}})"
      "\n"
      R"({"type":"user","message":{"role":"user","content":"<command-name>/compact</command-name>"}})"
      "\n"
      "{broken\n"
      R"({"type":"user","promptId":"p2","message":{"role":"user","content":[{"type":"text","text":"<system-reminder>be nice</system-reminder>And the dog?"}]}})");
  ASSERT_THAT(turns, SizeIs(2));
  EXPECT_EQ(turns[0].message, "p1");
  EXPECT_EQ(turns[0].user, "My cat is called Bodo.");
  EXPECT_EQ(turns[0].assistant, "A fine name.");
  EXPECT_EQ(turns[1].user, "And the dog?");
  EXPECT_EQ(turns[1].assistant, "");
}

TEST(Transcript, WhatIsAnsweredToWordsThatAreNotStoredGoesToNoOtherWords) {
  const auto user = [](const std::string& content) {
    return R"({"type":"user","message":{"role":"user","content":)" + content + "}}\n";
  };
  const auto answer = [](const std::string& text) {
    return R"({"type":"assistant","message":{"content":[{"type":"text","text":")" + text + "\"}]}}\n";
  };
  for (const char* hidden : {R"("<command-name>/review</command-name><command-args>#nomemory x</command-args>")",
                             R"("/review #nomemory x")", R"([{"type":"image","source":{}}])", R"("<memory-context #nomemory x")",
                             R"([{"type":"tool_result","content":"y"},{"type":"text","text":"#nomemory x"}])"}) {
    const auto turns = turns_of_transcript(user(R"("Hello.")") + answer("Hi.") + user(hidden) + answer("A secret."));
    ASSERT_THAT(turns, SizeIs(2)) << hidden;
    EXPECT_EQ(turns[0].assistant, "Hi.") << hidden;
    EXPECT_TRUE(turns[1].is_hidden && turns[1].user.empty() && turns[1].assistant.empty()) << hidden;
  }
}

TEST(Transcript, ANoteOfTheAgentsBetweenAPromptAndItsAnswerTakesNothingFromThem) {
  const auto said = [](const std::string& role, const std::string& text) {
    return R"({"type":"response_item","payload":{"type":"message","role":")" + role +
           R"(","content":[{"type":"input_text","text":")" + text + "\"}]}}\n";
  };
  const auto turns = turns_of_transcript(said("user", "Use tabs.") + said("user", "# AGENTS.md instructions for /w") +
                                         said("assistant", "Tabs it is."));
  ASSERT_THAT(turns, SizeIs(1));
  EXPECT_EQ(turns[0].user, "Use tabs.");
  EXPECT_EQ(turns[0].assistant, "Tabs it is.");
}

TEST(Transcript, WhatIsLeftOutOfAMessageIsNeverWhatAsksForNoMemory) {
  const auto said = [](const std::string& content) {
    return said_in_transcript(parse_json(R"({"type":"user","message":{"role":"user","content":)" + content + "}}").value());
  };
  for (const char* content :
       {R"("What does <memory-context> mean? My pin is 1 #nomemory")",
        R"("My pin is 1. <system-reminder> is a tag #nomemory <system-reminder>be nice</system-reminder>")",
        R"([{"type":"text","text":"My pin is 1"},{"type":"text","text":"of <user_instructions> #nomemory"}])"})
    EXPECT_TRUE(asks_for_no_memory(said(content).text)) << content;
  // What the agent put there is not the person's wish.
  EXPECT_EQ(said(R"("<system-reminder>they said #nomemory</system-reminder>Hello <b>you</b>")").text, "Hello <b>you</b>");
  EXPECT_EQ(said(R"("Hello.</system-reminder> <memory-context>- #nomemory</memory-context>")").text, "Hello.</system-reminder>");
}

TEST(Transcript, WhatAnAgentWritesAsAMessageOfThePersonsIsNothingThatWasSaid) {
  const auto user = [](const std::string& text) {
    return R"({"type":"user","message":{"role":"user","content":")" + text + "\"}}\n";
  };
  const auto answer = [](const std::string& text) {
    return R"({"type":"assistant","message":{"content":[{"type":"text","text":")" + text + "\"}]}}\n";
  };
  for (const char* note : {"<bash-input>ls</bash-input>", "<bash-stdout>a secret file</bash-stdout><bash-stderr></bash-stderr>",
                           "<task-notification>\\n<task-id>1</task-id></task-notification>", "<turn_aborted>x</turn_aborted>",
                           "<skill>\\n<name>tides</name>\\nRead the table.\\n</skill>", "Stop hook feedback:\\nthe tests fail",
                           "[Request interrupted by user for tool use]"}) {
    const auto turns = turns_of_transcript(user("Hello.") + answer("Hi.") + user("A secret #nomemory") + answer("Aha.") +
                                           user(note) + answer("Go on."));
    ASSERT_THAT(turns, SizeIs(2)) << note;
    EXPECT_EQ(turns[1].user, "A secret #nomemory") << note;
    EXPECT_EQ(turns[0].assistant, "Hi.") << note;
  }
  for (const char* words : {"<div>what is wrong here?</div>", "<my-tag> does not close, why?", "<my-tag>#nomemory</my-tag>",
                            "a <b-c>d</b-c>", "<skill> is a tag that I do not know", "What is Stop hook feedback: good for?"})
    EXPECT_THAT(turns_of_transcript(user(words)), SizeIs(1)) << words;
}

TEST(Transcript, TheTurnsOfCodexAreItsMessages) {
  const auto turns = turns_of_transcript(
      R"({"type":"session_meta","payload":{"id":"x"}})"
      "\n"
      R"({"type":"response_item","payload":{"type":"message","role":"developer","content":[{"type":"input_text","text":"memory"}]}})"
      "\n"
      R"({"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>cwd</environment_context>"}]}})"
      "\n"
      R"({"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"# AGENTS.md instructions for /w"}]}})"
      "\n"
      R"({"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Use tabs."}]}})"
      "\n"
      R"({"type":"response_item","payload":{"type":"function_call_output","output":"ls"}})"
      "\n"
      R"({"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Tabs it is."}]}})"
      "\n");
  ASSERT_THAT(turns, SizeIs(1));
  EXPECT_EQ(turns[0].user, "Use tabs.");
  EXPECT_EQ(turns[0].assistant, "Tabs it is.");
}

TEST(Transcript, MemoryThatWasPutIntoAMessageIsNotWhatWasSaid) {
  EXPECT_EQ(without_injected("<memory-context>\nFacts:\n- [x] y\n</memory-context>\n\nWhat now?"), "What now?");
  EXPECT_EQ(without_injected("a <memory-context>never closed"), "a");
  EXPECT_EQ(without_injected("a < b"), "a < b");
}

TEST(Transcript, WhatIsAnsweredToALineThatNobodyCanReadGoesToNoOtherWords) {
  const std::string hello = R"({"type":"user","message":{"role":"user","content":"Hello."}})"
                            "\n",
                    answer = R"({"type":"assistant","message":{"content":[{"type":"text","text":"It is 1."}]}})"
                             "\n",
                    cut = R"({"type":"user","message":{"role":"user","content":"My pin is)";
  EXPECT_TRUE(turns_of_transcript(hello + cut + '\n' + answer).back().is_hidden);
  EXPECT_TRUE(turns_of_transcript(hello + cut).back().is_hidden);
  // An answer that is being written is not what is asked.
  EXPECT_EQ(turns_of_transcript(hello + answer + answer.substr(0, 60)).back().assistant, "It is 1.");
  EXPECT_THAT(turns_of_transcript(hello + cut + '\n' + answer + hello + answer), SizeIs(2));
}

TEST(Transcript, OnlyAFileBelowAnAgentsFolderIsRead) {
  TemporaryFolder folder;
  const std::string line = R"({"type":"user","message":{"content":"hello"}})"
                           "\n";
  folder.write("home/.claude/projects/w/s.jsonl", line);
  folder.write("elsewhere/s.jsonl", line);
  std::filesystem::create_symlink(folder / "elsewhere/s.jsonl", folder / "home/.claude/link.jsonl");
  std::filesystem::create_directory(folder / "home/.claude/folder");
  const std::vector<path> homes{folder / "home/.claude", folder / "home/.codex"};
  auto& files = real_file_system();
  EXPECT_THAT(read_transcript_tail(files, folder / "home/.claude/projects/w/s.jsonl", homes).value(), SizeIs(1));
  for (const char* name : {"elsewhere/s.jsonl", "home/.claude/link.jsonl", "home/.claude/folder", "home/.claude/none"})
    EXPECT_FALSE(read_transcript_tail(files, folder / name, homes)) << name;
}

TEST(Transcript, OfALongOneTheEndIsRead) {
  TemporaryFolder folder;
  std::string lines;
  for (int i = 0; i < 5'000; ++i)
    lines += R"({"type":"user","message":{"content":"prompt number )" + std::to_string(i) +
             R"( and more of it"}})"
             "\n";
  folder.write("s.jsonl", lines);
  const std::vector<path> homes{folder.path()};
  const auto turns = read_transcript_tail(real_file_system(), folder / "s.jsonl", homes).value();
  EXPECT_EQ(turns.back().user, "prompt number 4999 and more of it");
  EXPECT_LT(turns.size(), 5'000u);
  EXPECT_TRUE(turns.front().user.starts_with("prompt number"));
}

}  // namespace
}  // namespace loci
