#include "parser/front_matter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parser/parser.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

FrontMatter read(std::string_view text) {
  const Lines lines(text);
  return read_front_matter(lines);
}

TEST(FrontMatter, TagsMayBeWrittenInAnyOfTheUsualWays) {
  const char* ways[] = {
      "tags: [one, two]\n",
      "tags: [\"one\", '#two']\n",
      "tags:\n  - one\n  - two\n",
      "tags:\n- one\n- \"#two\"\n",
      "tags: one, two\n",
      "tags: one two\n",
      "tags: '#one #two'\n",
      "tags: #one, #two\n",
      "tag: [one,two]\n",
      "Tags:\n\n  - one # why\n  # note\n  - two\n",
      "tags: [one,\n  two]\n",
      "\"tags\": [ one , two ]\n",
      "a: b\ntags: [one, two]  # all\nc: d\n",
      "tags: [\n  one,\n  two\n]\n",
      "tags: &mine [one, two]\n",
      "tags: !!seq [one, two]\n",
      "tags: !!set &mine\n  - &a one\n  - !!str two\n",
      "tags: >-\n  one\n  two\n",
      "tags: |\n  one, two\n",
      "tags: one\n  two\n",
      "tags:\n  - - one\n  - [two]\n",
      "mine: &mine [one, two]\ntags: *mine\n",
      "mine: &mine\n  - one\n  - two\ntags: *mine\n",
      "a: &a one\nb: [&b two]\ntags: [*a, *b]\n",
      "a: &a one\ntags:\n  - *a\n  - two\n",
  };
  for (const char* way : ways) EXPECT_THAT(read(std::string("---\n") + way + "---\ntext\n").tags, ElementsAre("one", "two")) << way;
  for (const char* none : {"tags:\n", "tags: []\n", "tags: null\n", "tags: ~\n", "tags:\nother: [one]\n", "x:\n  tags: [one]\n",
                           "tags: *nobody\n", "tags: &me *me\n"})
    EXPECT_THAT(read(std::string("---\n") + none + "---\n").tags, IsEmpty()) << none;
}

TEST(FrontMatter, TheDateIsKeptIfItIsOne) {
  const std::pair<const char*, const char*> cases[] = {
      {"2026-11-21", "2026-11-21"},
      {"\"2026-11-21\"", "2026-11-21"},
      {"2026-11-21  # today", "2026-11-21"},
      {"2026-11-21T20:14:43Z", "2026-11-21T20:14:43Z"},
      {"2026-11-21 20:14", "2026-11-21"},
      {"2026-11", "2026-11"},
      {"2026-13-45", ""},
      {"yesterday", ""},
      {"", ""},
  };
  for (const auto& [value, date] : cases) EXPECT_EQ(read("---\ndate: " + std::string(value) + "\n---\n").date, date) << value;
}

TEST(FrontMatter, EndsAtItsSecondFence) {
  EXPECT_EQ(read("---\na: b\n---\nx").lines, 3U);
  EXPECT_EQ(read("---  \na: b\n...\nx").lines, 3U);
  EXPECT_EQ(read("---\r\na: b\r\n---\r\nx").lines, 3U);
  EXPECT_EQ(read("---\n---\n").lines, 2U);
}

TEST(FrontMatter, IsOnlyWhatLooksLikeIt) {
  for (const char* text : {"", "text\n---\na: b\n---\n", " ---\na: b\n---\n", "----\na: b\n---\n", "---\nJust a paragraph.\n---\n",
                           "---\n\n# Heading\n\ntext\n\n<b>\n---\n", "---\na: b\n", "---\n- [link](http://x)\n> quote\n---\n"})
    EXPECT_EQ(read(text).lines, 0U) << text;
}

TEST(FrontMatter, IsUndecidedUntilItIsClosed) {
  for (const char* text : {"---", "---\n", "---\na: b\n", "---\nno yaml"}) EXPECT_TRUE(read(text).undecided) << text;
  for (const char* text : {"--- x", "---\nno yaml\n", "---\na: b\n---", "text"}) EXPECT_FALSE(read(text).undecided) << text;
}

TEST(FrontMatter, AListThatIsNotClosedIsReported) {
  const ParsedFile file = parse("---\na: b\ntags: [one, two\n---\ntext\n");
  ASSERT_EQ(file.problems.size(), 1U);
  EXPECT_EQ(file.problems[0].line, 3);
  EXPECT_EQ(file.problems[0].code, "bad-front-matter");
  EXPECT_THAT(file.entries[0].tags, ElementsAre("one", "two"));
}

TEST(FrontMatter, IsNoEntryAndGivesTagsAndDateToAll) {
  const ParsedFile file = parse("---\ntitle: My note\ntags: [a]\ndate: 2026-11-21\n---\none\n\ntwo\n");
  ASSERT_EQ(file.entries.size(), 2U);
  EXPECT_EQ(file.front_date, "2026-11-21");
  EXPECT_THAT(file.entries[1].tags, ElementsAre("a"));
}

TEST(FrontMatter, ARuleAtTheTopHidesNoText) {
  const ParsedFile file = parse("---\n\nSome words.\n\n---\n\nMore words.\n");
  ASSERT_EQ(file.entries.size(), 2U);
  EXPECT_EQ(file.entries[0].text, "Some words.");
}

}  // namespace
}  // namespace loci
