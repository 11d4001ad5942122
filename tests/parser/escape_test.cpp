#include "parser/escape.h"

#include <gtest/gtest.h>

namespace loci {
namespace {

std::string unescaped(std::string_view line) {
  std::string out;
  append_unescaped(out, line);
  return out;
}

TEST(Escape, KnowsWhatALineCouldBe) {
  const std::pair<const char*, Danger> cases[] = {
      {"", Danger::none},
      {"text", Danger::none},
      {"<!-- a", Danger::markup},
      {"   <!X", Danger::markup},
      {"    <!-- code", Danger::none},
      {"<?php", Danger::markup},
      {"<SCRIPT>", Danger::markup},
      {"<prefix", Danger::markup},
      {"<Style", Danger::markup},
      {"<textarea", Danger::markup},
      {"<div>", Danger::none},
      {"<<<<<<<", Danger::markup},
      {"<<<<<<", Danger::none},
      {"======= x", Danger::markup},
      {">>>>>>> x", Danger::markup},
      {"|||||||", Danger::markup},
      {"```", Danger::fence},
      {" ~~~~", Danger::fence},
      {"``", Danger::none},
      {"# h", Danger::outline},
      {"######", Danger::outline},
      {"####### seven", Danger::none},
      {"#tag", Danger::none},
      {"=", Danger::outline},
      {"---  ", Danger::outline},
      {"- - -", Danger::outline},
      {"* * *", Danger::outline},
      {"___", Danger::outline},
      {"- item", Danger::none},
      {"\\", Danger::none},
      {"\\\\# h", Danger::outline},
      {" \\<!", Danger::markup},
  };
  for (const auto& [line, danger] : cases) EXPECT_EQ(examine_line_start(line).danger, danger) << line;
}

TEST(Escape, ReadingTakesOneBackslashOffADangerousLine) {
  EXPECT_EQ(unescaped("\\<!-- a"), "<!-- a");
  EXPECT_EQ(unescaped("  \\\\# a"), "  \\# a");
  EXPECT_EQ(unescaped("\\text"), "\\text");
  EXPECT_EQ(unescaped("<!-- a"), "<!-- a");
  EXPECT_EQ(unescaped("    \\# code"), "    \\# code");
}

}  // namespace
}  // namespace loci
