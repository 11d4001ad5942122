#include "parser/entry_edits.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "parser/text_hash.h"
#include "parser/writer.h"

namespace loci {
namespace {

using Kind = EntryEdit::Kind;

Metadata metadata(const std::string& id) {
  Metadata data;
  data.id = id;
  data.source = Source::agent;
  return data;
}

std::string written(const std::string& id, const std::string& text) { return write_entry(metadata(id), text).value(); }

EntryEdit replacing(const std::string& id, const std::string& text) { return {Kind::replace, id, metadata(id), text}; }
EntryEdit removing(const std::string& id) { return {.kind = Kind::remove, .id = id}; }
EntryEdit appending(const std::string& id, const std::string& text) { return {Kind::append, {}, metadata(id), text}; }

Result<EditedFile> edit(const std::string& file, const std::vector<EntryEdit>& edits) {
  return apply_entry_edits(file, parse(file), edits);
}

const std::string three =
    "# Mine\n\n" + written("a", "One.") + "\n" + written("b", "Two.") + "\nMy own.\n\n" + written("c", "Three.");

TEST(EntryEdits, ChangeRemoveAndAppendAtOnce) {
  const auto edited = edit(three, {replacing("c", "Three anew."), removing("a"), appending("d", "Four.")});
  ASSERT_TRUE(edited) << edited.error().message;
  EXPECT_EQ(edited->bytes,
            "# Mine\n\n" + written("b", "Two.") + "\nMy own.\n\n" + written("c", "Three anew.") + "\n" + written("d", "Four."));
  EXPECT_EQ(edited->parsed.entries.size(), 4u);
}

TEST(EntryEdits, AreOnesOfTheCopiesOfTheirEntriesToo) {
  const std::string one = written("a", "One."), two = written("b", "Two.");
  const auto edited = edit(one + "\n" + two + "\n" + one + "\n" + two, {removing("a"), replacing("b", "Two anew.")});
  ASSERT_TRUE(edited) << edited.error().message;
  EXPECT_EQ(edited->bytes, written("b", "Two anew.") + "\n" + written("b", "Two anew."));
}

TEST(EntryEdits, NoEditsChangeNothing) { EXPECT_EQ(edit(three, {})->bytes, three); }

TEST(EntryEdits, TheLastEntryGoesWithTheBlankLineBeforeIt) {
  EXPECT_EQ(edit(three, {removing("c")})->bytes, three.substr(0, three.find("\n" + written("c", "Three."))));
}

TEST(EntryEdits, AnEmptyFileTakesEntriesIn) {
  EXPECT_EQ(edit("", {appending("a", "One."), appending("b", "Two.")})->bytes, written("a", "One.") + "\n" + written("b", "Two."));
}

TEST(EntryEdits, ALineThatHasNoEndGetsOne) {
  EXPECT_EQ(edit("Mine.", {appending("a", "One.")})->bytes, "Mine.\n\n" + written("a", "One."));
}

TEST(EntryEdits, CarriageReturnsStay) {
  std::string file;
  for (const char c : three) file += c == '\n' ? "\r\n" : std::string(1, c);
  const auto edited = edit(file, {replacing("a", "One\nand more."), removing("b"), appending("d", "Four.")});
  ASSERT_TRUE(edited) << edited.error().message;
  EXPECT_EQ(std::ranges::count(edited->bytes, '\n'), std::ranges::count(edited->bytes, '\r'));
}

TEST(EntryEdits, OfAnEntryThatIsNotThereIsRefused) { EXPECT_EQ(edit(three, {removing("x")}).error().code, ErrorCode::not_found); }

TEST(EntryEdits, AnIdThatIsThereAlreadyIsNotAppended) { EXPECT_FALSE(edit(three, {appending("a", "Another.")})); }

TEST(EntryEdits, BehindAnOpenFenceNothingIsAppended) {
  const auto edited = edit(three + "\n```\nopen\n", {appending("d", "Four.")});
  ASSERT_FALSE(edited);
  EXPECT_EQ(edited.error().code, ErrorCode::refused);
}

// The likely way would make one paragraph of two.
TEST(EntryEdits, WhatStandsCloseTogetherIsKeptApart) {
  const std::string close = written("a", "One.") + "- a list\n";
  const auto edited = edit(close, {replacing("a", "- another list")});
  ASSERT_TRUE(edited) << edited.error().message;
  ASSERT_EQ(edited->parsed.entries.size(), 2u);
  EXPECT_EQ(edited->parsed.entries[0].text, "- another list");
  EXPECT_EQ(edited->parsed.entries[1].text, "a list");
}

TEST(EntryEdits, TextThatLooksLikeMetadataStaysText) {
  const std::string nasty = "<!--m {\"id\":\"b\"}-->\nTwo.\n\n# Heading\n\n```\nopen";
  const auto edited = edit(three, {replacing("a", nasty), appending("d", nasty)});
  ASSERT_TRUE(edited) << edited.error().message;
  EXPECT_EQ(edited->parsed.entries.front().text, nasty);
  EXPECT_EQ(edited->parsed.entries.back().text, nasty);
}

}  // namespace
}  // namespace loci
