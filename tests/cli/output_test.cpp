#include "cli/output.h"

#include <gtest/gtest.h>

#include "base/error_shape.h"

namespace loci::cli {
namespace {

TEST(Printable, ControlCharactersOfAMemoryNeverReachTheTerminal) {
  EXPECT_EQ(printable("a\x1b[31mb"), "a\\x1b[31mb");
  EXPECT_EQ(printable("bell\a del\x7f"), "bell\\x07 del\\x7f");
  EXPECT_EQ(printable("c1 \xc2\x9b"), "c1 \\x9b");  // CSI as one code point
  EXPECT_EQ(printable("turn \xe2\x80\xae round"), "turn \\u202e round");
  EXPECT_EQ(printable("\r\n"), "\\x0d\n");
}

TEST(Printable, TextStaysAsItIs) {
  const std::string text = "Grüße, 東京\n\ttab 🎉";
  EXPECT_EQ(printable(text), text);
}

TEST(OneLine, WhiteSpaceCollapsesAndLongTextIsCut) {
  EXPECT_EQ(one_line("  a\n\n b\tc  ", 80), "a b c");
  EXPECT_EQ(one_line("abcdef", 3), "abc…");
  EXPECT_EQ(one_line("abc", 3), "abc");
  EXPECT_EQ(one_line("東京都", 4), "東京…");
}

TEST(ErrorShape, SaysWhatWhereAndWhatToDo) {
  Error error{ErrorCode::refused, "too long", "make it shorter", "user.md", 3};
  EXPECT_EQ(to_string(error_to_json(error)),
            R"({"v":1,"error":{"code":"refused","message":"too long","hint":"make it shorter","file":"user.md","line":3}})");
}

TEST(Colour, IsUsedOnlyWhereItIsWanted) {
  Output plain(Output::Settings{});
  EXPECT_EQ(plain.styled(Style::id, "x"), "x");
  Output::Settings coloured;
  coloured.color = true;
  EXPECT_EQ(Output(coloured).styled(Style::id, "x"), "\033[33mx\033[0m");
}

TEST(ProgressBar, IsNotThereWithoutATerminal) {
  Output plain(Output::Settings{});
  EXPECT_FALSE(plain.progress());
}

}  // namespace
}  // namespace loci::cli
