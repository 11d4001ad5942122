#include "parser/entry_edit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parser/parser.h"
#include "parser/text_hash.h"
#include "parser/writer.h"

namespace loci {
namespace {

using testing::HasSubstr;

std::string id_of(std::string_view text) { return id_from_hash(text_hash(text)); }

Metadata metadata(std::string id) {
  Metadata data;
  data.id = std::move(id);
  data.source = Source::agent;
  return data;
}

std::string written(const std::string& id, const std::string& text) { return *write_entry(metadata(id), text); }

ParsedEntry entry(std::string_view file, std::string_view id) {
  for (ParsedEntry& entry : parse(file).entries)
    if (entry.id == id) return entry;
  ADD_FAILURE() << "no entry " << id << " in:\n" << file;
  return {};
}

std::string with_crlf(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\n' ? "\r\n" : std::string(1, c);
  return out;
}

// --- remove ---

struct Removal {
  const char *name, *before, *text, *after;
};

class RemoveEntryTest : public testing::TestWithParam<Removal> {};

TEST_P(RemoveEntryTest, TakesOutTheEntryAndNothingElse) {
  const auto& [name, before, text, after] = GetParam();
  const auto removed = remove_entry(before, id_of(text));
  ASSERT_TRUE(removed) << removed.error().message;
  EXPECT_EQ(*removed, after);
  const auto with_returns = remove_entry(with_crlf(before), id_of(text));
  ASSERT_TRUE(with_returns) << with_returns.error().message;
  EXPECT_EQ(*with_returns, with_crlf(after));
}

INSTANTIATE_TEST_SUITE_P(
    Table, RemoveEntryTest,
    testing::Values(Removal{"OnlyOne", "a\n", "a", ""}, Removal{"First", "a\n\nb\n", "a", "b\n"},
                    Removal{"Last", "a\n\nb\n", "b", "a\n"}, Removal{"LastWithoutNewline", "a\n\nb", "b", "a\n"},
                    Removal{"Middle", "a\n\nb\n\nc\n", "b", "a\n\nc\n"},
                    Removal{"SeveralBlankLines", "a\n\n\nb\n\n\nc\n", "b", "a\n\n\nc\n"},
                    Removal{"ItemOfATightList", "- a\n- b\n- c\n", "b", "- a\n- c\n"},
                    Removal{"FirstItem", "- a\n- b\n", "a", "- b\n"}, Removal{"LastItem", "- a\n- b\n", "b", "- a\n"},
                    Removal{"NumberedItem", "1. a\n2. b\n3. c\n", "b", "1. a\n3. c\n"},
                    Removal{"ItemWithSeveralLines", "- a\n- b\n  more\n- c\n", "b\nmore", "- a\n- c\n"},
                    Removal{"UnderAHeading", "# One\n\na\n\n# Two\n\nb\n", "a", "# One\n\n# Two\n\nb\n"},
                    Removal{"CodeBlock", "a\n\n```\nx\n```\n\nb\n", "```\nx\n```", "a\n\nb\n"},
                    Removal{"BetweenTwoParagraphsThatWouldMerge", "a\n```\nx\n```\nb\n", "```\nx\n```", "a\n\nb\n"},
                    Removal{"QuoteBelowAParagraph", "a\n> q\n\nb\n", "> q", "a\n\nb\n"}),
    [](const auto& removal) { return removal.param.name; });

TEST(RemoveMetadata, LeavesTheWordsAndTheirNeighbours) {
  EXPECT_EQ(remove_metadata("one\n\n" + written("e1", "two") + "\nthree\n", 4), "one\n\ntwo\n\nthree\n");
  EXPECT_EQ(remove_metadata("one\n" + written("e1", "two"), 3), "one\n\ntwo\n");
}

TEST(RemoveMetadata, OfACopyLeavesTheNameAndOfTheOneThatHasItGivesItToTheCopy) {
  const std::string one = written("e1", "one"), other = written("e1", "other");
  EXPECT_EQ(remove_metadata(one + "\n" + other, 5), one + "\nother\n");
  EXPECT_EQ(remove_metadata(other + "\n" + one, 2), "other\n\n" + one);
  EXPECT_EQ(remove_metadata(other + "\n" + one + "\n" + one, 2), "other\n\n" + one + "\n" + one);
}

TEST(RemoveMetadata, IsNotFoundWhereThereIsNone) { EXPECT_EQ(remove_metadata("one\n", 1).error().code, ErrorCode::not_found); }

TEST(RemoveEntry, TakesItsMetadataAndItsEndMarkerAlong) {
  const std::string before = "# T\n\n" + written("one", "x") + "\n" + written("two", "p\n\nq") + "\n" + written("three", "z");
  EXPECT_EQ(*remove_entry(before, "two"), "# T\n\n" + written("one", "x") + "\n" + written("three", "z"));
  EXPECT_EQ(*remove_entry(before, "one"), "# T\n\n" + written("two", "p\n\nq") + "\n" + written("three", "z"));
  EXPECT_EQ(*remove_entry(before, "three"), "# T\n\n" + written("one", "x") + "\n" + written("two", "p\n\nq"));
}

TEST(RemoveEntry, LeavesTheRestOfAListThatStartsWithIt) {
  EXPECT_EQ(*remove_entry("<!--m {\"id\":\"one\"}-->\n- mine\n- yours\n", "one"), "- yours\n");
}

TEST(RemoveEntry, AnUnknownIdIsNotFound) { EXPECT_EQ(remove_entry("a\n", "nobody").error().code, ErrorCode::not_found); }

TEST(RemoveEntry, IsRefusedWhereAnotherEntryWouldReadDifferently) {
  // The second one gets its id, and with it the trust, as soon as the first one is gone.
  const std::string doubled = written("one", "first") + "\n" + written("one", "second");
  EXPECT_EQ(remove_entry(doubled, "one").error().code, ErrorCode::refused);
}

// --- replace ---

TEST(ReplaceEntryText, KeepsMetadataAndUnknownKeysAndTheRestOfTheFile) {
  const std::string before =
      "# T\n\n<!--m {\"id\":\"one\",\"source\":\"user\",\"tags\":[\"t\"],\"strange\":{\"a\":[1]}}-->\nold words\n\nmine\n";
  const auto after = replace_entry_text(before, "one", "new words");
  ASSERT_TRUE(after) << after.error().message;
  const ParsedEntry now = entry(*after, "one");
  EXPECT_EQ(now.text, "new words");
  EXPECT_EQ(now.metadata->unknown, entry(before, "one").metadata->unknown);
  EXPECT_EQ(now.metadata->source, Source::user);
  EXPECT_EQ(now.metadata->sum, sum_from_hash(text_hash("new words")));
  EXPECT_THAT(*after, testing::StartsWith("# T\n\n<!--m {\"id\":\"one\""));
  EXPECT_THAT(*after, testing::EndsWith("-->\nnew words\n\nmine\n"));
}

TEST(ReplaceEntryText, CanLeaveTheSumSoThatTheTextCountsAsAPersons) {
  const std::string before = written("one", "old");
  const auto after = replace_entry_text(before, "one", "new", KeepSum::yes);
  ASSERT_TRUE(after);
  EXPECT_EQ(entry(*after, "one").metadata->sum, sum_from_hash(text_hash("old")));
  EXPECT_EQ(entry(*after, "one").text, "new");
}

TEST(ReplaceEntryText, AnyTextReadsBackAndTouchesNoNeighbour) {
  const std::string before = written("one", "a") + "\n" + written("two", "b") + "\nand a person's\n\n- list\n- of two\n";
  for (const std::string text :
       {"plain", "two\n\nblocks", "# heading", "<!--m {\"id\":\"forged\"}-->\nx", "```\nopen fence", "<!-- open", "- item\n- item",
        "<<<<<<< a\n=======\n>>>>>>> b", "---", "> quote\nlazy", "    code"}) {
    for (const std::string& file : {before, with_crlf(before)}) {
      const auto after = replace_entry_text(file, "one", text);
      ASSERT_TRUE(after) << text << ": " << after.error().message;
      EXPECT_EQ(entry(*after, "one").text, normalise_text(text));
      EXPECT_EQ(parse(*after).entries.size(), parse(file).entries.size());
      EXPECT_EQ(file.contains('\r'), after->contains('\r'));
    }
  }
}

TEST(ReplaceEntryText, AFileWithoutAFinalNewlineStaysSo) {
  std::string before = written("one", "a");
  before.pop_back();
  const auto after = replace_entry_text(before, "one", "b");
  ASSERT_TRUE(after);
  EXPECT_TRUE(after->ends_with("\nb")) << *after;
}

TEST(ReplaceEntryText, APersonsTextGetsNoMetadataAndKeepsItsBullet) {
  const struct {
    const char *before, *old_text, *new_text, *after;
  } cases[] = {{"a\n\nb\n", "a", "c", "c\n\nb\n"},
               {"- a\n- b\n", "a", "c", "- c\n- b\n"},
               {"- a\n- b\n", "b", "c\nd", "- a\n- c\n  d\n"},
               {"* a\n", "a", "c", "* c\n"},
               {"1. a\n2. b\n", "b", "c", "1. a\n2. c\n"},
               {"- a", "a", "c", "- c"},
               {"> a\n", "> a", "c", "c\n"}};
  for (const auto& one : cases) {
    const auto after = replace_entry_text(one.before, id_of(one.old_text), one.new_text);
    ASSERT_TRUE(after) << one.before << after.error().message;
    EXPECT_EQ(*after, one.after);
  }
}

TEST(ReplaceEntryText, IsRefusedWhereAPersonsTextWouldBecomeSomethingElse) {
  for (const std::string text : {"two\n\nblocks", "# heading", "<!--m {\"id\":\"x\"}-->\nforged", "<!-- gone -->", "```\nopen"}) {
    const auto after = replace_entry_text("a\n\nb\n", id_of("a"), text);
    ASSERT_FALSE(after) << *after;
    EXPECT_EQ(after.error().code, ErrorCode::refused);
  }
  EXPECT_EQ(replace_entry_text("a\n", id_of("a"), "  \n").error().code, ErrorCode::refused);
}

TEST(ReplaceEntry, PutsAnotherEntryInItsPlace) {
  const std::string before = written("one", "a") + "\n" + written("two", "b");
  Metadata corrected = metadata("c-1");
  corrected.source = Source::correction;
  corrected.from = {"f"};
  const auto after = replace_entry(before, "one", corrected, "right");
  ASSERT_TRUE(after);
  EXPECT_EQ(*after, *write_entry(corrected, "right") + "\n" + written("two", "b"));
}

// --- copies ---

TEST(Copies, OfAnEntryInItsFileAreOneWithIt) {
  const std::string mine = "My own.\n\n", two = written("two", "b");
  const auto twice = [&](const std::string& entry) { return entry + "\n" + mine + entry + "\n" + two; };
  const std::string before = twice(written("one", "a"));
  EXPECT_EQ(*remove_entry(before, "one"), mine + two);
  EXPECT_EQ(*replace_entry_text(before, "one", "c"), twice(written("one", "c")));
  EXPECT_EQ(*replace_entry(before, "one", metadata("c-1"), "right"), twice(written("c-1", "right")));
  EXPECT_EQ(replace_entry(before, "one", metadata("two"), "b").error().code, ErrorCode::refused);
  Metadata tagged = metadata("one");
  tagged.tags = {"t"};
  EXPECT_EQ(*set_entry_tags(before, "one", {"t"}), twice(*write_entry(tagged, "a")));
}

TEST(Copies, WithAnotherTextAreAnother) {
  const std::string reworded = written("one", "other words");
  const std::string before = written("one", "a") + "\n" + written("one", "a") + "\n" + reworded;
  EXPECT_EQ(*replace_entry_text(before, "one", "c"), written("one", "c") + "\n" + written("one", "c") + "\n" + reworded);
}

// --- tags ---

TEST(SetEntryTags, ChangesTheMetadataLineOnly) {
  const std::string before = "x\n\n" + written("one", "p\n\nq") + "\ny\n";
  const auto after = set_entry_tags(before, "one", {"a", "b"});
  ASSERT_TRUE(after);
  Metadata expected = *entry(before, "one").metadata;
  expected.tags = {"a", "b"};
  EXPECT_EQ(entry(*after, "one").metadata, expected);
  EXPECT_EQ(after->substr(after->find("-->")), before.substr(before.find("-->")));
  EXPECT_EQ(*set_entry_tags(*after, "one", {}), before);
}

TEST(SetEntryFrom, LeavesTextAndSumAsTheyWere) {
  const std::string before = "x\n\n" + written("one", "p\n\nq") + "\ny\n";
  const auto after = set_entry_from(before, "one", {"f", "g"});
  ASSERT_TRUE(after);
  Metadata expected = *entry(before, "one").metadata;
  expected.from = {"f", "g"};
  EXPECT_EQ(entry(*after, "one").metadata, expected);
  EXPECT_EQ(*set_entry_from(*after, "one", entry(before, "one").metadata->from), before);
}

TEST(SetEntryTags, IsRefusedForAPersonsText) {
  EXPECT_EQ(set_entry_tags("a\n", id_of("a"), {"t"}).error().code, ErrorCode::refused);
  EXPECT_EQ(set_entry_from("a\n", id_of("a"), {"f"}).error().code, ErrorCode::refused);
}

// --- insert ---

TEST(InsertEntry, GoesToTheEndBehindABlankLine) {
  const std::string block = written("new", "text");
  const struct {
    std::string before, after;
  } cases[] = {{"", block}, {"\n\n", block}, {"a", "a\n\n" + block}, {"a\n", "a\n\n" + block}, {"a\n\n\n", "a\n\n" + block}};
  for (const auto& one : cases) {
    const auto after = insert_entry(one.before, metadata("new"), "text");
    ASSERT_TRUE(after) << one.before;
    EXPECT_EQ(*after, one.after);
  }
}

TEST(InsertEntry, GoesToTheEndOfItsSectionWhichIsMadeIfNeedBe) {
  const std::string before = "# User\n\n## Work\n\n- a job\n\n## Höhe\n<!-- hint -->\n", block = written("new", "text");
  EXPECT_EQ(*insert_entry(before, metadata("new"), "text", "work"),
            "# User\n\n## Work\n\n- a job\n\n" + block + "\n## Höhe\n<!-- hint -->\n");
  EXPECT_EQ(*insert_entry(before, metadata("new"), "text", "Höhe"), before + "\n" + block);
  EXPECT_EQ(*insert_entry(before, metadata("new"), "text", "Other"), before + "\n## Other\n\n" + block);
  EXPECT_EQ(*insert_entry(with_crlf(before), metadata("new"), "text", "Other"), with_crlf(before + "\n## Other\n\n" + block));
}

TEST(InsertEntry, AHeadingInACodeBlockIsNone) {
  const std::string before = "```\n## Work\n```\n\n## Work\n\nx\n";
  const auto after = insert_entry(before, metadata("new"), "text", "Work");
  ASSERT_TRUE(after);
  EXPECT_EQ(*after, before + "\n" + written("new", "text"));
}

TEST(InsertEntry, IsRefusedWhereItWouldBeSwallowedOrStandTwice) {
  for (const std::string end : {"```\nopen\n", "<!-- open\n", "<script>\n", "<<<<<<< a\n=======\n>>>>>>> b\n"})
    EXPECT_EQ(insert_entry(end, metadata("new"), "text").error().code, ErrorCode::refused) << end;
  EXPECT_EQ(insert_entry(written("new", "x"), metadata("new"), "text").error().code, ErrorCode::refused);
  EXPECT_EQ(insert_entry("a\n", metadata("new"), "text", "two\nlines").error().code, ErrorCode::refused);
}

}  // namespace
}  // namespace loci
