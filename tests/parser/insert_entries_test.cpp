#include "parser/insert_entries.h"

#include <gtest/gtest.h>

#include "parser/parser.h"
#include "parser/text_hash.h"
#include "parser/text_lines.h"
#include "tests/parser/nasty_text.h"

namespace loci {
namespace {

EntryToInsert words(const std::string& written, std::vector<std::string> section, bool is_next_line = false) {
  EntryToInsert entry;
  entry.written = written;
  entry.text = written;
  entry.section = std::move(section);
  entry.metadata_if_needed.id = id_from_hash(text_hash(written));
  entry.is_next_line = is_next_line;
  return entry;
}

std::string inserted(std::string_view file, const std::vector<EntryToInsert>& run) {
  const auto bytes = insert_entries(file, run);
  EXPECT_TRUE(bytes) << bytes.error().message;
  return bytes.value_or("");
}

TEST(InsertEntries, GoUnderTheHeadingsThatTheyStoodUnder) {
  const std::string file = "# User\n\n## Work\n\n- Bakes.\n\n## Home\n\nA cat.\n";
  EXPECT_EQ(inserted(file, {words("- Sails.", {"User", "Work"}), words("- Sings.", {"User", "Work"}, true)}),
            "# User\n\n## Work\n\n- Bakes.\n- Sails.\n- Sings.\n\n## Home\n\nA cat.\n");
  EXPECT_EQ(inserted(file, {words("A dog.", {"About me", "home"})}),
            "# User\n\n## Work\n\n- Bakes.\n\n## Home\n\nA cat.\n\nA dog.\n")
      << "the title of the file and case are no matter";
  EXPECT_EQ(inserted(file, {words("Ida.", {})}), "# User\n\nIda.\n\n## Work\n\n- Bakes.\n\n## Home\n\nA cat.\n");
  EXPECT_EQ(inserted("## Work\n", {words("Ida.", {})}), "Ida.\n\n## Work\n");
  EXPECT_EQ(inserted("", {words("Alone.", {})}), "Alone.\n");
}

TEST(InsertEntries, HeadingsThatAreMissingAreMadeWhereTheyBelong) {
  const std::string file = "# User\n\n## Work\n\n- Bakes.\n\n### Tools\n\nAn oven.\n\n## Home\n";
  EXPECT_EQ(inserted(file, {words("Ana.", {"User", "Work", "Team"})}),
            "# User\n\n## Work\n\n- Bakes.\n\n### Tools\n\nAn oven.\n\n### Team\n\nAna.\n\n## Home\n");
  EXPECT_EQ(inserted(file, {words("Five.", {"User", "Tea", "When"})}), file + "\n## Tea\n\n### When\n\nFive.\n");
  EXPECT_EQ(inserted("", {words("Five.", {"Tea"})}), "## Tea\n\nFive.\n");
}

TEST(InsertEntries, AHeadingInCodeOrFrontMatterIsNone) {
  const std::string file = "---\n# Work: no\ntitle: x\n---\n\n```\n# Work\n```\n\nWork\n----\n\nBakes.\n";
  EXPECT_EQ(inserted(file, {words("Sails.", {"Work"})}), file + "\nSails.\n");
  const std::string front = inserted(file, {words("First.", {})});
  EXPECT_EQ(parse(front).entries.size(), 3u);
  EXPECT_TRUE(parse(front).entries[1].section.empty());
}

TEST(InsertEntries, CarriageReturnsStay) {
  EXPECT_EQ(inserted("## Work\r\n\r\n- Bakes.\r\n", {words("- Sails.", {"Work"}), words("Two\nlines.", {"Work"})}),
            "## Work\r\n\r\n- Bakes.\r\n- Sails.\r\n\r\nTwo\r\nlines.\r\n");
}

TEST(InsertEntries, WhatWouldBeMoreThanItSaysIsRefused) {
  const std::string file = "# Memory\n\n<!-- loci:core begin -->\n<!-- loci:core end -->\n";
  EntryToInsert more = words("One.", {});
  for (const char* written :
       {"One.\n\n## Another heading", "One.\n\n<!-- loci:core begin -->", "## One.", "One.\n\nTwo.", "Other."}) {
    more.written = written;
    const auto bytes = insert_entries(file, std::vector{more});
    if (!bytes) continue;
    EXPECT_EQ(parse(*bytes).entries.at(0).hash, stored_text_hash("One.")) << written;
    EXPECT_EQ(parse(*bytes).entries.size(), 1u) << written;
    EXPECT_EQ(bytes->find("begin"), bytes->rfind("begin")) << written;
  }
}

TEST(InsertEntries, ATagThatCountedByItsPlaceCountsInMetadataWhereItMust) {
  EntryToInsert entry = words("Earns 70,000.", {"Pay"});
  entry.tags = entry.metadata_if_needed.tags = {"private"};
  const auto tags_in = [&](std::string_view file) { return parse(inserted(file, {entry})).entries.at(0).tags; };
  EXPECT_EQ(tags_in("## Pay\n"), std::vector<std::string>{"private"});
  entry.section = {"Pay #private"};
  EXPECT_EQ(inserted("# User\n", {entry}), "# User\n\n## Pay #private\n\nEarns 70,000.\n");
}

TEST(InsertEntries, WhateverATextLooksLikeNothingElseReadsDifferently) {
  SoupKitchen kitchen(7);
  size_t stands = 0;
  for (size_t trial = 0; trial < scaled(3'000); ++trial) {
    const std::string file = "# User\n\n## Work\n\n- Bakes.\n\n" + joined(kitchen.cook(12));
    const ParsedFile before = parse(file), source = parse(joined(kitchen.cook(12)));
    for (const ParsedEntry& one : source.entries) {
      if (one.metadata || one.of_copy) continue;
      EntryToInsert entry = words(one.text, {"User", "Work"});
      const auto bytes = insert_entries(file, std::vector{entry});
      if (!bytes) continue;
      ++stands;
      const ParsedFile after = parse(*bytes);
      ASSERT_EQ(after.entries.size(), before.entries.size() + 1);
      const auto saying = [&](const ParsedFile& file_of) {
        return std::ranges::count(file_of.entries, one.hash, &ParsedEntry::hash);
      };
      ASSERT_EQ(saying(after), saying(before) + 1) << *bytes;
    }
  }
  EXPECT_GT(stands, 1'000u);
}

}  // namespace
}  // namespace loci
