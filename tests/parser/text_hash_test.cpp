// Which texts are the same memory.
#include "parser/text_hash.h"

#include <gtest/gtest.h>

#include "nasty_text.h"
#include "parser/parser.h"

namespace loci {
namespace {

TEST(TextHash, WhatIsHashed) {
  const std::pair<const char*, const char*> cases[] = {
      {"Plain text.", "Plain text."},
      {"  two\n lines\t and\r\n\r\nblanks ", "two lines and blanks"},
      {"e\u0301 is \u00e9", "\u00e9 is \u00e9"},
      {"no\u00a0break\u2003em\u3000wide", "no break em wide"},
      {"- item\n  more", "item more"},
      {"12. item", "item"},
      {"3) item", "item"},
      {"- [ ] task", "[ ] task"},
      {"one\n- below", "one - below"},
      {"- one\n  - below", "one - below"},
      {"- - twice", "twice"},
      {"> quote\n> more\nlazy", "quote more lazy"},
      {"> > deep", "deep"},
      {"- > quote in a list", "quote in a list"},
      {"```sh\nls -l\n```", "ls -l"},
      {"~~~\na\n~~~\n\nmore", "a more"},
      {"````\n```\n````", "```"},
      {"```never closed", ""},
      {"`code` span", "`code` span"},
      {"```code``` span", "```code``` span"},
      {"-5 degrees", "-5 degrees"},
      {"2026-11-21 was a day", "2026-11-21 was a day"},
      {"1234567890. is no number", "1234567890. is no number"},
      {"Case Stays", "Case Stays"},
      {"# heading", "# heading"},
      {"", ""},
      {" \n ", ""},
      {"-", ""},
  };
  for (const auto& [text, normal] : cases) EXPECT_EQ(normalise_for_hash(text), normal) << text;
}

TEST(TextHash, LooselyAlsoEmphasisListMarkersAndCheckboxesGo) {
  const std::pair<const char*, const char*> cases[] = {
      {"Plain text.", "Plain text."},
      {"- [ ] task", "task"},
      {"[x] task", "task"},
      {"**bold** and *italic* and __both__", "bold and italic and both"},
      {"(_so_)", "(so)"},
      {"~~gone~~", "gone"},
      {"2 * 3", "2 * 3"},
      {"2*3", "2*3"},
      {"snake_case_name", "snake_case_name"},
      {"~5 km", "~5 km"},
      {"one\n- below\n  1. deeper", "one below deeper"},
      {"[link](x)", "[link](x)"},
      {"a [ ] b", "a [ ] b"},
  };
  for (const auto& [text, loose] : cases) {
    EXPECT_EQ(normalise_loosely(text), loose) << text;
    EXPECT_EQ(normalise_loosely(loose), loose) << text;
  }
}

TEST(TextHash, WithoutMarksTheLooseHashIsTheHash) {
  SoupKitchen kitchen(7);
  for (int trial = 0; trial < 2000; ++trial) {
    const std::string text = joined(kitchen.cook(8));
    if (text.find_first_of("*_~[>\n") == std::string::npos) {  // behind a > a bullet is one, too
      EXPECT_EQ(loose_text_hash(text), stored_text_hash(text)) << shown(text);
    }
  }
  EXPECT_EQ(loose_text_hash("**a** b"), stored_text_hash("a b"));
}

TEST(TextHash, IsSha256) {
  EXPECT_EQ(text_hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(text_hash("  abc\n"), text_hash("abc"));
  EXPECT_EQ(id_from_hash(text_hash("abc")), "h-ba7816bf8f01cfea4141");
  EXPECT_EQ(sum_from_hash(text_hash("abc")), "ba7816bf");
}

TEST(TextHash, DoesNotDependOnHowTheTextStandsInItsFile) {
  const std::string hash = parse("Deploys to AWS\nhappen on Fridays.\n").entries[0].hash;
  for (const char* markdown : {"- Deploys to AWS happen on Fridays.\n", "1. Deploys to AWS\n   happen on Fridays.\n",
                               "> Deploys to AWS\n> happen on Fridays.\n", "Deploys to AWS\r\nhappen on Fridays.",
                               "<!--m {\"id\":\"a\"}-->\n- Deploys to AWS happen on Fridays.\n",
                               "<!--m {\"id\":\"a\"}-->\nDeploys to AWS happen on Fridays.\n"})
    EXPECT_EQ(parse(markdown).entries[0].hash, hash) << markdown;
  EXPECT_EQ(hash.size(), 32U);
}

TEST(TextHash, WhiteSpaceAtTheEndsAndRepeatedNeverCounts) {
  SoupKitchen kitchen(3);
  for (size_t trial = 0; trial < scaled(20000); ++trial) {
    const std::string normal = normalise_for_hash(joined(kitchen.cook(12)));
    EXPECT_FALSE(normal.starts_with(' ') || normal.ends_with(' ') || normal.find("  ") != std::string::npos) << shown(normal);
    EXPECT_EQ(normal.find_first_of("\t\r\n\v\f"), std::string::npos) << shown(normal);
  }
}

}  // namespace
}  // namespace loci
