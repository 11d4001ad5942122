#include "parser/entry_back.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parser/entry_edit.h"
#include "parser/parser.h"

namespace loci {
namespace {

std::string paragraph(const std::string& id, const std::string& text) { return "<!--m {\"id\":\"" + id + "\"}-->\n" + text + "\n"; }

const std::string oslo = paragraph("oslo", "Lives in Oslo."), tea = paragraph("tea", "Drinks tea."),
                  cat = paragraph("cat", "Has a cat.");

std::string markdown_in(std::string_view file, std::string_view id) {
  for (const ParsedEntry& entry : parse(file).entries)
    if (entry.id == id) return std::string(file.substr(entry.begin, entry.end - entry.begin));
  ADD_FAILURE() << "no entry " << id << " in:\n" << file;
  return {};
}

std::string with_crlf(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\n' ? "\r\n" : std::string(1, c);
  return out;
}

TEST(EntryBackTest, WhatWasTakenOutAndPutBackLeavesTheFileAsItWas) {
  const std::string files[] = {
      "# Memory\n\n" + oslo + "\n" + tea + "\n" + cat,
      "# Memory\n\n" + oslo + "\n" + tea + "\n" + cat.substr(0, cat.size() - 1),
      oslo + tea + cat,
      "## Home\n\n" + oslo + "\n## Kitchen\n\n" + tea + "\n## Garden\n\nMine.\n\n" + cat,
      oslo,
      with_crlf("# Memory\n\n" + oslo + "\n" + tea + "\n\n\nMine.\n\n" + cat),
      "- Lives in Oslo.\n- Drinks tea.\n- Has a cat.\n",
      "# User\n\n## Home\n- Lives in Oslo.\n\n## Kitchen\n- Drinks tea.\n",
  };
  for (const std::string& file : files)
    for (const ParsedEntry& entry : parse(file).entries) {
      SCOPED_TRACE(file + "\nwithout " + entry.text);
      const auto without = remove_entry(file, entry.id);
      ASSERT_TRUE(without);
      EXPECT_EQ(with_entry_back(*without, markdown_in(file, entry.id), file).value(), file);
    }
}

struct Back {
  const char* name;
  std::string former, now, expected;  // of the entry `tea`
};

TEST(EntryBackTest, WhatChangedSinceStaysAndTheEntryStandsBesideItsNeighbours) {
  const Back cases[] = {
      {"a neighbour was reworded", oslo + "\n" + tea + "\n" + cat, "New.\n\n" + paragraph("oslo", "Lives in Bergen.") + "\n" + cat,
       "New.\n\n" + paragraph("oslo", "Lives in Bergen.") + "\n" + tea + "\n" + cat},
      {"the one before it is gone", oslo + "\n" + tea + "\n" + cat, "Mine.\n\n" + cat, "Mine.\n\n" + tea + "\n" + cat},
      {"all moved around it", oslo + "\n" + tea + "\n" + cat, cat + "\n" + oslo, cat + "\n" + oslo + "\n" + tea},
      {"alone under its heading", "## Home\n\n" + oslo + "\n## Kitchen\n\n" + tea + "\n## Pets\n\n" + cat,
       "## Home\n\n" + oslo + "\nMine.\n\n## Kitchen\n\n## Pets\n\n" + cat,
       "## Home\n\n" + oslo + "\nMine.\n\n## Kitchen\n\n" + tea + "\n## Pets\n\n" + cat},
      {"nothing of it is left", oslo + "\n" + tea, "Mine.\n", "Mine.\n\n" + tea},
      {"the file was emptied", oslo + "\n" + tea, "", tea},
  };
  for (const Back& one : cases) {
    const auto back = with_entry_back(one.now, tea, one.former);
    ASSERT_TRUE(back) << one.name << ": " << back.error().message;
    EXPECT_EQ(*back, one.expected) << one.name;
  }
}

TEST(EntryBackTest, WithoutAVersionItStandsAtTheEndInTheLineEndsOfTheFile) {
  EXPECT_EQ(with_entry_back("Mine.\r\n", tea).value(), "Mine.\r\n\r\n" + with_crlf(tea));
  EXPECT_EQ(with_entry_back("Mine.", tea).value(), "Mine.\n\n" + tea);
}

TEST(EntryBackTest, WhereItWouldBeReadAsPartOfAnotherTextItIsRefused) {
  const auto back = with_entry_back("Mine.\n\n```\nnever closed\n", tea);
  ASSERT_FALSE(back);
  EXPECT_EQ(back.error().code, ErrorCode::refused);
}

TEST(EntryBackTest, InThePlaceOfAnotherEntryItStandsWhereThatStood) {
  EXPECT_EQ(with_entry_instead_of(oslo + "\n" + cat + "\nMine.\n", "cat", tea).value(), oslo + "\n" + tea + "\nMine.\n");
  EXPECT_EQ(with_entry_instead_of(with_crlf(oslo + "\n" + cat), "oslo", tea).value(), with_crlf(tea + "\n" + cat));
  EXPECT_EQ(with_entry_instead_of(oslo.substr(0, oslo.size() - 1), "oslo", tea).value(), tea.substr(0, tea.size() - 1));
  const std::string list = "- Lives in Oslo.\n- Drinks tea.\n- Has a cat.\n";
  EXPECT_EQ(with_entry_instead_of(list, parse(list).entries[1].id, "- Drinks coffee.\n").value(),
            "- Lives in Oslo.\n- Drinks coffee.\n- Has a cat.\n");
  EXPECT_EQ(with_entry_instead_of(oslo, "nobody", tea).error().code, ErrorCode::not_found);
}

}  // namespace
}  // namespace loci
