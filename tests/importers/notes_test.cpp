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
  EXPECT_THAT(note.list("tags"), ElementsAre("one", "two words"));
  EXPECT_THAT(note.list("more"), ElementsAre("three", "four"));
  EXPECT_EQ(note.field("about"), "it goes on here");
  EXPECT_EQ(note.field("metadata.type"), "project");
  EXPECT_EQ(note.body, "The body.\n");
}

TEST(ReadNote, TagsAreReadAsTheYamlThatTheyAre) {
  for (const char* front :
       {"{tags: [one, private]}", " title: x\n tags: [one, private]", "tags: [one, \"pri\\u0076ate\"]", "? tags\n: [one, private]",
        "base: &base {tags: [one, private]}\n<<: *base", "tags: [one, private", "tags: one, private"}) {
    const Note note = read_note("--- # mine\n" + std::string(front) + "\n--- # end\nThe body.\n");
    EXPECT_THAT(note.list("tags"), testing::Contains("private")) << front;
    EXPECT_EQ(note.body, "The body.\n");
  }
}

TEST(ReadNote, WhatIsNoFrontMatterIsText) {
  for (const char* text : {"Only text.\n", "---\nnot closed\n", "\n---\na: b\n---\n", ""}) {
    const Note note = read_note(text);
    EXPECT_THAT(note.fields, IsEmpty()) << text;
    EXPECT_EQ(note.body, text);
  }
}

TEST(BlocksOf, ItemsAndParagraphsAreEachOneUnderTheirHeading) {
  std::vector<std::string> seen;
  for (const Block& block :
       blocks_of("Before.\n# Work\n- one\n- two\n  goes on\n\nA paragraph\nof two lines.\n\n## Home ##\n1. first\n"))
    seen.push_back(block.section + (block.is_item ? " - " : " | ") + block.text);
  EXPECT_THAT(
      seen, ElementsAre(" | Before.", "Work - one", "Work - two\ngoes on", "Work | A paragraph\nof two lines.", "Home ## - first"));
}

TEST(BlocksOf, ABlockOfCodeStaysWholeWhateverStandsInIt) {
  const auto blocks = blocks_of("```\n# no heading\n\n- no item\n```\n");
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].text, "```\n# no heading\n\n- no item\n```");
}

}  // namespace
}  // namespace loci::importers
