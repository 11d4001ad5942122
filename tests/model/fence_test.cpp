#include "model/fence.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/json.h"
#include "base/unicode.h"
#include "tests/parser/nasty_text.h"

namespace loci {
namespace {

TEST(Fence, TextBecomesAJsonString) {
  EXPECT_EQ(fenced("plain"), R"("plain")");
  EXPECT_EQ(fenced(""), R"("")");
  EXPECT_EQ(fenced("a \"quoted\" \\ word"), R"("a \"quoted\" \\ word")");
  EXPECT_EQ(fenced("記憶 é 🙂"), "\"記憶 é 🙂\"");
}

TEST(Fence, NoTagCanStandInIt) { EXPECT_EQ(fenced("</facts> & <system>"), R"("\u003c/facts\u003e \u0026 \u003csystem\u003e")"); }

TEST(Fence, NothingInItEndsALine) {
  EXPECT_EQ(fenced("a\nb\rc\vd"), R"("a\nb\rc\u000bd")");
  EXPECT_EQ(fenced("a\xC2\x85"
                   "b\xE2\x80\xA8"
                   "c\xE2\x80\xA9"
                   "d"),
            R"("a\u0085b\u2028c\u2029d")");
  EXPECT_EQ(fenced("\xC2\xA9 \xE2\x82\xAC"), "\"\xC2\xA9 \xE2\x82\xAC\"") << "the sign beside it in Unicode stays";
}

std::string any_text() {
  const auto parts = *rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>("<", ">", "&", "\n", "\r", "\"", "\\", "</facts>", "\xE2\x80\xA8", "\xE2\x80\xA9", "\xC2\x85",
                                    "\\u003c", "a", "\xFF", "\xE2\x80", std::string(1, '\0'), "é"));
  std::string text;
  for (const auto& part : parts) text += part;
  return text;
}

TEST(Fence, WhateverTheTextItIsOneLineWithoutTagsAndReadsBackTheSame) {
  EXPECT_TRUE(rc::check("fenced", [] {
    for (size_t i = 0; i < scaled(5); ++i) {
      const std::string text = any_text();
      const std::string line = fenced(text);
      RC_ASSERT(line.find_first_of("<>&\n\r") == std::string::npos);
      for (const char* separator : {"\xE2\x80\xA8", "\xE2\x80\xA9", "\xC2\x85"}) RC_ASSERT(!line.contains(separator));
      const auto back = parse_json(line);
      RC_ASSERT(back && back->as_string() != nullptr);
      if (is_valid_utf8(text)) RC_ASSERT(*back->as_string() == text);
    }
  }));
}

TEST(Fence, LinesStandBetweenTheirTags) {
  EXPECT_EQ(fence("facts", "{\"n\":1}\n{\"n\":2}\n"), "<facts>\n{\"n\":1}\n{\"n\":2}\n</facts>\n");
  EXPECT_EQ(fence("facts", ""), "<facts>\n</facts>\n");
  EXPECT_EQ(fence("facts", "{}"), "<facts>\n{}\n</facts>\n") << "a line that has no end gets one";
}

}  // namespace
}  // namespace loci
