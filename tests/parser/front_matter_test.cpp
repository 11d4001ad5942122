#include "parser/front_matter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parser/parser.h"
#include "parser/tag_names.h"

namespace loci {
namespace {

using testing::Contains;
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
  for (const char* none : {"tags:\n", "tags: []\n", "tags: null\n", "tags: ~\n", "tags:\nother: [one]\n", "tags: &me [*me]\n"})
    EXPECT_THAT(read(std::string("---\n") + none + "---\n").tags, IsEmpty()) << none;
}

TEST(FrontMatter, TagsMayBeWrittenInAnyWayThatYamlHas) {
  const char* ways[] = {
      "{tags: [one, two]}\n",
      "{title: x,\n tags: [one, two]}\n",
      "{\"tags\": [one, two], date: 2026-11-21}\n",
      " title: x\n tags: [one, two]\n",
      "  title: x\n  tags:\n    - one\n    - two\n",
      "tags: [\"on\\u0065\", \"\\x74wo\"]\n",
      "\"t\\u0061gs\": [one, two]\n",
      "? tags\n: [one, two]\n",
      "? title\n: x\n? tags\n: - one\n  - two\n",
      "base: &base {tags: [one, two]}\n<<: *base\n",
      "a: &a\n  tags: one\nb: &b\n  tags: two\n<<: [*a, *b]\n",
      "<<: {tags: [one, two]}\n",
      "a: &a [one, two]\nb: &b [*a]\ntags: [*b, *b]\n",
      "key: &key tags\n*key : [one, two]\n",
      "!!map\ntags: [one, two]\n",
      "&all\ntags: [one, two]\n",
      "tags: !!set {one, two}\n",
      "tags: !!set\n  ? one\n  ? two\n",
      "tags: \"one,\n  two\"\n",
      "tags:\n  - #one\n  - #two\n",
      "tags: one #two # why\n",
      "tags: &me [one, *me, two]\n",
      "meta:\n  tags: [one, two]\n",
      "meta:\n  more:\n    - tags: one\n    - Tag: two\n",
      "{meta: {tags: [one, two]}}\n",
      "title: [a\ntags: [one, two]\n",
      "title: Budget: 2026\ntags: [one, two]\n",
      "title: @x\ntags: &a [one, two]\nmore: *a\n",
      "mine: &mine [one, two]\ntitle: Budget: 2026\ntags: *mine\n",
  };
  for (const char* way : ways) EXPECT_THAT(read(std::string("---\n") + way + "---\ntext\n").tags, ElementsAre("one", "two")) << way;
}

TEST(FrontMatter, OfWhatIsNoYamlEveryWordNearTagsIsOne) {
  const char* broken[] = {"tags: [private\n",
                          "tags: {private\n",
                          "tags: \"pri\\u0076ate\n",
                          "\"t\\u0061gs\": [private\n",
                          "tags:\n\t- private\n",
                          "tags: *private*\n",
                          "tags: *private\n",
                          "tags: @x private\n",
                          "tags: -private: [\n",
                          "x: \xff\ntags: \xff private\n",
                          " title: a: b\n tags: private\n",
                          "mine: &mine [private\ntags: *mine\n"};
  for (const char* text : broken) EXPECT_THAT(read(std::string("---\n") + text + "---\ntext\n").tags, Contains("private")) << text;
  const ParsedFile file = parse("---\ntitle: Budget: 2026\n---\ntext\n");
  EXPECT_THAT(file.entries[0].tags, IsEmpty());
  ASSERT_EQ(file.problems.size(), 1U);
  EXPECT_EQ(file.problems[0].line, 2);
  EXPECT_EQ(file.problems[0].code, "bad-front-matter");
}

TEST(FrontMatter, AnItemOfTwoWordsIsATagAndSoIsEachOfThem) {
  EXPECT_THAT(read("---\ntags:\n  - two words\n---\n").tags, ElementsAre("two words", "two", "words"));
}

TEST(FrontMatter, WhatItsBytesMayCostIsBounded) {
  std::string bomb = "a0: &a0 [one]\n";
  for (int i = 1; i < 60; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before + ", " + before + ", " + before + "]\n";
  }
  EXPECT_THAT(read("---\n" + bomb + "tags: *a59\n---\n").tags, ElementsAre("one"));
  std::string deep = "tags: ";
  for (int i = 0; i < 1000; ++i) deep += '[';
  EXPECT_THAT(read("---\n" + deep + "private\n---\n").tags, ElementsAre("private"));
  std::string large = "title: x\n";
  while (large.size() < longest_yaml) large += "more: of it\n";
  EXPECT_THAT(read("---\n" + large + "tags: [private]\n---\n").tags, ElementsAre("private"));
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
  EXPECT_EQ(read("--- # mine\na: b\n---\t# its end\nx").lines, 3U);
  EXPECT_EQ(read("---\na: b\n---#x\n...\nx").lines, 0U);
}

TEST(FrontMatter, IsOnlyWhatLooksLikeIt) {
  for (const char* text : {"", "text\n---\na: b\n---\n", " ---\na: b\n---\n", "----\na: b\n---\n", "---\nJust a paragraph.\n---\n",
                           "---\n\n# Heading\n\ntext\n\n<b>\n---\n", "---\na: b\n", "---\n- [link](http://x)\n> quote\n---\n",
                           "---\nNote: some words.\n\nMore text.\n---\n", "---x\na: b\n---\n", "---# x\na: b\n---\n"})
    EXPECT_EQ(read(text).lines, 0U) << text;
}

TEST(FrontMatter, IsUndecidedUpToTheFirstText) {
  for (const char* text : {"---", "---\n", "---\na: b\n", "---\nno yaml", "---\nNote: words\nmore", "---\n{a: b}\n", "--- x",
                           "---\na: b\n---", "---\na: b\n---\n", "---\na: b\n---\n# Title\n", "text", "text\n", "a\nb\n"})
    EXPECT_TRUE(read(text).undecided) << text;
  for (const char* text : {"text\n\n", "# Title\n\ntext\n\n", "- text\n", "---\n\nno yaml\n\n", "---\na: b\n---\ntext\n\n",
                           "---\na: b\n---\n\ntext\n\nmore"})
    EXPECT_FALSE(read(text).undecided) << text;
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

TEST(FrontMatter, WhatIsNoYamlAndNamesTagsHidesNeitherTagsNorWords) {
  for (const char* block : {"title: x\nsome words here\ntags: private\n", "title: x\ntags:[private]\n",
                            "title: x\nTags = private\n", "title: x\nsome words here\ntags:\n-private\n"}) {
    const ParsedFile file = parse("---\n" + std::string(block) + "---\n\nA secret.\n");
    ASSERT_FALSE(file.entries.empty()) << block;
    EXPECT_EQ(file.entries.back().text, "A secret.");
    EXPECT_THAT(file.entries.back().tags, Contains("private")) << block;
    ASSERT_FALSE(file.problems.empty()) << block;
    EXPECT_EQ(file.problems.front().code, "bad-front-matter");
  }
}

TEST(FrontMatter, TagsCountWhereItOnlyLooksLikeFrontMatter) {
  const std::string front = "title: x\ntags: private\n";
  const std::string fences = "---\n" + front + "---\n";
  std::vector<std::string> starts = {"\n" + fences,
                                     "\n\n \n" + fences,
                                     "\u00A0\n" + fences,
                                     "\uFEFF\n" + fences,
                                     "\uFEFF\uFEFF" + fences,
                                     "\u200B" + fences,
                                     " " + fences,
                                     "---\n" + front + "---\u00A0\n",
                                     "---\u00A0\n" + front + "---\n",
                                     "---\n" + front + "---\u200B\n",
                                     "---\n" + front + " ---\n",
                                     "---\n" + front + "----\n",
                                     "—\n" + front + "—\n",
                                     "—-\n" + front + "—-\n",
                                     "--–\n" + front + "---\n",
                                     "+++\ntitle = \"x\"\ntags = [\"private\"]\n+++\n",
                                     "+++\ntags = [\n\"private\",\n]\n+++\n",
                                     "---\n" + front,
                                     "---\n" + front + "\n",
                                     front + "\n",
                                     "tags:: private\n\n",
                                     "title:: x\ntags:: #private\n",
                                     "---\ntitle: x\n\ntags:\n\n- private\n---\u00A0\n",
                                     "---\ntitle: x\nsome words\ntags: private\n---\u00A0\n",
                                     "---\n" + std::string(2000, '[') + "\ntags: private\n---\n",
                                     "---\n[a\ntags: private\n---\n",
                                     "+++\ntitle = \"Doctor #private\"\n+++\n",
                                     "{\n \"title\": \"x\",\n \"tags\": [\"private\"]\n}\n",
                                     "{\n \"tags\": [\n  \"private\"\n ]\n}\n",
                                     "{\"title\": \"x\", \"tags\": [\"private\"]}\n\n",
                                     "---toml\ntags = [\"private\"]\n---\n",
                                     "**Tags:** private\n\n",
                                     "# Title\n\n**Date:** today\n*Tags*: private\n\n",
                                     "# Title\n\ntags:\n- private\n\n"};
  for (const char* fence :
       {";;;", "***", "===", "* * *", "___", "%%%", "\u2014\u2014\u2014", "\u2500\u2500\u2500", "-", "--- yaml"})
    starts.push_back(fence + ("\n" + front) + fence + "\n");
  for (const char* above :
       {"<!-- x -->\n", "<!--\nx\n-->\n\n", "# Title\n", "# Title\n\n", "<div>\n", "%YAML 1.2\n", "---\ntitle: x\n---\n",
        "---\ntitle: x\n---\n\n", "---\n\n", "+++\ntitle = \"x\"\n+++\n\n", "<?xml version=\"1.0\"?>\n"})
    starts.push_back(above + fences);
  for (const char* tags :
       {"tags:private", "tags:\u00A0private", "tags：private", "tags： private", "tags :private", "tags =private",
        "ｔａｇｓ: private", "\u200Btags: private", "\"tags\":private", "tags:#private", "tags:\n* private",
        "tags:\n\u00A0\u00A0- private", "tags:\n-private", "TAGS:private", "meta:\n  tags:private", "- tags:private",
        "tags: work\ntags:private", "meta:\n  tags:\u00A0private\ntags: work", "tags: pri\u200Bvate"})
    for (const char* first : {"", "title: x\n"}) starts.push_back("---\n" + std::string(first) + tags + "\n---\n");
  for (const std::string& start : starts)
    for (const char* line_end : {"\n", "\r\n", "\r"}) {
      std::string file;
      for (const char c : start + "\nA secret.\n") file += c == '\n' ? line_end : std::string(1, c);
      const ParsedFile parsed = parse(file);
      ASSERT_FALSE(parsed.entries.empty()) << file;
      EXPECT_EQ(parsed.entries.back().text, "A secret.") << file;
      std::vector<std::string> readings;
      for (const std::string& tag : parsed.entries.back().tags) std::ranges::move(tag_readings(tag), std::back_inserter(readings));
      EXPECT_THAT(readings, Contains("private")) << file;
    }
}

TEST(FrontMatter, AMarkInAnotherKeyCountsForTheWholeNote) {
  for (const char* line :
       {"title: Doctor #private", "title: \"Doctor (#private)\"", "aliases: [\"#private\"]", "title: x # \\#private"})
    EXPECT_THAT(parse("---\n" + std::string(line) + "\n---\nA secret.\n").entries[0].tags, ElementsAre("private")) << line;
  EXPECT_THAT(parse("---\ntitle: Issue #12 of C#, http://x/#a\ntags: one\n---\nText.\n").entries[0].tags, ElementsAre("one"));
}

TEST(FrontMatter, WordsThatOnlySpeakOfTagsAreNone) {
  for (const char* text : {"Tags are words.\n",
                           "A text.\n\ntags: private\n",
                           "---\n\nWords.\n\n---\n\ntags: private\n",
                           "# Tags\n\nprivate\n",
                           "Note: words\n\ntags: private\n",
                           "---\ntitle: tags and more\n---\n\nprivate\n",
                           "- a\n- tags: private\n",
                           "---\ntitle: x\n---\nWords.\n\ntags: private\n",
                           "---\ntitle: x\n---\nWords\ntags: private\n",
                           "# Title\n\nWords.\n\n---\ntags: private\n---\n",
                           "```yaml\ntags: private\n```\n",
                           "~~~\n---\ntags: private\n---\n~~~\n",
                           "---\nWords.\n\ntags: private\n",
                           "<!-- x --> Words.\n\ntags: private\n",
                           "# Tags: all that is private\n\nText.\n",
                           "<!--m {\"id\":\"a\"}-->\ntags: private\n",
                           "<!-- loci:core begin -->\ntags: private\n",
                           "Words: http://x/\n# Title\n\nWords.\n\ntags: private\n",
                           "> Words.\n\ntags: private\n",
                           "The tags: private\n",
                           "***Words*** of a text.\n\ntags: private\n"})
    for (const ParsedEntry& entry : parse(text).entries) EXPECT_THAT(entry.tags, IsEmpty()) << text;
}

TEST(FrontMatter, ARuleAtTheTopHidesNoText) {
  const ParsedFile file = parse("---\n\nSome words.\n\n---\n\nMore words.\n");
  ASSERT_EQ(file.entries.size(), 2U);
  EXPECT_EQ(file.entries[0].text, "Some words.");
}

}  // namespace
}  // namespace loci
