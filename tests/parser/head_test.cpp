#include "parser/head.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "parser/parser.h"

namespace loci {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;

std::vector<std::string> tags_of(std::string_view file, std::string_view text) {
  const ParsedFile parsed = parse(file);
  const auto found = std::ranges::find(parsed.entries, text, &ParsedEntry::text);
  EXPECT_NE(found, parsed.entries.end()) << file;
  return found == parsed.entries.end() ? std::vector<std::string>() : found->tags;
}

// What may stand at the head of what it is of, with a blank line behind it.
const std::vector<std::string> heads = {"#private",
                                        "#work #private",
                                        "#work, #private",
                                        "**#private**",
                                        "- #private",
                                        "1. #private",
                                        "- [ ] #private",
                                        "- - #private",
                                        "> #private",
                                        "\u00A0#private",
                                        "\U0001F3F7 #private",
                                        "&#35;private",
                                        "Tags: private",
                                        "Tags:\n\n- private",
                                        "Tags:\n\n- work\n- private",
                                        "**Tags:**\n\n* private",
                                        "tags:\n\n\n#private",
                                        "Tags: private hides it",
                                        "Tags: private, as it is said.",
                                        "Tags: private health.",
                                        "Status: open\nKeywords: #private",
                                        "<!-- #private -->",
                                        "<!-- tags: private -->",
                                        "<!--\ntags: private\n-->",
                                        "<div><!-- #private --></div>",
                                        "<div>\n<!-- #private -->\n</div>",
                                        "<!-- #private -->\n<!-- more -->",
                                        "---\ntags: private\n---"};

TEST(Head, OfAFileCountsForAllOfIt) {
  for (const std::string& head : heads) {
    for (const char* above : {"", "# Title\n\n", "# Title\n", "Title\n=====\n\n", "Title\n---\n\n",
                              "A title of\ntwo lines\n=====\n", "# Title\n\n## Part\n\n", "\n\n"})
      for (const char* line_end : {"\n", "\r\n"}) {
        std::string file;
        for (const char c : above + head + "\n\nA secret.\n\n# Below\n\nAnother.\n")
          file += c == '\n' ? line_end : std::string(1, c);
        for (const char* text : {"A secret.", "Another."}) EXPECT_THAT(tags_of(file, text), Contains("private")) << file;
      }
  }
}

TEST(Head, OfASectionCountsForAllThatItsTitleHeads) {
  for (const std::string& head : heads) {
    for (const char* title : {"## Part\n\n", "## Part\n", "Part\n---\n\n"}) {
      const std::string file =
          "# Title\n\nBefore.\n\n" + std::string(title) + head + "\n\nA secret.\n\n### Below\n\nAnother.\n\n## Next\n\nBehind.\n";
      for (const char* text : {"A secret.", "Another."}) EXPECT_THAT(tags_of(file, text), Contains("private")) << file;
      for (const char* text : {"Before.", "Behind."}) EXPECT_THAT(tags_of(file, text), Not(Contains("private"))) << file;
    }
  }
}

TEST(Head, ATextMayStandRightBelowALineOfTags) {
  for (const char* head : {"#private\n", "Tags: private\n"})
    EXPECT_THAT(tags_of("Before.\n\n# Title\n" + std::string(head) + "A secret.\n\nAnother.\n", "Another."), Contains("private"));
}

TEST(Head, EndsAtTheFirstText) {
  for (const char* text :
       {"Words.\n\n#private", "Words #private", "Words.\n\nTags: private", "- Words.\n- #private", "```\n#private\n```",
        "`#private`", "#12", "Tags: private hides notes from agents.",
        "Tags: private hides notes from agents, and no tag of another name does.", "Tags:\n\n- a list of things that is private",
        "Tags:\n\nprivate words", "Tags:\n\n# Title\n\nWords.", "<!-- #private -->\nWords.", "http://x/#private",
        "- Words.\n---\n#private", "<b>Words</b> #private", "<!--m {\"id\":\"a\"}-->\n#private"})
    for (const char* above : {"", "Before.\n\n# Title\n\n"}) {
      const std::string file = above + std::string(text) + "\n\nBetween.\n\nA secret.\n";
      EXPECT_THAT(tags_of(file, "A secret."), IsEmpty()) << file;
    }
}

TEST(Head, OfASectionEndsAtTheNextTitle) {
  for (const char* next : {"## B\n", "B\n---\n", "# B\n", "### B\n"})
    EXPECT_THAT(
        tags_of("Before.\n\n## A\n\n" + std::string(next) + "\n#private\n\nA secret.\n\n### C\n\nAnother.\n\n## D\n\nBehind.\n",
                "A secret."),
        Contains("private"))
        << next;
  EXPECT_THAT(tags_of("Before.\n\n## A\n\n### B\n\n#private\n\nA secret.\n\n### C\n\nBehind.\n", "Behind."), IsEmpty());
}

// As comments do, where they stand between texts.
TEST(Head, FurtherDownALineOfTagsIsOfWhatItStandsAt) {
  EXPECT_THAT(tags_of("Words.\n\nA secret.\n\n#private\n", "A secret."), Contains("private"));
  EXPECT_THAT(tags_of("Words.\n\nA secret.\n\n#private\n", "Words."), IsEmpty());
  EXPECT_THAT(tags_of("Words.\n\n#private\n\nA secret.\n\nMore.\n", "A secret."), Contains("private"));
  EXPECT_THAT(tags_of("Words.\n\n#private\n\nA secret.\n\nMore.\n", "More."), IsEmpty());
  EXPECT_THAT(tags_of("Words.\n\n<div><!-- #private --></div>\n\nA secret.\n", "A secret."), Contains("private"));
}

// What code writes is nobody's mark of what others write.
TEST(Head, AnEntryWithMetadataThatIsATagMarksNoOther) {
  for (const char* text : {"#private", "- #private", "- <!-- #private -->", "    <!-- #private -->"}) {
    const std::string file = "<!--m {\"id\":\"a\"}-->\n" + std::string(text) + "\n\n<!--m {\"id\":\"b\"}-->\nNext.\n\n" +
                             "<!--m {\"id\":\"c\"}-->\n" + std::string(text) + "\n";
    EXPECT_THAT(tags_of(file, "Next."), IsEmpty()) << file;
  }
}

}  // namespace
}  // namespace loci
