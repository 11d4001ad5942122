#include "vault/logs/logs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loci {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string hash(32, 'a');
const std::string at = "\"at\":\"2026-11-21T20:14:43.120Z\"";
const std::string name = ".loci/tombstones/test.jsonl";

Tombstone tombstone(std::string id) {
  return {.at = *parse_time("2026-11-21T20:14:43.120Z"),
          .id = std::move(id),
          .text_hash = hash,
          .reason = Tombstone::Reason::deleted,
          .by = "user",
          .superseded_by = ""};
}

std::vector<std::string> ids(const LogFile<Tombstone>& log) {
  std::vector<std::string> found;
  for (const Tombstone& line : log.lines) found.push_back(line.id);
  return found;
}

std::vector<int> lines_of(const std::vector<Problem>& problems) {
  std::vector<int> lines;
  for (const Problem& problem : problems) lines.push_back(problem.line);
  return lines;
}

TEST(Logs, ATombstoneComesBackAsItWasWritten) {
  using Reason = Tombstone::Reason;
  for (const Reason reason : {Reason::deleted, Reason::corrected, Reason::demoted, Reason::restored}) {
    Tombstone written = tombstone("01jd8x2k9c4q");
    written.reason = reason;
    written.superseded_by = reason == Reason::corrected ? "c-0123" : "";
    written.by = "agent";
    const std::string line = format(written);
    EXPECT_EQ(std::ranges::count(line, '\n'), 1);
    const auto log = parse_tombstones(line, name);
    EXPECT_THAT(log.problems, IsEmpty());
    ASSERT_EQ(log.lines.size(), 1u);
    EXPECT_EQ(log.lines[0].at, written.at);
    EXPECT_EQ(log.lines[0].id, written.id);
    EXPECT_EQ(log.lines[0].text_hash, written.text_hash);
    EXPECT_EQ(log.lines[0].reason, reason);
    EXPECT_EQ(log.lines[0].by, "agent");
    EXPECT_EQ(log.lines[0].superseded_by, written.superseded_by);
  }
}

TEST(Logs, ATombstoneIsWrittenAsTheManualSays) {
  EXPECT_EQ(format(tombstone("x")), "{\"at\":\"2026-11-21T20:14:43.120Z\",\"id\":\"x\",\"text_hash\":\"" + hash +
                                        "\",\"reason\":\"deleted\",\"by\":\"user\"}\n");
}

TEST(Logs, ALedgerEntryComesBackAsItWasWritten) {
  using Outcome = LedgerEntry::Outcome;
  for (const Outcome outcome :
       {Outcome::added, Outcome::replaced, Outcome::merged, Outcome::duplicate, Outcome::ignored, Outcome::quarantined}) {
    const LedgerEntry written{.generation = 3,
                              .run = "r1",
                              .at = *parse_time("2026-11-21"),
                              .fact = "f",
                              .fact_hash = hash,
                              .outcome = outcome,
                              .entry = "e",
                              .entry_hash = hash,
                              .into = "i",
                              .why = "two\nlines \"and\" <more>"};
    const auto log = parse_ledger(format(written), name);
    EXPECT_THAT(log.problems, IsEmpty());
    ASSERT_EQ(log.lines.size(), 1u);
    const LedgerEntry& read = log.lines[0];
    EXPECT_EQ(std::tie(read.generation, read.run, read.at, read.fact, read.fact_hash, read.outcome, read.entry, read.entry_hash,
                       read.into, read.why),
              std::tie(written.generation, written.run, written.at, written.fact, written.fact_hash, written.outcome, written.entry,
                       written.entry_hash, written.into, written.why));
  }
}

TEST(Logs, PromotionLinesOfTheLedgerSettleNothing) {
  const auto log = parse_ledger(R"({"gen":1,"run":"r","promoted":[{"ref":"x","line_hash":"y"}]})"
                                "\n",
                                name);
  EXPECT_THAT(log.lines, IsEmpty());
  EXPECT_THAT(log.problems, IsEmpty());
  ASSERT_EQ(log.promotions.size(), 1u);
  EXPECT_EQ(log.promotions.front().lines.front(), (std::pair<std::string, std::string>("x", "y")));
}

TEST(Logs, WhatIsWrittenOfAPromotionOrAGenerationIsReadBack) {
  const PromotedLines promoted{2, "r", *parse_time("2026-11-21"), {{"x", std::string(32, 'a')}}, std::vector<std::string>{"y"}};
  const GenerationMark mark{2, "r", *parse_time("2026-11-21"), true};
  const auto log = parse_ledger(format(promoted) + format(mark), name);
  ASSERT_EQ(log.promotions.size(), 1u);
  EXPECT_EQ(log.promotions.front().lines, promoted.lines);
  EXPECT_EQ(log.promotions.front().dropped, promoted.dropped);
  ASSERT_EQ(log.generations.size(), 1u);
  EXPECT_EQ(log.generations.front().generation, 2);
  EXPECT_TRUE(log.generations.front().whole);
  EXPECT_THAT(log.problems, IsEmpty());
}

TEST(Logs, ABrokenLineIsNamedAndTheOthersCount) {
  struct Case {
    std::string line, reason;
  };
  const std::string hashed = "\"text_hash\":\"" + hash + "\"";
  for (const auto& [line, reason] :
       {Case{"not json", "not valid JSON"},
        {"[1]", "not a JSON object"},
        {"<<<<<<< HEAD", "not valid JSON"},
        {"{" + at + ",\"id\":\"x\",\"reason\":\"deleted\",\"id\":\"y\"}", "stands twice"},
        {"{\"id\":\"x\",\"reason\":\"deleted\"}", "\"at\" is missing"},
        {"{\"at\":\"soon\",\"id\":\"x\",\"reason\":\"deleted\"}", "\"at\" is not a time"},
        {"{\"at\":5,\"id\":\"x\",\"reason\":\"deleted\"}", "\"at\" is not a string"},
        {"{" + at + ",\"reason\":\"deleted\"}", "\"id\" is missing"},
        {"{" + at + ",\"id\":\"a b\",\"reason\":\"deleted\"}", "\"id\" is not an id"},
        {"{" + at + ",\"id\":\"\",\"reason\":\"deleted\"}", "\"id\" is empty"},
        {"{" + at + ",\"id\":\"x\",\"reason\":\"vanished\"}", "\"reason\" is none"},
        {"{" + at + ",\"id\":\"x\"}", "\"reason\" is missing"},
        {"{" + at + ",\"id\":\"x\",\"reason\":\"deleted\",\"text_hash\":\"ABC\"}", "\"text_hash\" is not 32"},
        {std::string(100000, '['), ""},
        {"{\"a\":\"\xff\"}", ""}}) {
    const auto log = parse_tombstones(format(tombstone("a")) + line + "\n" + format(tombstone("b")), name);
    EXPECT_THAT(ids(log), ElementsAre("a", "b")) << line;
    ASSERT_EQ(log.problems.size(), 1u) << line;
    EXPECT_EQ(log.problems[0].file, name);
    EXPECT_EQ(log.problems[0].line, 2);
    EXPECT_EQ(log.problems[0].code, "broken-line");
    EXPECT_THAT(log.problems[0].message, HasSubstr(reason));
  }
}

TEST(Logs, UnknownKeysNullsBlankLinesAndWindowsLineEndsAreFine) {
  const auto log =
      parse_tombstones("{" + at + ",\"id\":\"x\",\"reason\":\"deleted\",\"text_hash\":null,\"new\":[1]}\r\n\r\n \n", name);
  EXPECT_THAT(ids(log), ElementsAre("x"));
  EXPECT_EQ(log.lines[0].text_hash, "");
  EXPECT_THAT(log.problems, IsEmpty());
}

TEST(Logs, ATornLastLineIsNamedAndDoesNotCountUntilItIsWhole) {
  const std::string whole = format(tombstone("a")) + format(tombstone("b"));
  for (size_t size = whole.size() / 2 + 1; size < whole.size(); ++size) {
    const auto log = parse_tombstones(whole.substr(0, size), name);
    EXPECT_THAT(ids(log), ElementsAre("a"));
    EXPECT_EQ(log.complete_bytes, whole.size() / 2);
    ASSERT_EQ(log.problems.size(), 1u);
    EXPECT_EQ(log.problems[0].code, "torn-line");
    EXPECT_EQ(log.problems[0].line, 2);
    const auto rest = parse_tombstones(whole, name, log.complete_bytes);
    EXPECT_THAT(ids(rest), ElementsAre("b"));
    EXPECT_EQ(rest.complete_bytes, whole.size());
  }
}

TEST(Logs, ReadingOnNamesTheLinesOfTheWholeFile) {
  const std::string start = format(tombstone("a")) + format(tombstone("b"));
  const auto log = parse_tombstones(start + "broken\n" + format(tombstone("c")), name, start.size());
  EXPECT_THAT(ids(log), ElementsAre("c"));
  EXPECT_THAT(lines_of(log.problems), ElementsAre(3));
  EXPECT_EQ(parse_tombstones(start, name, start.size() + 100).complete_bytes, start.size());
}

TEST(Logs, AFileThatIsNoLogAtAllGivesABoundedList) {
  std::string noise;
  for (int i = 0; i < 100000; ++i) noise += "x\n";
  const auto log = parse_tombstones(noise, name);
  EXPECT_EQ(log.problems.size(), 101u);
  EXPECT_THAT(log.problems.back().message, HasSubstr("100000 lines in all"));
}

TEST(Logs, TheHostStandsInTheName) {
  EXPECT_EQ(host_of_log(".loci/tombstones/k3f9.jsonl"), "k3f9");
  EXPECT_EQ(host_of_log("k3f9.sync-conflict-20261121.jsonl"), "k3f9");
}

}  // namespace
}  // namespace loci
