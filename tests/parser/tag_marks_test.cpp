#include "parser/tag_marks.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "parser/code_parts.h"
#include "parser/tag_names.h"

namespace loci {
namespace {

bool says_private(std::string_view text, MarksIn where = MarksIn::prose) {
  return has_mark(text, where, [](std::string_view name) {
    const auto readings = tag_readings(name);
    return std::ranges::find(readings, "private") != readings.end();
  });
}

TEST(TagMarks, AreSeenWhateverStandsAroundThem) {
  for (const char* text : {"#private",           "So. #private",         ">#private",        "> #private",   "**#private**",
                           "__#private__",       "_#private_",           "~~#private~~",     "==#private==", "|#private|",
                           "| a |#private| b |", "#a,#private",          "#a#private",       "##private",    "—#private",
                           "-#private",          "\"#private\"",         "“#private”",       "(#private)",   "[#private]",
                           "[x](#private)",      "[[#private]]",         "{#private}",       "…#private",    "note:#private",
                           "tags=#private",      "and/or/#private",      "#private.",        "#private's",   "#private:",
                           "#[[private]]",       "#[[private matters]]", "#\"private\"",     "#**private**", "#<private>",
                           "#Private",           "-[ ]#private",         "🔒#private",       "#private🔒",   "#🔒private",
                           "日記#private",       "#private日記",         "日記#private日記", "#️⃣private",     "x\n#private",
                           "a;#private"})
    EXPECT_TRUE(says_private(text)) << text;
}

TEST(TagMarks, AreSeenAsAReaderOfMarkdownAndHtmlSeesThem) {
  for (const char* text : {"\\#private",
                           "a \\#private",
                           "\\\\#private",
                           "#\\private",
                           "#pri\\_x #private",
                           "&#35;private",
                           "&#x23;private",
                           "&#X23;private",
                           "&#035;private",
                           "&#35private",
                           "&num;private",
                           "x &num;private",
                           "#&#112;rivate",
                           "#pri&shy;vate",
                           "&nbsp;#private",
                           "<br>#private",
                           "<div>#private</div>",
                           "<p>x</p>#private",
                           "<!-- #private -->",
                           "<!--#private-->",
                           "<a title=\"#private\">",
                           "<code>#private</code>",
                           "<pre>\n#private\n</pre>",
                           "    #private"})
    EXPECT_TRUE(says_private(text)) << text;
}

TEST(TagMarks, AreSeenWhateverIsNotShown) {
  for (const char* nothing : {"\u200B", "\u200C", "\u200D", "\uFEFF", "\u00AD", "\u2060", "\u202E", "\u2066", "\u180E", "\u034F",
                              "\u061C", "\uFE0F", "\U000E0061", "\x02", "\u115F", "\u3164"})
    for (const std::string sign : {"#", "＃", "﹟"}) {
      const std::string text = sign + nothing + "pri" + nothing + "vate" + nothing;
      for (const std::string& one : {text, "a" + (nothing + text), "(" + text + ")", text + "."})
        for (const auto where : {MarksIn::prose, MarksIn::anything}) EXPECT_TRUE(says_private(one, where)) << one;
    }
}

TEST(TagMarks, AreNotSeenInsideWordsAndAsAnchorsOfAddresses) {
  for (const char* text :
       {"a#private", "C#private", "é#private", "e\u0301#private", "1#private", "a\\#private", "http://x/#private",
        "https://x.org/a/#private", "https://x.org/a?b=#private", "<https://x.org/#private>", "[x](https://x.org/#private)",
        "https://x.org/a#private", "page.md#private", "https://x.org/(a)/#private", "https://x.org/a,b;c/#private",
        "https://x.org/[a]/{b}?c=#private", "(see https://x.org/a_(b)/#private)"}) {
    EXPECT_FALSE(says_private(text)) << text;
    EXPECT_TRUE(says_private(text, MarksIn::anything)) << text;
  }
  for (const char* text :
       {"https://x.org/ #private", "https://x.org,#private", "https://x.org.#private", "(https://x.org/)#private",
        "<https://x.org/>#private", "https://x.org/#a #private", "https://x.org/#a,#private", "x.org/#private",
        "https://x.org/\u00A0/#private", "https://x.org/\u200B/#private", "https://x.org/\u3000/#private",
        "https://x.org/\u2028/#private", "https://x.org/\v/#private", "(https://x.org/)a/#private", "see://#private"})
    EXPECT_TRUE(says_private(text)) << text;
  for (const char* text : {"", "#", "private", "# private", "#privateer", "#semiprivate", "#non-private", "#private2", "#a private",
                           "## private", "#\nprivate", "#, private", "&num; private", "&private", "#35;private"})
    for (const auto where : {MarksIn::prose, MarksIn::anything}) EXPECT_FALSE(says_private(text, where)) << text;
}

TEST(TagMarks, AreNotSeenInCode) {
  for (const char* text :
       {"`#private`", "a `#private` b", "`` ` #private ``", "`a\n#private`", "```\n#private\n```", "~~~\n\n#private\n~~~",
        "> ```\n> #private\n> ```", "- a\n  ```\n  #private\n  ```", "> - ```css\n>   #private\n>   ```", "\\\\`#private`",
        "`a` `#private`", "````\n```\n#private\n````", "a < b `#private`", "```\n`\n```\n`#private`"}) {
    EXPECT_FALSE(says_private(text)) << text;
    EXPECT_TRUE(says_private(text, MarksIn::anything)) << text;
  }
}

TEST(TagMarks, AreSeenWhereItIsDoubtfulThatTheyAreCode) {
  for (const char* text : {"\\`#private\\`",
                           "\\``#private``",
                           "\\`#private`",
                           "`#private",
                           "``#private`",
                           "`a\n\n#private`",
                           "`a` #private `b`",
                           "```\n#private",
                           "``` #private\nx\n```",
                           "~~~\n#private\n```",
                           "> ```\n#private",
                           "> ```\n#private\n```",
                           "- ```\n#private\n  ```",
                           "| a ` | #private ` |",
                           "| a ` | `b` #private `c` |",
                           "| a | b `\n| ` x ` #private ` | c",
                           "<a b=\"`\">#private`",
                           "<a ` > ` #private `",
                           "`#private` and #private",
                           "    ```\n    #private\n    ```\n",
                           "    ```\n#private\n    ```",
                           "a\n`\n> #private`",
                           "`a\n# b #private`",
                           "<div>\n`#private`\n</div>",
                           "`#private\n- a`",
                           "> a `\n>\n> #private `"})
    EXPECT_TRUE(says_private(text)) << text;
}

TEST(TagMarks, AreWhatACommentInTheTextNamesAsTags) {
  for (const char* text :
       {"<!--m {\"id\":\"a\",\"tags\":[\"private\"]}-->\nText.", "Text <!--m {\"tags\":[\"private\"]}--> and more.",
        "> <!-- tags: private -->\n> Text.", "Text <!-- Tags = work, private -->", "Text <!---tags: private--->",
        "Text <!-- tags: private", "`a` <!-- tags: private --> b", "\u00A0<!--m {\"tags\":[\"private\"],}-->\nText.",
        "<!--m {“tags”:[“private”]}-->", "<!-- «tags»: private -->", "<!---> tags: private -->"})
    EXPECT_TRUE(says_private(text)) << text;
  for (const char* text :
       {"`<!-- tags: private -->`", "```\n<!-- tags: private -->\n```", "Text <!-- private -->", "<!-- stages: private -->",
        "tags: private", "<!-- tags: work --> private", "a <!-- x --> tags: private"})
    EXPECT_FALSE(says_private(text)) << text;
}

TEST(TagMarks, TakeLinearTime) {
  std::string text;
  for (size_t length = 1; length < 1000; ++length) text += std::string(length, '`') + " #privat http://x/#/#?#\\&#35;a";
  for (const std::string piece : {"#", "#/", "&#", "\\", "`#", "<a`", "#\u200B", "#.", "http://", "http://(", "> ", "# ", "<!--",
                                  "<!--tags:", "<!-- tags:-->"})
    for (size_t times = 100'000 / piece.size(); times > 0; --times) text += piece;
  EXPECT_FALSE(says_private(text));
  EXPECT_TRUE(says_private(text + "-->\n\n#private"));
}

}  // namespace
}  // namespace loci
