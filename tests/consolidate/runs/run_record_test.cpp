#include "consolidate/runs/run_record.h"

#include <sys/stat.h>

#include "consolidate/runs/run_json.h"
#include "tests/consolidate/consolidate_fixture.h"

namespace loci {
namespace {

class RunRecordTest : public ConsolidateTest {
 protected:
  RunRecord whole() {
    RunRecord record;
    record.run = "01aaaaaaaaaaaaaa";
    record.at = clock.now();
    record.ended = clock.now() + std::chrono::seconds(3);
    record.generation = 2;
    record.kind = "consolidate";
    record.model = "claude";
    record.prompt = "decide/1";
    record.tokens = {100, 20};
    record.outcome = "done";
    record.reason = "why";
    record.undone_by = "01bbbbbbbbbbbbbb";
    record.files = {{"consolidated/memory.md", "before", "after", true}};
    ClusterRecord cluster;
    cluster.outcome = "applied";
    cluster.facts = {"f1"};
    cluster.left_out = {"f2"};
    const std::string hash = stored_text_hash("x");
    cluster.entries = {{"c-1",
                        "consolidated/memory.md",
                        "old",
                        "new",
                        hash,
                        hash,
                        "<!--m-->\nold",
                        "<!--m-->\nnew",
                        {{"f1", hash, "new\n\"text\"", "2026-11-21", Source::correction}}}};
    cluster.ledger = {{2, record.run, record.at, "f1", hash, LedgerEntry::Outcome::replaced, "c-1", hash, {}, "because"}};
    cluster.tombstones = {{record.at, "f0", hash, Tombstone::Reason::corrected, "user", "f1"}};
    record.clusters = {cluster};
    return record;
  }
  static std::string all_of(const RunRecord& record) {
    return to_string(head_to_json(record)) + to_string(clusters_to_json(record));
  }
  const Vault& vault() { return memory->vault(); }
};

TEST_F(RunRecordTest, IsReadAsItWasWritten) {
  ASSERT_TRUE(write_run(vault(), whole()));
  EXPECT_EQ(all_of(read_run(vault(), whole().run).value()), all_of(whole()));
}

TEST_F(RunRecordTest, AUniquePrefixWillDo) {
  RunRecord record = whole();
  ASSERT_TRUE(write_run(vault(), record));
  EXPECT_EQ(read_run(vault(), "01a").value().run, record.run);
  record.run = "01aabbbbbbbbbbbb";
  ASSERT_TRUE(write_run(vault(), record));
  EXPECT_EQ(read_run(vault(), "01a").error().code, ErrorCode::usage);
  EXPECT_EQ(read_run(vault(), "02").error().code, ErrorCode::not_found);
  EXPECT_EQ(read_run(vault(), "").error().code, ErrorCode::not_found);
  EXPECT_EQ(read_run(vault(), "../01aa").error().code, ErrorCode::not_found);
}

TEST_F(RunRecordTest, TheLatestComesFirstAndBrokenOnesAreNamed) {
  RunRecord record = whole();
  ASSERT_TRUE(write_run(vault(), record));
  record.run = "01cccccccccccccc";
  ASSERT_TRUE(write_run(vault(), record));
  record.run = "01dddddddddddddd";
  ASSERT_TRUE(write_run(vault(), record));
  ASSERT_TRUE(write_file(vault().files(), vault().state_folder() / "runs/01cccccccccccccc/run.json", "{\"run\":"));
  std::vector<Problem> problems;
  const auto runs = list_runs(vault(), &problems).value();
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].run, "01dddddddddddddd");
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_TRUE(problems[0].file.ends_with("runs/01cccccccccccccc/run.json")) << problems[0].file;
}

TEST_F(RunRecordTest, AListKnowsWhatEachRunCameToWithoutReadingIt) {
  ASSERT_TRUE(write_run(vault(), whole()));
  const std::string shown = to_string(run_to_json(whole(), false));
  ASSERT_TRUE(write_file(vault().files(), vault().state_folder() / "runs" / whole().run / "clusters.json", "no JSON"));
  const auto runs = list_runs(vault()).value();
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_TRUE(runs[0].clusters.empty());
  EXPECT_EQ(counts_of(runs[0]).outcomes, (std::map<std::string, size_t>{{"replaced", 1}}));
  EXPECT_EQ(to_string(run_to_json(runs[0], false)), shown);
  EXPECT_EQ(read_run(vault(), whole().run).error().code, ErrorCode::failed);
}

TEST_F(RunRecordTest, WhatWasThereBeforeIsKeptUnderItsHash) {
  const std::string bytes = "before\n";
  ASSERT_TRUE(keep_before(vault(), "01aaaaaaaaaaaaaa", bytes));
  EXPECT_EQ(read_before(vault(), "01aaaaaaaaaaaaaa", hash_of_bytes(bytes)).value(), bytes);
  const path kept = vault().state_folder() / "runs/01aaaaaaaaaaaaaa/before" / hash_of_bytes(bytes);
  struct stat info{};
  ASSERT_EQ(::stat(kept.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777u, 0600u);
  ASSERT_TRUE(write_file(vault().files(), kept, "something else\n"));
  EXPECT_FALSE(read_before(vault(), "01aaaaaaaaaaaaaa", hash_of_bytes(bytes)));
}

TEST_F(RunRecordTest, OldRunsGo) {
  RunRecord record = whole();
  ASSERT_TRUE(write_run(vault(), record));
  clock.advance(std::chrono::days(20));
  record.run = "01zzzzzzzzzzzzzz";
  record.at = clock.now();
  ASSERT_TRUE(write_run(vault(), record));
  clock.advance(std::chrono::days(20));
  ASSERT_TRUE(remove_old_runs(vault()));
  const auto runs = list_runs(vault()).value();
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].run, "01zzzzzzzzzzzzzz");
}

TEST_F(RunRecordTest, OfTheLatestRunTheFiguresStayWhateverItsAge) {
  RunRecord record = whole();
  ASSERT_TRUE(write_run(vault(), record));
  record.run = "01bbbbbbbbbbbbbb";
  ASSERT_TRUE(write_run(vault(), record));
  ASSERT_TRUE(keep_before(vault(), record.run, "before\n"));
  record.run = "01cccccccccccccc";
  record.kind = "undo";
  ASSERT_TRUE(write_run(vault(), record));
  clock.advance(std::chrono::days(400));
  ASSERT_TRUE(remove_old_runs(vault()));
  const auto runs = list_runs(vault()).value();
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[1].run, "01bbbbbbbbbbbbbb");
  EXPECT_EQ(counts_of(runs[1]).changed, 1u);
  EXPECT_FALSE(read_before(vault(), runs[1].run, hash_of_bytes("before\n")));
  EXPECT_TRUE(read_run(vault(), runs[1].run).value().clusters.empty());
}

TEST_F(RunRecordTest, APreImageThatIsMissingIsSaidSo) {
  ASSERT_TRUE(write_run(vault(), whole()));
  const auto missing = read_before(vault(), whole().run, hash_of_bytes("before\n"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::failed);
  EXPECT_NE(missing.error().message.find(whole().run), std::string::npos);
}

TEST_F(RunRecordTest, OnlyTheLatestCanBeUnfinished) {
  EXPECT_FALSE(unfinished_run(vault()));
  RunRecord record = whole();
  record.ended.reset();
  ASSERT_TRUE(write_run(vault(), record));
  ASSERT_TRUE(unfinished_run(vault()));
  EXPECT_EQ(unfinished_run(vault())->clusters.size(), 1u);
  record.run = "01zzzzzzzzzzzzzz";
  record.ended = clock.now();
  ASSERT_TRUE(write_run(vault(), record));
  EXPECT_FALSE(unfinished_run(vault()));
}

TEST_F(RunRecordTest, ForAPersonItShowsFactsBesideTheEntry) {
  const Json json = run_to_json(whole(), true);
  EXPECT_EQ(json.count_at("changed"), 1u);
  const Json* clusters = json.find("clusters");
  ASSERT_TRUE(clusters && clusters->as_array());
  const Json& entry = clusters->as_array()->front().find("entries")->as_array()->front();
  EXPECT_EQ(entry.text_at("before"), "old");
  EXPECT_EQ(entry.text_at("after"), "new");
  EXPECT_EQ(entry.find("facts")->as_array()->front().text_at("text"), "new\n\"text\"");
  EXPECT_FALSE(run_to_json(whole(), false).find("clusters"));
}

}  // namespace
}  // namespace loci
