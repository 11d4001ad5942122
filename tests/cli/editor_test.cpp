#include "cli/editor.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/temporary_folder.h"

namespace loci::cli {
namespace {

using Words = std::vector<std::string>;

TEST(Editor, EachFamilyIsToldTheLineInItsOwnWay) {
  EXPECT_EQ(editor_command("vim", "/v/a b.md", 7), (Words{"vim", "+7", "/v/a b.md"}));
  EXPECT_EQ(editor_command("/usr/bin/nano -w", "/v/a.md", 7), (Words{"/usr/bin/nano", "-w", "+7", "/v/a.md"}));
  EXPECT_EQ(editor_command("code --wait", "/v/a.md", 7), (Words{"code", "--wait", "--goto", "/v/a.md:7"}));
  EXPECT_EQ(editor_command("hx", "/v/a.md", 7), (Words{"hx", "/v/a.md:7"}));
}

TEST(Editor, ACommandWithQuotesIsAShells) {
  EXPECT_EQ(editor_command("'/opt/my ed/hx' -x", "/v/a b.md", 7),
            (Words{"/bin/sh", "-c", "'/opt/my ed/hx' -x \"$@\"", "'/opt/my ed/hx' -x", "/v/a b.md:7"}));
  EXPECT_EQ(editor_command("/opt/my\\ ed/code", "/v/a.md", 7).back(), "/v/a.md:7");
  EXPECT_EQ(editor_command("\"/opt/my ed/vim\"", "/v/a.md", 7).back(), "/v/a.md");
}

TEST(Editor, ANameWithABlankInQuotesIsStarted) {
  const TemporaryFolder folder;
  folder.write("my ed", "#!/bin/sh\nprintf '%s|' \"$@\" >\"$(dirname \"$0\")/said\"\n");
  std::filesystem::permissions(folder / "my ed", std::filesystem::perms::owner_all);
  ASSERT_TRUE(open_editor("'" + (folder / "my ed").string() + "' -x", "/v/a b$HOME.md", 7));
  EXPECT_EQ(folder.read("said"), "-x|+7|/v/a b$HOME.md|");
}

TEST(Editor, WithoutOneThePersonIsToldWhereTheEntryStands) {
  const auto opened = open_editor("", "/v/a.md", 7);
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().hint.find("/v/a.md:7"), std::string::npos);
}

TEST(Editor, OneThatFailsIsReported) {
  EXPECT_FALSE(open_editor("false", "/v/a.md", 1));
  EXPECT_FALSE(open_editor("/nowhere/editor", "/v/a.md", 1));
  EXPECT_TRUE(open_editor("true", "/v/a.md", 1));
}

}  // namespace
}  // namespace loci::cli
