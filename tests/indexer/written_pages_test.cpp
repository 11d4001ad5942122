#include "indexer/written_pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <tuple>

#include "indexer/columns.h"
#include "indexer/schema.h"
#include "tests/indexer/indexed_vault.h"
#include "vault/logs/logs.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

TEST(WrittenPages, AreThoseOfTheCommitsSince) {
  WrittenPages written;
  written.add_commit({1, 2});
  written.add_commit({2, 7});
  EXPECT_EQ(written.commits(), 2u);
  EXPECT_THAT(written.since(0), Optional(ElementsAre(1, 2, 7)));
  EXPECT_THAT(written.since(1), Optional(ElementsAre(2, 7)));
  EXPECT_THAT(written.since(2), Optional(IsEmpty()));
  EXPECT_EQ(written.since(3), std::nullopt);
}

TEST(WrittenPages, AreUnknownAfterManyCommitsOrALargeOne) {
  WrittenPages written;
  for (RowId page = 0; page <= WrittenPages::most_commits; ++page) written.add_commit({page});
  EXPECT_EQ(written.since(0), std::nullopt);
  EXPECT_EQ(written.since(1)->size(), WrittenPages::most_commits);
  written.add_commit(std::vector<RowId>(WrittenPages::most_pages + 1));
  const auto now = written.commits();
  EXPECT_EQ(written.since(now - 1), std::nullopt);
  EXPECT_THAT(written.since(now), Optional(IsEmpty()));
}

struct OpenedIndex {
  explicit OpenedIndex(const TemporaryFolder& folder) : index(create_index(real_file_system(), folder / "index.1.db").value()) {}
  IndexConnection index;
};

TEST(WrittenPages, AreInTheIndexAsTheyWereStored) {
  const TemporaryFolder folder;
  OpenedIndex opened(folder);
  EXPECT_EQ(WrittenPages::load(opened.index.database)->commits(), 0u);
  WrittenPages written;
  for (RowId page = 0; page < 2 * WrittenPages::most_commits; ++page) written.add_commit({page, 100'000 * page});
  written.store(opened.index.database);
  const auto loaded = WrittenPages::load(opened.index.database);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->commits(), written.commits());
  for (std::uint64_t commit = 0; commit <= written.commits(); ++commit) EXPECT_EQ(loaded->since(commit), written.since(commit));
}

TEST(PagesOfRecords, AreTakenOverUpToABound) {
  const TemporaryFolder folder;
  OpenedIndex opened(folder);
  constexpr RowId pages = 2 * ColumnPages::most_taken_over;
  const auto row_on = [](RowId page) { return page * ColumnPages::rows_per_page; };
  ColumnPages first(opened.index.database);
  for (RowId page = 0; page < pages; ++page)
    first.write(row_on(page), [&](ColumnRecord& record) { record.entry.text_length = page; });
  first.flush();
  ColumnPages second(opened.index.database);
  second.take_over(first);
  EXPECT_EQ(first.pages_in_memory(), 0u);
  EXPECT_EQ(second.entry(row_on(0)).text_length, 0u);
  EXPECT_LE(second.pages_in_memory(), ColumnPages::most_taken_over + 1);
  for (RowId page = 0; page < pages; ++page) EXPECT_EQ(second.entry(row_on(page)).text_length, page);
}

bool operator==(const EntryColumns& a, const EntryColumns& b) {
  const auto all = [](const EntryColumns& of) {
    return std::tie(of.text_length, of.context_length, of.thread, of.previous, of.next, of.at, of.layer, of.kind, of.source,
                    of.speaker, of.traits, of.active, of.pending);
  };
  return all(a) == all(b);
}

// Facts, conversations and what removes them, so many that they lie on many pages.
class ChangingVault {
 public:
  ChangingVault() {
    for (int file = 0; file < files; ++file) append(file, 250);
    vault.reconcile();
  }

  void change() {
    const int file = static_cast<int>(random_() % files);
    std::vector<std::string>& blocks = blocks_[file];
    switch (random_() % 10) {
      case 0:
        if (!blocks.empty()) blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(random_() % blocks.size()));
        write(file);
        break;
      case 1:
        if (!blocks.empty()) blocks[random_() % blocks.size()] = block();
        write(file);
        break;
      case 2: {
        Tombstone end;
        end.at = vault.clock.now();
        end.id = "f" + std::to_string(random_() % (number_ + 1));
        end.reason = Tombstone::Reason::deleted;
        end.by = "user";
        vault.append(".loci/tombstones/aaaa.jsonl", format(end));
        break;
      }
      default:
        append(file, 1 + random_() % 3);
    }
    vault.reconcile();
  }

  void rebuild() { ASSERT_TRUE(Indexer::open(*vault.vault, {})->rebuild("asked for")); }

  RowId last_row() const { return static_cast<RowId>(number_ + 1); }

  IndexedVault vault;

 private:
  static constexpr int files = 8;

  std::string path(int file) { return "archive/2026-05-0" + std::to_string(file + 1) + ".md"; }
  std::string block() {
    const std::string number = std::to_string(++number_);
    if (random_() % 2 == 0) return fact("f" + number, "what is said " + number);
    return turn("t" + number, "s" + std::to_string(random_() % 5), static_cast<int>(random_() % 100), "was said " + number);
  }
  void append(int file, size_t count) {
    for (; count > 0; --count) blocks_[file].push_back(block());
    write(file);
  }
  void write(int file) {
    std::string bytes;
    for (const std::string& each : blocks_[file]) bytes += each;
    vault.write(path(file), bytes);
  }

  std::mt19937_64 random_{1};
  size_t number_ = 0;
  std::vector<std::string> blocks_[files];
};

void expect_same_records(IndexReader& stays, IndexReader& fresh, RowId first, RowId last) {
  for (RowId row = first; row <= last; ++row) ASSERT_TRUE(stays.columns(row) == fresh.columns(row)) << "row " << row;
}

// Asks after some changes a reader that stays and one that is new: for all records, for some, or for none.
TEST(AReaderThatStays, HasTheRecordsOfItsSnapshot) {
  ChangingVault changing;
  std::mt19937_64 random(2);
  auto reader = changing.vault.reader();
  size_t renewed = 0;
  for (int round = 0; round < 40; ++round) {
    auto fresh = changing.vault.reader();
    const RowId last = changing.last_row(), some = static_cast<RowId>(1 + random() % last);
    const auto asked = random() % 4;
    const RowId first = asked == 0 ? last + 1 : asked == 1 ? some : 1;
    ASSERT_NO_FATAL_FAILURE(expect_same_records(reader, fresh, first, last));
    reader.release();
    if (random() % 20 == 0) changing.rebuild();
    for (auto changes = round % 20 == 19 ? WrittenPages::most_commits + 5 : random() % 4; changes > 0; --changes) changing.change();
    if (reader.renew())
      ++renewed;
    else
      reader = changing.vault.reader();
  }
  EXPECT_GT(renewed, 25u);
}

// A snapshot that is read while others write has its own records to its end, and so has the next.
TEST(AReaderThatStays, HasNoRecordOfALaterSnapshot) {
  ChangingVault changing;
  auto reader = changing.vault.reader();
  std::vector<EntryColumns> before;
  for (RowId row = 0; row <= changing.last_row(); ++row) before.push_back(reader.columns(row));
  ASSERT_TRUE(reader.renew());
  for (int change = 0; change < 10; ++change) changing.change();
  for (RowId row = 0; row < before.size(); ++row) EXPECT_TRUE(reader.columns(row) == before[row]) << "row " << row;
}

}  // namespace
}  // namespace loci
