#include "vault/purge/purge_markdown.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "parser/parser.h"
#include "parser/text_hash.h"
#include "parser/writer.h"

namespace loci {
namespace {

std::string hash_of(const std::string& text) { return text_hash(text).substr(0, 32); }

PurgedText target_of(const std::string& text) { return PurgedText({{{}, text, hash_of(text)}}); }

struct MarkdownCase {
  std::string name, before, after;
};

TEST(PurgeMarkdown, BlanksTheTextAndKeepsEveryLineNumber) {
  const MarkdownCase cases[] = {
      {"a paragraph", "before\n\nsecret\n\nafter\n", "before\n\n\n\nafter\n"},
      {"an item", "- before\n- secret\n- after\n", "- before\n\n- after\n"},
      {"an entry",
       "<!--m {\"id\":\"x\",\"sum\":\"12345678\",\"at\":\"2026-01-02T03:04:05Z\",\"tags\":[\"t\"]}-->\nsecret\n\nafter\n",
       "<!--m {\"id\":\"x\",\"at\":\"2026-01-02T03:04:05.000Z\"}-->\n(purged)\n\nafter\n"},
      {"an entry that is an item", "<!--m {\"id\":\"x\"}-->\n- secret\n- after\n",
       "<!--m {\"id\":\"x\"}-->\n- (purged)\n- after\n"},
      {"CRLF", "before\r\n\r\nsecret\r\n\r\nafter\r\n", "before\r\n\r\n\r\n\r\nafter\r\n"},
      {"no final line end", "before\n\nsecret", "before\n\n"},
      {"a part of something else", "the secret garden\n", "the secret garden\n"},
  };
  for (const MarkdownCase& one : cases) EXPECT_EQ(purge_markdown(one.before, target_of("secret")), one.after) << one.name;
}

TEST(PurgeMarkdown, OfSeveralLinesNothingStays) {
  const std::string text = "Keys:\n\n```\nsecret\n```\n\n- secret";
  Metadata metadata;
  metadata.id = "x";
  const std::string file = "before\n\n" + write_entry(metadata, text).value() + "\nafter\n";
  const std::string after = purge_markdown(file, PurgedText({PurgedEntry{"x", {}, {}}}));
  EXPECT_EQ(after.find("secret"), std::string::npos);
  EXPECT_EQ(std::ranges::count(after, '\n'), std::ranges::count(file, '\n'));
  const auto entries = parse(after).entries;
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].text, "before");
  EXPECT_EQ(entries[2].text, "after");
}

TEST(PurgeMarkdown, AGapNeverJoinsWhatStoodApart) {
  const std::string before = "- item\n\nsecret\n\n  continued\n";
  const auto entries = parse(purge_markdown(before, target_of("secret"))).entries;
  EXPECT_TRUE(
      std::ranges::any_of(entries, [](const ParsedEntry& entry) { return entry.text == "item" || entry.text == "- item"; }));
}

TEST(PurgeMemoryFile, WhatLociOwnsLosesTheEntryWholeAndTheLineThatShowsIt) {
  const std::string core =
      "Mine.\n\n<!-- loci:core begin -->\n<!--m {\"ref\":\"x\"}-->\n- shorter\n- By hand.\n<!-- loci:core end -->\n";
  const PurgedText purged({PurgedEntry{"x", "secret", hash_of("secret")}});
  EXPECT_EQ(purge_memory_file("MEMORY.md", core, purged),
            "Mine.\n\n<!-- loci:core begin -->\n- By hand.\n<!-- loci:core end -->\n");
  EXPECT_EQ(purge_memory_file("consolidated/a.md", "<!--m {\"id\":\"x\"}-->\nsecret\n\n<!--m {\"id\":\"y\"}-->\nTea.\n", purged),
            "<!--m {\"id\":\"y\"}-->\nTea.\n");
  EXPECT_EQ(purge_memory_file("archive/2026-01-02.md", "<!--m {\"id\":\"x\"}-->\nsecret\n", purged),
            "<!--m {\"id\":\"x\"}-->\n(purged)\n");
}

TEST(PurgeMemoryFile, ALineOfACoreWithoutItsMarkersIsBlankedToo) {
  const PurgedText purged({PurgedEntry{"x", "secret", hash_of("secret")}});
  const std::string after =
      purge_memory_file("MEMORY.md", "<!-- loci:core begin -->\n<!--m {\"ref\":\"x\"}-->\n- shorter\n", purged);
  EXPECT_FALSE(after.contains("shorter")) << after;
}

TEST(TellsOfPurged, NotOfAPlaceholder) {
  const PurgedText purged({PurgedEntry{"x", {}, {}}});
  EXPECT_TRUE(tells_of_purged("<!--m {\"id\":\"x\"}-->\nsecret\n", purged));
  EXPECT_TRUE(tells_of_purged("<!--m {\"id\":\"c\",\"from\":[\"x\"]}-->\nmade of it\n", purged));
  EXPECT_TRUE(tells_of_purged("<!--m {\"ref\":\"x\"}-->\n- shown\n", purged));
  EXPECT_FALSE(tells_of_purged("<!--m {\"id\":\"x\"}-->\n(purged)\n\n<!--m {\"id\":\"y\"}-->\nTea.\n", purged));
}

}  // namespace
}  // namespace loci
