#include "agents/codex_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loci {
namespace {

using testing::ElementsAre;

CodexServer server() {
  Json environment = Json::object();
  environment.set("XDG_STATE_HOME", "/s");
  return {"/usr/bin/loci", {"--vault", "/v", "mcp"}, environment};
}

constexpr std::string_view block =
    "[mcp_servers.loci]\ncommand = \"/usr/bin/loci\"\nargs = [\"--vault\", \"/v\", \"mcp\"]\n\n"
    "[mcp_servers.loci.env]\nXDG_STATE_HOME = \"/s\"\n";

TEST(CodexConfig, TheServerStandsInATableOfItsOwnBehindEverythingElse) {
  const std::string before = "# mine\nmodel = \"o\"  # why\n\n[projects.\"/w\"]\ntrust_level = \"trusted\"\n";
  const auto edit = with_codex_server(before, server());
  ASSERT_TRUE(edit) << edit.error().message;
  EXPECT_EQ(edit->text, before + "\n" + std::string(block));
  EXPECT_THAT(*codex_server_words(edit->text), ElementsAre("/usr/bin/loci", "--vault", "/v", "mcp"));
  EXPECT_EQ(without_codex_server(edit->text)->text, before);
  EXPECT_EQ(with_codex_server(edit->text, server())->text, edit->text);
  EXPECT_EQ(with_codex_server("", server())->text, block);
}

TEST(CodexConfig, ATableThatStandsBehindOursStays) {
  const std::string text = "a = 1\n\n" + std::string(block) + "\n[tui]\nx = 2\n";
  const auto edit = without_codex_server(text);
  ASSERT_TRUE(edit) << edit.error().message;
  EXPECT_EQ(edit->text, "a = 1\n\n[tui]\nx = 2\n");
}

TEST(CodexConfig, TheCommentsOfTheTableBehindOursStay) {
  const std::string text =
      "[mcp_servers.loci]\ncommand = \"loci\"\nargs = [\"--vault\", \"/v\", \"mcp\"]\n\n# about other\n\n# "
      "more\n[mcp_servers.other]\ncommand = \"x\"\n";
  const auto left = without_codex_server(text);
  ASSERT_TRUE(left);
  EXPECT_EQ(left->text, "# about other\n\n# more\n[mcp_servers.other]\ncommand = \"x\"\n");
}

TEST(CodexConfig, AServerThatIsCalledOtherwiseThanWeWriteItSomebodyWroteAndItStays) {
  for (const char* args : {"", "args = [\"mcp\"]\n", "args = [\"mcp\", \"--vault\", \"/v\"]\n"}) {
    const std::string text = std::string("[mcp_servers.loci]\ncommand = \"loci\"\n") + args;
    const auto left = without_codex_server(text);
    ASSERT_TRUE(left);
    EXPECT_EQ(left->text, text);
  }
}

TEST(CodexConfig, ACommentAtTheEndOfTheFileStays) {
  const auto connected = with_codex_server("a = 1\n", server());
  ASSERT_TRUE(connected);
  const auto left = without_codex_server(connected->text + "\n# my own note\n");
  ASSERT_TRUE(left) << left.error().message;
  EXPECT_EQ(left->text, "a = 1\n\n# my own note\n");
}

TEST(CodexConfig, AnOlderServerOfOursIsReplaced) {
  auto older = server();
  older.command = "/old/loci";
  const auto edit = with_codex_server(with_codex_server("a = 1\n", older)->text, server());
  ASSERT_TRUE(edit) << edit.error().message;
  EXPECT_EQ(edit->text, "a = 1\n\n" + std::string(block));
}

TEST(CodexConfig, WhatSomebodyHasPutIntoOurTablesStaysWhenTheServerChanges) {
  const std::string mine =
      "[mcp_servers.loci]\nstartup_timeout_sec = 20 # slow disk\ncommand = \"/old/loci\"\ntools.\"x y\".on = 2026-11-23\n"
      "\n[mcp_servers.loci.env]\nLANG = \"C\"\nXDG_STATE_HOME = \"/old\"\n";
  const auto edit = with_codex_server(mine, server());
  ASSERT_TRUE(edit) << edit.error().message;
  EXPECT_EQ(edit->text,
            "[mcp_servers.loci]\ncommand = \"/usr/bin/loci\"\nargs = [\"--vault\", \"/v\", \"mcp\"]\nstartup_timeout_sec = 20\n"
            "tools.\"x y\".on = 2026-11-23\n\n[mcp_servers.loci.env]\nXDG_STATE_HOME = \"/s\"\nLANG = \"C\"\n");
  EXPECT_EQ(with_codex_server(edit->text, server())->text, edit->text);
  EXPECT_EQ(without_codex_server(edit->text)->text, "");
}

TEST(CodexConfig, AFileThatIsNoTomlIsRefusedWhereverItBreaks) {
  for (const char* text :
       {"[[[[[[", "[=]", "[[=", "a.=1", "a..b=1", "={}", "[", "[[", "a", "a=", "a={", "a={=", "a={b.=", "\"\"\"x\"\"\"=1"})
    EXPECT_EQ(with_codex_server(text, server()).error().code, ErrorCode::usage) << text;
}

TEST(CodexConfig, AFileThatCannotBeChangedByRuleIsRefused) {
  EXPECT_EQ(with_codex_server("mcp_servers = { x = { command = \"y\" } }\n", server()).error().code, ErrorCode::refused);
  const std::string dotted = "mcp_servers.loci.command = \"loci\"\nmcp_servers.loci.args = [\"--vault\", \"/v\", \"mcp\"]\n";
  EXPECT_EQ(without_codex_server(dotted).error().code, ErrorCode::refused);
  const auto broken = with_codex_server("a = 1\nb = \n", server());
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().line, 2);
}

}  // namespace
}  // namespace loci
