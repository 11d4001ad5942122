#include "importers/readers.h"
#include "tests/importers/reading.h"

namespace loci::importers {
namespace {

using testing::ElementsAre;
using testing::Pair;

std::string said(const std::string& role, const std::string& content, const std::string& id, const std::string& parent,
                 const std::string& more = "") {
  return R"({"type":")" + role + R"(","message":{"role":")" + role + R"(","content":)" + content + R"(},"uuid":")" + id +
         R"(","parentUuid":")" + parent + R"(","timestamp":"2026-11-20T09:00:00.100Z","sessionId":"s1","cwd":"/home/lea/bakery")" +
         more + "}\n";
}

class Transcripts : public testing::Test {
 protected:
  Read claude(const std::string& lines) {
    folder.write("projects/-home-lea-bakery/s1.jsonl", lines);
    return read_with(read_claude_transcripts, folder.path());
  }
  TemporaryFolder folder;
};

TEST_F(Transcripts, OfClaudeCodeOnlyWhatWasSaidIsRead) {
  const auto read = claude(
      R"({"type":"queue-operation","content":"When does the oven start?","sessionId":"s1"})"
      "\n" +
      std::string(
          R"({"type":"attachment","attachment":{"content":["<memory-context>old</memory-context>"]},"uuid":"u0","sessionId":"s1"})") +
      "\n" + said("user", R"("When does the oven start?<memory-context>injected</memory-context>")", "u1", "u0") +
      said("assistant", R"([{"type":"tool_use","name":"search","input":{}}])", "a1", "u1") +
      said("user", R"([{"type":"tool_result","content":"at four"}])", "u2", "a1") +
      said("assistant", R"([{"type":"text","text":"At four."}])", "a2", "u2") +
      said("assistant", R"([{"type":"text","text":"Every day."}])", "a3", "a2") +
      said("assistant", R"([{"type":"text","text":"of a subagent"}])", "a4", "a3", R"(,"isSidechain":true)") +
      said("user", R"("a note of its own")", "u3", "a3", R"(,"isMeta":true)") + said("user", R"("/clear")", "u4", "a3"));
  EXPECT_THAT(read.said(), ElementsAre("When does the oven start?|At four.\n\nEvery day."));
  EXPECT_EQ(read.turns[0].session, "s1");
  EXPECT_EQ(read.turns[0].project, "bakery");
  EXPECT_EQ(read.turns[0].key, "u1");
}

TEST_F(Transcripts, WhatWasSaidAgainAfterGoingBackTakesThePlaceOfTheFirstTry) {
  const auto read =
      claude(said("user", R"("one")", "u1", "r") + said("assistant", R"([{"type":"text","text":"two"}])", "a1", "u1") +
             said("user", R"("given up")", "u2", "a1") + said("assistant", R"([{"type":"text","text":"its answer"}])", "a2", "u2") +
             said("user", R"("three")", "u3", "a1") + said("assistant", R"([{"type":"text","text":"four"}])", "a3", "u3"));
  EXPECT_THAT(read.said(), ElementsAre("one|two", "three|four"));
}

TEST_F(Transcripts, WhatIsAnsweredToACommandGoesToNoOtherWords) {
  const auto read =
      claude(said("user", R"("one")", "u1", "r") + said("assistant", R"([{"type":"text","text":"two"}])", "a1", "u1") +
             said("user", R"("<command-name>/x</command-name><command-args>#nomemory x</command-args>")", "u2", "a1") +
             said("assistant", R"([{"type":"text","text":"a secret"}])", "a2", "u2"));
  EXPECT_THAT(read.said(), ElementsAre("one|two"));
}

TEST_F(Transcripts, OfAConversationThatGoesOnFromAnotherWhatWasSaidInThePauseOfThatOneStaysOut) {
  const auto line = [](const std::string& role, const std::string& text, const std::string& at, const std::string& where) {
    return R"({"type":")" + role + R"(","message":{"role":")" + role + R"(","content":")" + text + R"("},"timestamp":")" + at +
           '"' + where + "}\n";
  };
  const std::string before = "2026-11-20T09:00:00Z", after = "2026-11-20T11:00:00Z";
  const std::string kept = R"(,"sessionId":"s1")", renamed = R"(,"sessionId":"s2","forkedFrom":{"sessionId":"s1"})",
                    own = R"(,"sessionId":"s2")";
  for (const std::string& copied : {kept, renamed}) {
    folder.write("projects/p/s2.jsonl", line("user", "in the pause", before, copied) +
                                            line("assistant", "a secret", before, copied) + line("user", "later", after, own) +
                                            line("assistant", "open", after, own));
    Read read;
    read.paused = "s1";
    read.paused_until = parse_time("2026-11-20T10:00:00Z").value();
    const ImportSource source{folder.path(), real_file_system()};
    ASSERT_TRUE(read_claude_transcripts(source, read));
    std::vector<std::string> said = read.said();
    std::erase(said, "|");
    EXPECT_THAT(said, ElementsAre("later|open")) << copied;
  }
  std::filesystem::remove_all(folder.path() / "projects");
  const auto codex = [](const std::string& role, const std::string& kind, const std::string& text, const std::string& at) {
    return R"({"type":"response_item","timestamp":")" + at + R"(","payload":{"type":"message","role":")" + role +
           R"(","content":[{"type":")" + kind + R"(","text":")" + text + "\"}]}}\n";
  };
  const std::string own_meta = R"({"type":"session_meta","timestamp":")" + after + R"(","payload":{"id":"s2"}})" + "\n",
                    copied_meta = R"({"type":"session_meta","timestamp":")" + before + R"(","payload":{"id":"s1"}})" + "\n";
  folder.write("sessions/rollout-s2.jsonl", own_meta + copied_meta + codex("user", "input_text", "in the pause", before) +
                                                codex("assistant", "output_text", "a secret", before) +
                                                codex("user", "input_text", "later", after) +
                                                codex("assistant", "output_text", "open", after));
  Read read;
  read.paused = "s1";
  read.paused_until = parse_time("2026-11-20T10:00:00Z").value();
  const ImportSource source{folder.path(), real_file_system()};
  ASSERT_TRUE(read_codex(source, read));
  std::vector<std::string> said = read.said();
  std::erase(said, "|");
  EXPECT_THAT(said, ElementsAre("later|open"));
}

TEST_F(Transcripts, AHalfWrittenLineAndFoldersOfSubagentsDoNoHarm) {
  folder.write("projects/-home-lea-bakery/s1/subagents/x.jsonl", said("user", R"("deep")", "u9", "r"));
  const auto read = claude(said("user", R"("one")", "u1", "r") + R"({"type":"user","mess)");
  EXPECT_THAT(read.said(), ElementsAre("one|"));
  EXPECT_THAT(read.skipped, ElementsAre(Pair("a line that is no JSON", 1)));
}

TEST_F(Transcripts, OfCodexSessionsAndTaskGroupsAreRead) {
  folder.write(
      "sessions/2026/11/20/rollout-1.jsonl",
      R"({"timestamp":"2026-11-20T09:00:00Z","type":"session_meta","payload":{"id":"k1","cwd":"/home/lea/bakery"}})"
      "\n"
      R"({"timestamp":"2026-11-20T09:00:01Z","type":"response_item","payload":{"type":"message","role":"developer","content":[{"type":"input_text","text":"injected"}]}})"
      "\n"
      R"({"timestamp":"2026-11-20T09:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>x</environment_context>"}]}})"
      "\n"
      R"({"timestamp":"2026-11-20T09:00:02Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Knead it"}]}})"
      "\n"
      R"({"timestamp":"2026-11-20T09:00:03Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Done."}]}})"
      "\n");
  folder.write("memories/MEMORY.md",
               "# Task Group: dough\napplies_to: cwd=/home/lea/bakery; reuse_rule=same\n\n## User preferences\n- Wants rye\n\n### "
               "keywords\n- dough\n");
  folder.write("memories/memory_summary.md", "- Wants rye\n");
  folder.write("memories/raw_memories.md", "- Said that rye is wanted\n");
  folder.write("memories/rollout_summaries/k1.md", "- Kneaded\n");
  const auto read = read_with(read_codex, folder.path());
  EXPECT_THAT(read.said(), ElementsAre("Knead it|Done."));
  EXPECT_EQ(read.turns[0].session, "k1");
  EXPECT_EQ(read.turns[0].project, "bakery");
  ASSERT_THAT(read.texts(), ElementsAre("Wants rye"));
  EXPECT_EQ(read.records[0].project, "bakery");
  EXPECT_THAT(read.records[0].tags, ElementsAre("user-preferences"));
}

}  // namespace
}  // namespace loci::importers
