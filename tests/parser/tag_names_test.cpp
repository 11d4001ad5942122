#include "parser/tag_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "parser/parser.h"
#include "parser/tags.h"
#include "parser/writer.h"

namespace loci {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

TEST(TagNames, AreComparedAsTheyAreSeen) {
  for (const char* spelling : {"private", "#private", "Private", "\u200Bpri\u00ADvate\uFEFF", "pri\u202Evate", "pri\u180Evate",
                               "\u00A0private\u3000", "＃ｐｒｉｖａｔｅ", "\"private\"", "“private”", "[private]", "(private)",
                               "/private/", "private.", "**private**", "pri\x01vate", "#\u2060private", "「private」"})
    EXPECT_EQ(tag_name(spelling), "private") << spelling;
}

TEST(TagNames, WhatDiffersToAReaderStaysAnother) {
  EXPECT_EQ(tag_name("C++"), "c++");
  EXPECT_EQ(tag_name("c#"), "c#");
  EXPECT_EQ(tag_name("naïve"), "naive");
  EXPECT_EQ(tag_name("日本語"), "日本語");
  EXPECT_EQ(tag_name("a/b"), "a/b");
  EXPECT_EQ(tag_name("2026"), "2026");
  EXPECT_EQ(tag_name("node.js"), "node.js");
  EXPECT_EQ(tag_name("_draft"), "_draft");
  EXPECT_EQ(tag_name("two  words"), "two words");
  for (const char* nothing : {"", "#", " ", "\u200B", "#/", "\u00A0#\u2060"}) EXPECT_EQ(tag_name(nothing), "") << nothing;
}

TEST(TagNames, OfAListAreItsItemsAndTheirWords) {
  EXPECT_THAT(tag_names("deploy"), ElementsAre("deploy"));
  EXPECT_THAT(tag_names("two words, c++"), UnorderedElementsAre("two words", "two", "words", "c++"));
  for (const char* list :
       {"deploy #private", "deploy private", "deploy;private", "deploy, private", "deploy\nprivate", "deploy，private",
        "deploy、private", "deploy\u00A0private", "deploy\u2028#private", "deploy؛private", "#deploy | #private"})
    EXPECT_THAT(tag_names(list), testing::IsSupersetOf({"deploy", "private"})) << list;
  EXPECT_THAT(tag_items("two words, c++"), ElementsAre("two words", "c++"));
  EXPECT_THAT(tag_words("#Deploy, ＃Private\u3000c++"), ElementsAre("Deploy", "Private", "c++"));
}

TEST(TagNames, EveryReadingIsThereForWhatMustNotBeMissed) {
  for (const char* written : {"tag:private", "deploy\u200Bprivate", "pri\u200Bvate", "`private`", "deploy=private",
                              "deploy·private", "-private", "__private__", "(deploy|private)", "<private>", "deploy#private",
                              "deploy/ private", "deploy.private", "deploy\u200B#private"})
    EXPECT_THAT(tag_readings(written), Contains("private")) << written;
  for (const char* other : {"privateer", "semiprivate", "non/private", "pri vate"})
    EXPECT_THAT(tag_readings(other), Not(Contains("private"))) << other;
}

TEST(TagNames, InATextATagStandsBehindWhatLooksLikeABlankOrLikeNothing) {
  for (const char* before : {"", " ", "\n", "\t", "\u00A0", "\u3000", "\u202F", "\u2028", "\u200B", "\uFEFF", "a\u2009", "a\u200B",
                             "\r", "\v", "\u0085", "\u2800"})
    for (const char* sign : {"#", "＃", "﹟"}) {
      const auto tags = find_tags(std::string(before) + sign + "private");
      ASSERT_THAT(tags, testing::SizeIs(1)) << before << sign;
      EXPECT_EQ(tag_name(tags[0]), "private");
    }
  for (const char* prose : {"C# in prose", "https://example.org/a#private", "a#private", "a＃private", "x = \"#private\"", "#2026",
                            "#123 is an issue", "## private", "#\u200B"})
    EXPECT_THAT(find_tags(prose), IsEmpty()) << prose;
}

TEST(TagNames, InATextATagGoesOnOverWhatIsNotShown) {
  for (const char* text :
       {"#pri\u00ADvate", "#\u200Bprivate", "#pri\u2060vate\u202E", "#pri\x01vate", "#pri\u034Fvate", "#private\uFE0F."}) {
    const auto tags = find_tags(text);
    ASSERT_THAT(tags, testing::SizeIs(1)) << text;
    EXPECT_EQ(tag_name(tags[0]), "private");
  }
}

// Whatever stands in a tag, the line of the archive brings it back.
TEST(TagNames, ComeBackFromTheLineOfTheArchive) {
  const std::string pieces[] = {"private", "#",  " ",    "\u00A0",  ">",    "-->", "\"", "\\",  "\n",        "\u2028",
                                "\u200B",  "＃", "日本", "e\u0301", "\x01", ",",   "}",  "c++", "\U0001F512"};
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    Metadata metadata;
    metadata.id = "x";
    for (size_t tags = 1 + random() % 3; tags > 0; --tags) {
      std::string tag = "t";
      for (size_t length = 1 + random() % 6; length > 0; --length) tag += pieces[random() % std::size(pieces)];
      metadata.tags.push_back(tag);
    }
    const auto written = write_entry(metadata, "Text.");
    ASSERT_TRUE(written) << written.error().message;
    const ParsedFile parsed = parse(*written + "\n");
    ASSERT_EQ(parsed.entries.size(), 1U) << *written;
    EXPECT_EQ(parsed.entries[0].metadata->tags, metadata.tags) << *written;
    std::vector<std::string> before, after;
    for (const std::string& tag : metadata.tags) std::ranges::move(tag_readings(tag), std::back_inserter(before));
    for (const std::string& tag : parsed.entries[0].tags) std::ranges::move(tag_readings(tag), std::back_inserter(after));
    EXPECT_TRUE(
        std::ranges::all_of(before, [&](const std::string& name) { return std::ranges::find(after, name) != after.end(); }));
  }
}

}  // namespace
}  // namespace loci
