#include "memory/import.h"

#include "memory/export.h"
#include "memory/json_shapes.h"
#include "tests/memory/memory_fixture.h"

namespace loci {
namespace {

TEST(ParseExport, WhatIsNoneSaysWhere) {
  const std::pair<std::string, std::string> cases[] = {
      {"{\"v\":1,\"entries\":3}", "\"entries\" is no array"},
      {"{\"v\":1,\"entries\":[{\"id\":\"a\"}]}", "entry 1 has no \"text\""},
      {"{\"id\":\"a\",\"text\":\"x\"}\nnot json\n", "line 2: "},
  };
  for (const auto& [bytes, message] : cases) {
    const auto entries = parse_export(bytes);
    ASSERT_FALSE(entries) << bytes;
    EXPECT_EQ(entries.error().code, ErrorCode::usage);
    EXPECT_EQ(entries.error().message.substr(0, message.size()), message);
  }
}

TEST(ParseExport, WhatWasForgottenIsLeftOut) {
  const auto entries =
      parse_export("{\"id\":\"a\",\"text\":\"x\",\"status\":\"inactive\"}\n{\"id\":\"b\",\"text\":\"y\",\"status\":\"active\"}\n");
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 1u);
  EXPECT_EQ(entries->front().id, "b");
}

TEST_F(MemoryTest, AnExportedEntryReadsBackEqual) {
  write(
      "archive/2026-01-02.md",
      "<!--m "
      "{\"id\":\"f1\",\"at\":\"2026-01-02T03:04:05.678Z\",\"source\":\"correction\",\"kind\":\"turn\",\"session\":\"s\",\"turn\":3,"
      "\"role\":\"user\",\"task\":\"t\",\"project\":\"p\",\"tags\":[\"a\",\"b\"],\"category\":\"c\",\"confidence\":0.25,\"about\":["
      "\"k\"],"
      "\"corrects\":\"f0\"}-->\nsaid\n");
  Memory memory = open();
  ASSERT_TRUE(memory.bring_up_to_date());
  const Entry entry = find_entry(memory, "f1").value();
  const auto again = parse_export(to_string(entry_to_export(entry)));
  ASSERT_TRUE(again);
  ASSERT_EQ(again->size(), 1u);
  EXPECT_EQ(
      to_string(entry_to_export(again->front())).substr(0, 400).find("\"at\":\"2026-01-02T03:04:05.678Z\"") != std::string::npos,
      true);
  const Entry& read = again->front();
  EXPECT_EQ(read.source, Source::correction);
  EXPECT_EQ(read.kind, EntryKind::turn);
  EXPECT_EQ(read.turn, 3);
  EXPECT_EQ(read.tags, entry.tags);
  EXPECT_EQ(read.about, entry.about);
  EXPECT_EQ(read.confidence, 0.25);
  EXPECT_EQ(read.corrects, "f0");
  EXPECT_EQ(read.hash, entry.hash);
}

TEST_F(MemoryTest, ASecondImportAddsNothing) {
  Entry fact;
  fact.id = "a1";
  fact.text = "one";
  fact.hash = "0123456789abcdef0123456789abcdef";
  fact.at = parse_time("2020-02-03T04:05:06Z");
  fact.source = Source::agent;
  fact.place = Place::archive;
  Memory memory = open();
  const auto first = import_entries(memory, {fact}, false);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->archived, 1u);
  EXPECT_TRUE(folder.has("vault/archive/2020-02-03.md") || !folder.contents("vault/archive").empty());
  const auto before = folder.contents("vault");
  const auto second = import_entries(memory, {fact}, false);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->known, 1u);
  EXPECT_EQ(second->archived, 0u);
  EXPECT_EQ(folder.contents("vault"), before);
}

TEST(TurnsOf, QuestionAndAnswerAreOneTurn) {
  const auto said = [](const char* id, const char* session, std::int64_t number, const char* role, const char* text) {
    Entry entry;
    entry.id = id;
    entry.session = session;
    entry.turn = number;
    entry.role = role;
    entry.text = text;
    return entry;
  };
  const auto turns = turns_of({said("d", "s", 1, "assistant", "A1"), said("c", "s", 1, "user", "Q1"),
                               said("x", "other", 1, "user", "Q"), said("a", "s", 0, "", "Q0")});
  ASSERT_EQ(turns.size(), 3u);
  EXPECT_EQ(to_string(turn_to_json(turns[0])), R"({"id":"c","session":"s","turn":1,"user":"Q1","assistant":"A1","at":null})");
  EXPECT_EQ(turns[1].session, "other");
  EXPECT_EQ(turns[2].user, "Q0");
  EXPECT_EQ(turns[2].assistant, "");
}

}  // namespace
}  // namespace loci
