// A megabyte of anything is parsed in about a second. The deadline is generous, for slow machines and sanitizers; what would be
// quadratic takes minutes.
#include <gtest/gtest.h>

#include <chrono>

#include "parser/limits.h"
#include "parser/parser.h"
#include "parser/prompt_text.h"
#include "parser/writer.h"
#include "tests/support/processor_time.h"

namespace loci {
namespace {

constexpr size_t mebibyte = size_t{1} << 20;
constexpr std::chrono::seconds deadline(20);

std::string repeated(std::string_view piece, size_t bytes = mebibyte) {
  std::string text;
  text.reserve(bytes + piece.size());
  while (text.size() < bytes) text += piece;
  return text;
}

std::string numbered(std::string_view before, std::string_view behind) {
  std::string text;
  for (size_t i = 0; text.size() < mebibyte; ++i) text.append(before).append(std::to_string(i)).append(behind);
  return text;
}

std::string runs_of_backticks() {
  std::string text = "#t ";
  for (size_t length = 1; text.size() < mebibyte; ++length) text += std::string(length, '`') + " ";
  return text;
}

struct Hostile {
  const char* name;
  std::string text;
};

std::vector<Hostile> hostile_texts() {
  const std::string open_metadata = "<!--m {\"id\":\"a\",\"end\":1}-->\n";
  return {
      {"images", repeated("![[]()")},
      {"bullets in one line", repeated("- ")},
      {"bullets and blank lines", repeated("- ", 65536) + "x\n" + repeated("\n", 65536)},
      {"bullets 60 deep and blank lines", repeated("- ", 60) + "x\n" + repeated("\n")},
      {"bullets, each deeper",
       [] {
         std::string text;
         for (size_t depth = 0; text.size() < mebibyte; ++depth) text += std::string(2 * (depth % 500), ' ') + "- x\n";
         return text;
       }()},
      {"quotes in one line", repeated("> ")},
      {"quotes 60 deep", repeated(repeated("> ", 60) + "a\n")},
      {"quotes and bullets", repeated("> - ")},
      {"tables", repeated("|a|b|\n|-|-|\n")},
      {"bars", repeated("|")},
      {"backticks", repeated("`")},
      {"runs of backticks", runs_of_backticks()},
      {"brackets", repeated("[")},
      {"link definitions", numbered("[a", "]: /u\n")},
      {"unfinished link definitions", repeated("[a]:\n")},
      {"definitions and underlines", repeated("[a]: b\n===\n")},
      {"stars", repeated("*")},
      {"stars and words", repeated("*a _b ")},
      {"open comments", repeated("<!--")},
      {"open comments on lines", repeated("<!-- a\n")},
      {"comments on one line", repeated("<!-- -->")},
      {"open metadata on lines", repeated("<!--m {\n")},
      {"metadata without text", numbered("<!--m {\"id\":\"", "\"}-->\n")},
      {"entries without their end", repeated(open_metadata)},
      {"entries without their end, with text", repeated(open_metadata + "- a\n")},
      {"an entry without its end", open_metadata + repeated("- a\n")},
      {"one long metadata value", "<!--m {\"id\":\"" + repeated("a") + "\"}-->\ntext\n"},
      {"metadata with many keys", "<!--m {" + numbered("\"k", "\":1,") + "\"z\":1}-->\ntext\n"},
      {"deep metadata", "<!--m {\"x\":" + repeated("[") + "}-->\ntext\n"},
      {"headings", repeated("# a\n")},
      {"headings and entries", "# " + repeated("long ") + "\n\n" + repeated("a\n\n")},
      {"six headings and entries", repeated("# a\n## b\n### c\n#### d\n##### e\n###### f\n\ng\n\n")},
      {"underlines", repeated("a\n=\n")},
      {"one line", repeated("a")},
      {"one paragraph", repeated("a\n")},
      {"blank lines", repeated("\n")},
      {"carriage returns", repeated("\r")},
      {"opening conflict markers", repeated("<<<<<<< a\n")},
      {"conflict markers", repeated("<<<<<<< a\n=======\n>>>>>>> b\n")},
      {"conflicts that never end", repeated("<<<<<<< a\n=======\n")},
      {"fences", repeated("```\n")},
      {"open fences in quotes", repeated("> ```\n")},
      {"HTML", repeated("<div>\n")},
      {"open tags", repeated("<a ")},
      {"scripts", repeated("<script>\n")},
      {"tags", repeated("#tag\n")},
      {"tabs", repeated("\t")},
      {"tabs behind a bullet", "-" + repeated("\t")},
      {"NUL", std::string(mebibyte, '\0')},
      {"bytes that are not UTF-8", repeated("\xff\n")},
      {"front matter that never ends", "---\n" + repeated("a: b\n")},
      {"front matter with one long list", "---\ntags: [" + repeated("a, ") + "\n---\n"},
      {"items that are comments with tags", repeated("- <!-- tags: a -->\n")},
      {"backslashes", "<!--m {\"id\":\"a\"}-->\n" + repeated("\\\n")},
  };
}

TEST(Hostile, AMegabyteOfAnythingIsParsedInTime) {
  for (const auto& [name, text] : hostile_texts()) {
    const auto taken = processor_time_of([&, &text = text] { parse(text); });
    EXPECT_LT(taken, deadline) << name;
    RecordProperty(name, std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(taken).count()));
  }
}

TEST(Hostile, AFileOfShortItemsIsMadeAPromptInTime) {
  EXPECT_LT(processor_time_of([] { prompt_text(repeated("- a\n", 4 * (most_entries - 1))); }), deadline);
}

TEST(Hostile, AMegabyteOfAnythingIsWrittenInTimeAndComesBack) {
  for (const auto& [name, text] : hostile_texts()) {
    if (normalise_text(text).empty() || text.find_first_of(std::string_view("\xff\0", 2)) != std::string::npos) continue;
    Result<std::string> entry;
    EXPECT_LT(processor_time_of([&, &text = text] { entry = write_entry({}, text); }), deadline) << name;
    ASSERT_TRUE(entry) << name;
    const ParsedFile file = parse(*entry);
    ASSERT_EQ(file.entries.size(), 1U) << name;
    EXPECT_TRUE(file.entries[0].text == normalise_text(text)) << name;
  }
}

TEST(Hostile, WhatNestsTooDeepIsStillText) {
  const ParsedFile file = parse("- fine\n" + repeated("- ", 400) + "deep\n- fine too\n\n<!--m {\"id\":\"a\"}-->\nnext\n");
  ASSERT_EQ(file.entries.size(), 4U);
  EXPECT_TRUE(file.entries[1].text.ends_with("- deep"));
  EXPECT_EQ(file.entries[2].text, "fine too");
  EXPECT_EQ(file.entries[3].id, "a");
  ASSERT_EQ(file.problems.size(), 1U);
  EXPECT_EQ(file.problems[0].code, "too-deep");
  EXPECT_EQ(file.problems[0].line, 2);
}

TEST(Hostile, AFileOfTooManyEntriesIsLeftOutAsAWhole) {
  std::string text = "# Words\n\n";
  for (size_t i = 0; i < most_entries; ++i) text += "- w" + std::to_string(i) + "\n";
  const ParsedFile full = parse(text);
  EXPECT_EQ(full.entries.size(), most_entries);
  EXPECT_FALSE(is_left_out(full));

  for (const ParsedFile& file : {parse(text + "- one more\n"), parse_from(text + "- one more\n", full.resume)}) {
    EXPECT_TRUE(is_left_out(file));
    EXPECT_TRUE(file.entries.empty());
    ASSERT_EQ(file.problems.size(), 1U);
    EXPECT_EQ(file.problems[0].code, "too-many-entries");
    EXPECT_EQ(file.problems[0].line, 0);
    EXPECT_TRUE(file.held) << "nobody is to rewrite it";
    EXPECT_NE(file.open_end, OpenEnd::none) << "or to append to it";
    EXPECT_EQ(file.resume, ResumePoint()) << "it is read from its start again";
  }
}

TEST(Hostile, WhatEveryEntryInheritsIsCounted) {
  std::string headings;
  for (size_t level = 1; level <= 6; ++level) headings += std::string(level, '#') + " " + std::string(190, 'h') + "\n";
  std::string tags = "---\ntags: [";
  for (int i = 0; i < 5000; ++i) tags += "tag" + std::to_string(i) + ", ";
  for (const std::string& start : {headings, tags + "]\n---\n"}) {
    const ParsedFile file = parse(start + repeated("ab\n\n", 160'000));
    ASSERT_EQ(file.problems.size(), 1U);
    EXPECT_EQ(file.problems[0].code, "too-much-memory");
    EXPECT_TRUE(is_left_out(file));
    EXPECT_FALSE(is_left_out(parse(start + repeated("ab\n\n", 400))));
  }
}

TEST(Hostile, WhatAnOrdinaryFileNeedsIsFarFromTheLimit) {
  std::string day;
  for (int i = 0; day.size() < 4 * mebibyte; ++i)
    day += "<!--m {\"id\":\"e" + std::to_string(i) +
           "\",\"at\":\"2026-11-21T20:14:43.120Z\",\"source\":\"user\",\"sum\":\"01234567\"}-->\nx\n\n";
  const ParsedFile file = parse(day);
  EXPECT_FALSE(is_left_out(file)) << file.problems.front().message;
  EXPECT_GT(file.entries.size(), 30'000U);
}

TEST(Hostile, NestingOfSixtyIsFollowed) {
  const ParsedFile file = parse(repeated("> ", 120) + "a\n" + repeated("> ", 120) + "b\n");
  ASSERT_EQ(file.entries.size(), 1U);
  EXPECT_TRUE(file.problems.empty());
}

}  // namespace
}  // namespace loci
