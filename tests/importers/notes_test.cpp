#include "importers/notes.h"

#include <gmock/gmock.h>

namespace loci::importers {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ReadNote, UnderstandsWhatOtherProgramsWriteAsFrontMatter) {
  const Note note = read_note(
      "---\r\nname: \"a name\"\r\ntags: [one, 'two words']\nmore:\n  - three\n  - four\nabout: >-\n  it goes\n  on here\n"
      "metadata:\n  type: project\n# a comment\n---\nThe body.\n");
  EXPECT_EQ(note.field("name"), "a name");
  EXPECT_EQ(note.field("tags"), "one\ntwo words");
  EXPECT_EQ(note.field("more"), "three\nfour");
  EXPECT_EQ(note.field("about"), "it goes on here");
  EXPECT_EQ(note.field("metadata.type"), "project");
  EXPECT_EQ(note.body, "The body.\n");
}

TEST(ReadNote, TagsAreReadAsTheYamlThatTheyAre) {
  for (const char* front :
       {"{tags: [one, private]}", " title: x\n tags: [one, private]", "tags: [one, \"pri\\u0076ate\"]", "? tags\n: [one, private]",
        "base: &base {tags: [one, private]}\n<<: *base", "tags: [one, private", "tags: one, private"}) {
    const std::string text = "--- # mine\n" + std::string(front) + "\n--- # end\nThe body.\n";
    const Note note = read_note(text);
    EXPECT_THAT(note.tags, testing::Contains("private")) << front;
    EXPECT_EQ(note.body, "The body.\n");
  }
}

TEST(ReadNote, TagsCountHoweverDeepTheyStandAndInTheWordsOfAnyKey) {
  for (const char* front :
       {"metadata:\n  tags: [one, private]", "metadata:\n  tags:\n    - private", "metadata: {type: x, tags: [private]}",
        "a:\n  b:\n    Tags: health, private", "metadata:\n  tags: one private", "metadata:\n  tags: [two words, private life]",
        "description: of her health #private", "title: \"#private\"", "about: >-\n  of her\n  health #private",
        "metadata:\n  why: \"her #private life\"", "Only words here\ntags: private"}) {
    const std::string text = "---\n" + std::string(front) + "\n---\nThe body.\n";
    const Note note = read_note(text);
    EXPECT_THAT(note.tags, testing::Contains("private")) << front;
    EXPECT_EQ(note.body, "The body.\n") << front;
  }
  EXPECT_THAT(read_note("---\nmetadata:\n  tags: [two words]\n---\n").tags, testing::IsSupersetOf({"two words", "two", "words"}));
  EXPECT_THAT(read_note("---\ntitle: private\nstage: [private]\ncolor: a#b\n---\n").tags, IsEmpty());
}

TEST(ReadNote, BlankLinesMayStandInFrontOfFrontMatter) {
  for (const char* blank : {"\n", "\n \t\n\r\n"}) {
    const std::string text = std::string(blank) + "---\ntags: private\n---\nThe body.\n";
    const Note note = read_note(text);
    EXPECT_THAT(note.tags, ElementsAre("private"));
    EXPECT_EQ(note.body, "The body.\n");
  }
}

TEST(ReadNote, WhatIsNoFrontMatterIsText) {
  for (const char* text : {"Only text.\n", "---\nnot closed\n", "\nText\n---\na: b\n---\n", ""}) {
    const Note note = read_note(text);
    EXPECT_THAT(note.fields, IsEmpty()) << text;
    EXPECT_EQ(note.body, text);
  }
}

TEST(BlocksOf, ItemsAndParagraphsAreEachOneUnderTheirHeading) {
  std::vector<std::string> seen;
  for (const NoteBlock& block :
       blocks_of("Before.\n# Work\n- one\n- two\n  goes on\n\nA paragraph\nof two lines.\n\n## Home ##\n1. first\n"))
    seen.push_back(block.section + (block.is_item ? " - " : " | ") + block.text);
  EXPECT_THAT(
      seen, ElementsAre(" | Before.", "Work - one", "Work - two\ngoes on", "Work | A paragraph\nof two lines.", "Home ## - first"));
}

TEST(BlocksOf, TagsOfAHeadingAreOfAllThatStandsBelowItAndNoneOfItsWords) {
  std::vector<std::string> seen;
  for (const NoteBlock& block : blocks_of(
           "one\n\n# Health #private\ntwo\n## Teeth #dentist #2026 ##\n- three\n# Work\nfour\n\nHer life\nat home #private\n---\n"
           "five\n```a``` is code\n## Six #six\nsix\n"))
    seen.push_back(block.section + " |" + testing::PrintToString(block.tags) + "| " + block.text);
  EXPECT_THAT(seen,
              ElementsAre(" |{}| one", "Health |{ \"private\" }| two", "Teeth #2026 ## |{ \"private\", \"dentist\" }| three",
                          "Work |{}| four", "Her life at home |{ \"private\" }| five\n```a``` is code", "Six |{ \"six\" }| six"));
}

TEST(BlocksOf, ABlockOfCodeStaysWholeWhateverStandsInIt) {
  const auto blocks = blocks_of("```\n# no heading\n\n- no item\n```\n");
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].text, "```\n# no heading\n\n- no item\n```");
}

}  // namespace
}  // namespace loci::importers
