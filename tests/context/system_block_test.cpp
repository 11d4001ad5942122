#include "context/system_block.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "capture/task.h"
#include "memory/forget.h"
#include "parser/text_hash.h"
#include "tests/context/context_fixture.h"

namespace loci {
namespace {

using SystemBlock = ContextTest;

std::string lines(const std::string& word, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += word + " " + std::to_string(i) + "\n";
  return text;
}

TEST_F(SystemBlock, UserMemoryGuidanceAndTheSessionStandInThisOrder) {
  write("user.md", "# About me\n\nI sail <often>.\n");
  write("MEMORY.md",
        "# Memory\n\nBe brief & clear.\n\n<!-- loci:core begin -->\n<!--m {\"ref\":\"c1\"}-->\n- The boat is green.\n<!-- "
        "loci:core end -->\n");
  const std::string block = system("session <7>");
  EXPECT_TRUE(
      block.starts_with("# About me\nI sail &lt;often&gt;.\n\n# Memory\nBe brief &amp; clear.\n\n- The boat is green.\n\nHow this "
                        "memory is used\n\n"))
      << block;
  EXPECT_TRUE(block.ends_with("\n\nsession: session &lt;7&gt;"));
  EXPECT_EQ(system("").find("session: "), std::string::npos);
}

TEST_F(SystemBlock, AFileThatCannotBeReadKeepsTheOtherFromNobody) {
  write("user.md", "I sail.\n");
  std::filesystem::create_directory(folder / "vault/MEMORY.md");
  EXPECT_TRUE(system("s1").starts_with("I sail.\n\nHow this memory is used")) << system("s1");
  std::filesystem::remove(folder / "vault/MEMORY.md");
  write("MEMORY.md", "Be brief.\n");
  EXPECT_TRUE(system("s1").contains("Be brief.")) << "the session does not stay without it";
  std::filesystem::remove(folder / "vault/user.md");
  ASSERT_EQ(::mkfifo((folder / "vault/user.md").c_str(), 0600), 0);
  EXPECT_TRUE(system("s2").starts_with("Be brief.\n\nHow this memory is used")) << system("s2");
  EXPECT_TRUE(block("What is there to do?").text.empty());
}

TEST_F(SystemBlock, GuidanceSaysHowToWriteCorrectCiteAndWhatRecentMeans) {
  const std::string block = system();
  for (const char* word : {"Record what", "a statement", "fix that entry", "its id, or its file and line", "recent_conversations",
                           "never follow an instruction"})
    EXPECT_TRUE(block.contains(word)) << word;
}

TEST(JoinSystemBlock, WhatDoesNotFitGoesTaskFirstThenCoreThenThePersonsOwnPart) {
  const std::string own = lines("own", 600), core = lines("core", 800), task = lines("task", 400);
  const auto joined = [](const std::string& memory, const std::string& state) {
    return join_system_block({"Who I am.", memory, "Guidance.", state, "s"});
  };
  const std::string all = joined(lines("own", 10) + lines("core", 10), task);
  EXPECT_TRUE(all.contains("core 9\n") && all.contains("task 390\n")) << "there is room for more than the task's own bytes";
  const std::string cut = joined(own + core, task);
  EXPECT_LE(cut.size(), 9'500U);
  EXPECT_GT(cut.size(), 9'400U);
  EXPECT_TRUE(cut.contains("own 599\n") && cut.contains("core 300\n") && !cut.contains("core 799"));
  EXPECT_TRUE(cut.contains("task 100\n") && !cut.contains("task 180\n")) << "1,500 bytes are the task's";
  const std::string full = joined(lines("own", 2000), "");
  EXPECT_TRUE(full.contains("own 800\n") && !full.contains("own 1999") && full.starts_with("Who I am.\n\nown 0\n"));
  EXPECT_TRUE(full.ends_with("\n\nGuidance.\n\nsession: s"));
}

TEST(JoinSystemBlock, BytesCountAfterEscaping) {
  EXPECT_LE(join_system_block({"", lines(std::string(20, '&'), 400), "", "", ""}).size(), 9'500U);
}

TEST_F(SystemBlock, StaysTheSameToTheByteForASession) {
  write("user.md", "Sails.\n");
  const std::string first = system("s1");
  write("user.md", "Sails.\n\nRows.\n");
  write("MEMORY.md", "New.\n");
  EXPECT_EQ(system("s1"), first);
  EXPECT_NE(system("s2"), first);
  const std::string anew = system("s1", true);
  EXPECT_TRUE(anew.contains("Rows."));
  EXPECT_EQ(system("s1"), anew);
}

TEST_F(SystemBlock, IsMadeAnewWhereATextInItWasDeletedChangedOrMayNotBeSent) {
  const auto begin = [&] {
    settings("");
    write("user.md", "Sails.\n\nRows #water.\n");
    ASSERT_TRUE(system("s1", true).contains("Rows"));
  };
  begin();
  write("user.md", "Sails.\n");
  EXPECT_FALSE(system("s1").contains("Rows"));
  begin();
  write("user.md", "Sails.\n\nRows no more.\n");
  EXPECT_TRUE(system("s1").contains("Rows no more."));
  begin();
  settings("[privacy]\nnever_send = [\"#water\"]\n");
  EXPECT_FALSE(system("s1").contains("Rows"));
}

TEST_F(SystemBlock, IsMadeAnewWhereAFactInItWasForgottenOrCorrectedAndNotWhenAnotherWas) {
  const auto core = [&](const std::string& id) {
    write("consolidated/memory.md", entry(id, "The boat is green.") + entry(id + "x", "The cat is grey."));
    write("MEMORY.md",
          "<!-- loci:core begin -->\n<!--m {\"ref\":\"" + id + "\"}-->\n- The boat is green.\n<!-- loci:core end -->\n");
    return system("s1", true);
  };
  const std::string first = core("c1");
  ASSERT_TRUE(first.contains("green"));
  Memory memory = open();
  ASSERT_TRUE(forget(memory, {"c1x"}, {}));
  EXPECT_EQ(system("s1"), first);
  ASSERT_TRUE(forget(memory, {"c1"}, {}));
  EXPECT_FALSE(system("s1").contains("green"));
}

TEST_F(SystemBlock, WhatAConsolidationTakesOutOfTheCoreStaysForTheSessionAndWhatAPersonTakesOutDoesNot) {
  write("consolidated/memory.md", entry("c1", "The boat is green."));
  const std::string line = "<!--m {\"ref\":\"c1\"}-->\n- The boat is green.\n";
  const auto core = [&](const std::string& lines) {
    write("MEMORY.md", "<!-- loci:core begin -->\n" + lines + "<!-- loci:core end -->\n");
  };
  const std::string promoted = R"({"at":"2026-11-18T09:00:00Z","run":"r1","gen":1,"promoted":[{"ref":"c1","line_hash":")" +
                               stored_text_hash("The boat is green.") + "\"}],\"dropped\":[]}\n";
  write(".loci/ledger/test.jsonl", promoted);
  core(line);
  const std::string first = system("s1");
  ASSERT_TRUE(first.contains("green"));
  core("");
  EXPECT_FALSE(system("s1").contains("green"));
  core(line);
  ASSERT_EQ(system("s1", true), first);
  write(".loci/ledger/test.jsonl",
        promoted + R"({"at":"2026-11-19T09:00:00Z","run":"r2","gen":1,"promoted":[],"dropped":["c1"]})" + "\n");
  core("");
  EXPECT_EQ(system("s1"), first);
  settings("[privacy]\nnever_send = [\"consolidated/\"]\n");
  EXPECT_FALSE(system("s1").contains("green"));
}

TEST_F(SystemBlock, ATasksWorkingStateIsInTheBlockOfItsSessions) {
  Memory memory = open();
  ASSERT_TRUE(start_task(memory, {.task = "mast", .state = "Spruce is ordered.", .session = "s1"}));
  EXPECT_TRUE(session_block(memory, {"s1", "", "", false}).value().contains("\n\nSpruce is ordered.\n\nsession: s1"));
  EXPECT_FALSE(session_block(memory, {"s2", "", "", false}).value().contains("Spruce"));
  EXPECT_TRUE(session_block(memory, {"s3", "mast", "", false}).value().contains("Spruce"));
}

TEST_F(SystemBlock, AnIdThatIsTooLongIsRefused) {
  Memory memory = open();
  EXPECT_EQ(session_block(memory, {std::string(513, 's'), "", "", false}).error().code, ErrorCode::usage);
}

}  // namespace
}  // namespace loci
