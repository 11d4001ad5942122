#include "parser/metadata.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parser/parser.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string json_in(const std::string& line) { return line.substr(6, line.size() - 6 - 3); }

Metadata everything() {
  Metadata m;
  m.id = "01jd8x2k9c4q";
  m.end = true;
  m.sum = "0a1b2c3d";
  m.at = parse_time("2026-11-21T20:14:43.125Z");
  m.source = Source::correction;
  m.kind = EntryKind::session_summary;
  m.session = "s-1";
  m.turn = 7;
  m.role = "assistant";
  m.task = "t";
  m.project = "atlas";
  m.tags = {"deploy", "aws"};
  m.category = "habit";
  m.confidence = 0.75;
  m.about = {"deploys"};
  m.corrects = "old";
  m.first_seen = "2026-01-02";
  m.updated = "2026-11-20";
  m.sources = {"2026-01-02"};
  m.from = {"a", "b"};
  m.ref = "r";
  m.unknown = {{"x-later", Json::Array{1, "two", nullptr}}};
  return m;
}

TEST(Metadata, IsReadBackAsItWasWritten) {
  const Metadata all = everything();
  const auto read = parse_metadata(json_in(format_metadata(all)));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, all);
  EXPECT_EQ(format_metadata(*read), format_metadata(all));
}

TEST(Metadata, IsWrittenInOneOrder) {
  EXPECT_EQ(
      format_metadata(everything()),
      R"(<!--m {"id":"01jd8x2k9c4q","end":1,"sum":"0a1b2c3d","at":"2026-11-21T20:14:43.125Z","source":"correction",)"
      R"("kind":"session-summary","session":"s-1","turn":7,"role":"assistant","task":"t","project":"atlas","tags":["deploy","aws"],)"
      R"("category":"habit","confidence":0.75,"about":["deploys"],"corrects":"old","first_seen":"2026-01-02","updated":"2026-11-20",)"
      R"("sources":["2026-01-02"],"from":["a","b"],"ref":"r","x-later":[1,"two",null]}-->)");
}

TEST(Metadata, WhatIsAbsentIsNotWritten) { EXPECT_EQ(format_metadata({}), "<!--m {}-->"); }

TEST(Metadata, NoValueCanEndTheComment) {
  Metadata m;
  m.id = "a";
  m.project = "--> <!--m {\"id\":\"b\"}-->\n# x\r\n";
  const std::string line = format_metadata(m);
  EXPECT_EQ(line.find('>'), line.size() - 1);
  EXPECT_EQ(line.find_first_of("\r\n"), std::string::npos);
  const ParsedFile file = parse(line + "\ntext\n");
  ASSERT_EQ(file.entries.size(), 1U);
  EXPECT_EQ(file.entries[0].metadata->project, m.project);
}

TEST(Metadata, UnknownKeysKeepTheirOrderAndValues) {
  const auto m = parse_metadata(R"({"zeta":{"b":1,"a":[true,null,1.5]},"id":"x","alpha":"é>"})");
  ASSERT_TRUE(m);
  EXPECT_EQ(format_metadata(*m), R"(<!--m {"id":"x","zeta":{"b":1,"a":[true,null,1.5]},"alpha":"é\u003e"}-->)");
}

TEST(Metadata, NullCountsAsAbsent) {
  const auto m = parse_metadata(R"({"id":null,"end":null,"tags":null,"at":null,"turn":null})");
  ASSERT_TRUE(m);
  EXPECT_EQ(*m, Metadata());
}

TEST(Metadata, EndIsOneOrTrue) {
  EXPECT_TRUE(parse_metadata(R"({"end":1})")->end);
  EXPECT_TRUE(parse_metadata(R"({"end":true})")->end);
  EXPECT_FALSE(parse_metadata(R"({"end":0})")->end);
}

TEST(Metadata, AConfidenceThatIsImpossibleIsKept) { EXPECT_EQ(parse_metadata(R"({"confidence":7})")->confidence, 7.0); }

TEST(Metadata, AReasonSaysWhichKeyIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "JSON"},
      {"[]", "one JSON object"},
      {"{} {}", "JSON"},
      {R"({"id":"a","id":"b"})", "'id' stands twice"},
      {R"({"id":"a b"})", "'id'"},
      {R"({"id":""})", "'id'"},
      {R"({"id":5})", "'id'"},
      {R"({"end":2})", "'end'"},
      {R"({"end":"1"})", "'end'"},
      {R"({"at":"yesterday"})", "'at'"},
      {R"({"at":5})", "'at'"},
      {R"({"source":"god"})", "correction"},
      {R"({"kind":"thing"})", "task-summary"},
      {R"({"turn":"1"})", "'turn'"},
      {R"({"turn":1.5})", "'turn'"},
      {R"({"tags":"a"})", "'tags'"},
      {R"({"tags":[1]})", "'tags'"},
      {R"({"confidence":"high"})", "'confidence'"},
      {R"({"session":1})", "'session'"},
      {R"({"sum":false})", "'sum'"},
  };
  for (const auto& [json, reason] : cases) {
    const auto m = parse_metadata(json);
    ASSERT_FALSE(m) << json;
    EXPECT_THAT(m.error().message, HasSubstr(reason)) << json;
  }
}

TEST(Metadata, DeepJsonIsRefusedAndNotFollowed) {
  EXPECT_FALSE(parse_metadata("{\"x\":" + std::string(1 << 20, '[') + std::string(1 << 20, ']') + "}"));
}

TEST(Metadata, AnIdIsShortAndPlain) {
  EXPECT_TRUE(is_valid_id("01jd8x2k9c4q"));
  EXPECT_TRUE(is_valid_id("A.b_c-9"));
  EXPECT_TRUE(is_valid_id(std::string(64, 'a')));
  EXPECT_FALSE(is_valid_id(std::string(65, 'a')));
  EXPECT_FALSE(is_valid_id(""));
  EXPECT_FALSE(is_valid_id("a/b"));
  EXPECT_FALSE(is_valid_id("é"));
}

TEST(Metadata, NamesAndTrust) {
  for (const Source source : {Source::system, Source::agent, Source::user, Source::correction})
    EXPECT_EQ(source_from(name_of(source)), source);
  for (const EntryKind kind : {EntryKind::fact, EntryKind::turn, EntryKind::session_summary, EntryKind::task_summary})
    EXPECT_EQ(kind_from(name_of(kind)), kind);
  EXPECT_EQ(default_confidence(Source::correction), 1.0);
  EXPECT_EQ(default_confidence(Source::user), 0.9);
  EXPECT_EQ(default_confidence(Source::agent), 0.7);
  EXPECT_EQ(default_confidence(Source::system), 0.5);
}

}  // namespace
}  // namespace loci
