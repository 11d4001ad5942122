// Many processes, damage, failing disks: readers go on, the index is old or new, and what is broken is built again.
#include <gmock/gmock.h>

#include <atomic>
#include <fstream>
#include <random>
#include <thread>

#include "indexer/schema.h"
#include "parser/text_hash.h"
#include "tests/indexer/indexed_vault.h"
#include "tests/support/faulty_file_system.h"
#include "vault/logs/logs.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<std::filesystem::path> index_files(const IndexedVault& vault) {
  std::vector<std::filesystem::path> found;
  for (const auto& file : std::filesystem::directory_iterator(vault.vault->state_folder()))
    if (file.path().extension() == ".db") found.push_back(file.path());
  return found;
}

std::filesystem::path index_of(const IndexedVault& vault) {
  const auto found = index_files(vault);
  EXPECT_THAT(found, SizeIs(1));
  return found.front();
}

TEST(AReader, WorksAfterTheWriterIsGone) {
  IndexedVault vault;
  vault.write("archive/a.md", fact("f1", "one"));
  vault.reconcile();
  vault.append("archive/a.md", fact("f2", "two"));
  vault.reconcile();
  EXPECT_EQ(vault.entry("f2").text, "two");
}

TEST(AReader, WorksOnAnIndexWithoutTheFilesBesideIt) {
  IndexedVault vault;
  vault.write("archive/a.md", fact("f1", "one"));
  vault.reconcile();
  for (const char* suffix : {"-wal", "-shm", "-checked"}) std::filesystem::remove(index_of(vault) += suffix);
  EXPECT_EQ(vault.entry("f1").text, "one");
  EXPECT_EQ(vault.reader().info().checked_at, std::nullopt);
}

TEST(AWriter, LeavesNoLongLogBehindForWhoeverOpensTheIndexNext) {
  IndexedVault vault;
  vault.write("archive/a.md", fact("f1", "one"));
  vault.reconcile();
  constexpr std::uintmax_t long_log = 4 << 20;
  std::uintmax_t longest = 0;
  for (int part = 0; part < 4; ++part) {
    std::string facts;
    for (int i = 0; i < 3'000; ++i) {
      const std::string number = std::to_string(part * 3'000 + i);
      facts += fact("p" + number, "thing " + number + " is here beside a" + number + " b" + number + " c" + number + " d" + number);
    }
    vault.write("archive/part" + std::to_string(part) + ".md", facts);
    vault.reconcile();
    longest = std::max(longest, std::filesystem::file_size(index_of(vault) += "-wal"));
  }
  EXPECT_LE(longest, long_log);
  EXPECT_EQ(vault.reader().info().entries, 12'001);
}

TEST(AReader, KeepsItsSnapshotWhileOthersWriteAndRebuild) {
  IndexedVault vault;
  vault.write("archive/a.md", fact("f1", "one"));
  vault.reconcile();
  auto reader = vault.reader();
  vault.write("archive/a.md", fact("f1", "changed") + fact("f2", "two"));
  vault.reconcile();
  EXPECT_EQ(reader.find("f1")->front().text, "one");
  EXPECT_THAT(reader.find("f2").value(), IsEmpty());
  ASSERT_TRUE(Indexer::open(*vault.vault, {})->rebuild("asked for"));
  EXPECT_EQ(reader.find("f1")->front().text, "one");
  EXPECT_EQ(vault.reader().find("f1")->front().text, "changed");
  EXPECT_EQ(vault.reader().info().generation, 2);
  index_of(vault);
}

TEST(AReader, NeverSeesHalfAnUpdate) {
  IndexedVault vault;
  vault.write("archive/a.md", fact("f1", "value 0"));
  vault.write("archive/b.md", fact("f2", "value 0"));
  vault.reconcile();
  std::atomic<bool> done = false;
  std::thread readers([&] {
    while (!done) {
      auto reader = IndexReader::open(vault.vault->state_folder());
      ASSERT_TRUE(reader) << reader.error().message;
      const auto matches = reader->match("\"valu\"");
      ASSERT_TRUE(matches) << matches.error().message;
      ASSERT_THAT(matches->rows, SizeIs(2));
      const auto first = reader->find("f1");
      const auto second = reader->find("f2");
      ASSERT_TRUE(first && second);
      ASSERT_EQ(first->front().text, second->front().text);
    }
  });
  auto indexer = Indexer::open(*vault.vault, {}).value();
  for (int i = 1; i <= 60; ++i) {
    vault.write("archive/a.md", fact("f1", "value " + std::to_string(i)));
    vault.write("archive/b.md", fact("f2", "value " + std::to_string(i)));
    EXPECT_TRUE(i % 20 == 0 ? indexer.rebuild("asked for") : indexer.reconcile());
  }
  done = true;
  readers.join();
}

TEST(AnIndexer, IsTheOnlyOne) {
  IndexedVault vault;
  const auto first = Indexer::open(*vault.vault, {});
  ASSERT_TRUE(first);
  EXPECT_EQ(Indexer::open(*vault.vault, {}).error().code, ErrorCode::locked);
}

TEST(AnIndexer, StopsWhenItsVaultIsReplaced) {
  IndexedVault vault;
  vault.write("a.md", "text\n");
  auto indexer = Indexer::open(*vault.vault, {}).value();
  ASSERT_TRUE(indexer.reconcile());
  std::filesystem::rename(vault.folder / "vault", vault.folder / "elsewhere");
  std::filesystem::create_directory(vault.folder / "vault");
  EXPECT_EQ(indexer.reconcile().error().code, ErrorCode::locked);
  EXPECT_THAT(vault.found("text"), ElementsAre("text"));
}

TEST(AnIndexer, RemovesWhatABuildThatWasKilledLeft) {
  IndexedVault vault;
  vault.write("a.md", "text\n");
  vault.reconcile();
  const auto unfinished = vault.vault->state_folder() / "index.2.db.tmp";
  std::ofstream(unfinished) << "half";
  vault.reconcile();
  EXPECT_FALSE(std::filesystem::exists(unfinished));
  EXPECT_THAT(vault.found("text"), ElementsAre("text"));
}

TEST(AnIndex, ThatIsMissingIsNotFound) {
  IndexedVault vault;
  EXPECT_EQ(IndexReader::open(vault.vault->state_folder()).error().code, ErrorCode::not_found);
  EXPECT_EQ(vault.reconcile().rebuild_reason, "no index yet");
}

TEST(AnIndex, OfAnotherSchemaIsBuiltAgain) {
  IndexedVault vault;
  vault.write("a.md", "text\n");
  vault.reconcile();
  {
    auto database = Database::open(index_of(vault), Database::Mode::write).value();
    database.execute("UPDATE about SET value = 999 WHERE name = 'schema'");
  }
  EXPECT_EQ(IndexReader::open(vault.vault->state_folder()).error().code, ErrorCode::refused);
  EXPECT_EQ(vault.reconcile().rebuild_reason, "schema 999, this program writes " + std::to_string(schema_number));
  EXPECT_THAT(vault.found("text"), ElementsAre("text"));
}

TEST(AnIndex, ThatIsNoDatabaseIsBuiltAgain) {
  for (const std::string bytes : {"", "junk", "SQLite format 3"}) {
    IndexedVault vault;
    vault.write("a.md", "text\n");
    vault.reconcile();
    std::ofstream(index_of(vault), std::ios::trunc) << bytes << std::string(bytes.empty() ? 0 : 5000, 'x');
    EXPECT_FALSE(IndexReader::open(vault.vault->state_folder()));
    EXPECT_THAT(vault.reconcile().rebuild_reason, HasSubstr("damaged"));
    EXPECT_THAT(vault.found("text"), ElementsAre("text"));
    EXPECT_THAT(index_files(vault), SizeIs(1));
  }
}

// Every way into a reader; nothing may crash, and every text has to be the one that was indexed.
void use_everything(IndexReader& reader) {
  EntryFilter everything;
  everything.inactive = true;
  for (const char* words : {"\"word\"", "\"word\" OR \"number\" OR \"turn\"", "\"num\"*", "\"of the\""}) {
    const auto matches = reader.match(words);
    if (!matches) continue;
    for (const RowId row : matches->rows) {
      const auto& columns = reader.columns(row);
      reader.columns(columns.previous);
      reader.columns(columns.next);
      reader.thread(columns.thread);
      const auto entry = reader.entry(row);
      if (entry) {
        EXPECT_EQ(text_hash(entry->text).substr(0, 32), entry->hash);
      }
    }
  }
  for (const auto& entries :
       {reader.recent(everything, 1000), reader.list(everything, 1000), reader.session("s1"), reader.find("f")})
    for (const auto& entry : entries.value_or(std::vector<Entry>{})) EXPECT_EQ(text_hash(entry.text).substr(0, 32), entry.hash);
  static_cast<void>(reader.rows_matching(everything));
  static_cast<void>(reader.sessions(100));
  static_cast<void>(reader.document_frequency("word"));
  reader.statistics();
  reader.info();
  reader.layers();
  reader.facts();
  reader.problems();
}

TEST(AnIndex, WithFlippedBytesNeverCrashesNorTellsWhatWasNotIndexed) {
  IndexedVault vault;
  std::string facts, turns;
  for (int i = 0; i < 300; ++i) {
    const auto number = std::to_string(i);
    facts += fact("f" + number, "word number " + number, R"("tags":["red"],"project":"atlas")");
    turns += turn("t" + number, "s" + std::to_string(i % 3), i, "a word of the turn " + number);
  }
  vault.write("archive/2026-05-01.md", "# facts\n\n" + facts);
  vault.write("archive/sessions/s.md", "# turns\n\n" + turns);
  vault.write(".loci/tombstones/aaaa.jsonl",
              format(Tombstone{vault.clock.now(), "f7", "", Tombstone::Reason::deleted, "user", ""}));
  vault.reconcile();
  const auto file = index_of(vault);
  for (const char* suffix : {"-wal", "-shm"}) std::filesystem::remove(std::filesystem::path(file) += suffix);
  std::ifstream in(file, std::ios::binary);
  const std::string good{std::istreambuf_iterator<char>(in), {}};
  in.close();

  std::mt19937 random(3);
  for (int round = 0; round < 60; ++round) {
    auto bad = good;
    const int flips = round < 30 ? 1 + round : 100;
    for (int i = 0; i < flips; ++i) bad[random() % bad.size()] ^= static_cast<char>(1 << random() % 8);
    for (const char* suffix : {"-wal", "-shm"}) std::filesystem::remove(std::filesystem::path(file) += suffix);
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bad;
    if (auto reader = IndexReader::open(vault.vault->state_folder())) use_everything(*reader);
    static_cast<void>(compare_with_fresh_scan(*vault.vault));
  }
  ASSERT_TRUE(Indexer::open(*vault.vault, {})->rebuild("asked for"));
  EXPECT_EQ(vault.differences(), "");
}

TEST(AComparison, FindsWhatAnIndexLacksOrHasTooMuch) {
  IndexedVault vault;
  vault.write("archive/a.md", fact("f1", "one") + fact("f2", "two"));
  vault.reconcile();
  EXPECT_EQ(vault.differences(), "");
  vault.write("archive/a.md", "# a line more\n\n" + fact("f1", "one, edited") + fact("f3", "three"));
  const auto differences = vault.differences();
  EXPECT_THAT(differences, HasSubstr("f1 archive/a.md:4 text differs"));
  EXPECT_THAT(differences, HasSubstr("f1 archive/a.md:4 stands at archive/a.md:4, index says archive/a.md:2"));
  EXPECT_THAT(differences, HasSubstr("f2 archive/a.md:5 not in the files"));
  EXPECT_THAT(differences, HasSubstr("f3 archive/a.md:7 missing in the index"));
  vault.reconcile();
  EXPECT_EQ(vault.differences(), "");
}

TEST(AComparison, FindsAFullTextIndexThatDoesNotFitItsText) {
  IndexedVault vault;
  vault.write("archive/a.md", fact("f1", "one") + fact("f2", "two"));
  vault.reconcile();
  {
    auto database = Database::open(index_of(vault), Database::Mode::write).value();
    database.execute("DELETE FROM fts_data WHERE id > 10");
  }
  EXPECT_THAT(vault.differences(), HasSubstr("full-text"));
}

TEST(ARebuild, ThatFailsLeavesTheOldIndex) {
  FaultyFileSystem files;
  IndexedVault vault(files);
  vault.write("archive/a.md", fact("f1", "one"));
  vault.reconcile();
  auto indexer = Indexer::open(*vault.vault, {}).value();
  ASSERT_TRUE(indexer.rebuild("asked for"));
  files.fail_nothing();
  ASSERT_TRUE(indexer.rebuild("asked for"));
  const size_t calls = files.calls().size();
  for (size_t call = 0; call < calls; ++call) {
    files.fail_call(call, EIO);
    const auto report = indexer.rebuild("asked for");
    files.fail_nothing();
    EXPECT_TRUE(report || !report.error().message.empty()) << call;
    ASSERT_TRUE(IndexReader::open(vault.vault->state_folder())) << call;
    ASSERT_TRUE(indexer.reconcile()) << call;  // reads the file again if that was what failed
    EXPECT_EQ(vault.entry("f1").text, "one") << call;
  }
  ASSERT_TRUE(indexer.rebuild("asked for"));
  EXPECT_THAT(index_files(vault), SizeIs(1));  // an old one that could not be removed is gone with the next
}

TEST(AReconcile, ThatFailsLeavesTheIndexOldOrNew) {
  FaultyFileSystem files;
  IndexedVault vault(files);
  vault.write("archive/a.md", fact("f1", "version 0"));
  vault.write("archive/b.md", fact("f2", "version 0"));
  vault.reconcile();
  for (int i = 1; i < 12; ++i) {
    const auto text = "version " + std::to_string(i);
    vault.write("archive/a.md", fact("f1", text));
    vault.write("archive/b.md", fact("f2", text));
    auto indexer = Indexer::open(*vault.vault, {}).value();
    files.fail_call(static_cast<size_t>(i - 1), EIO);
    static_cast<void>(indexer.reconcile());
    files.fail_nothing();
    ASSERT_TRUE(indexer.reconcile());
    EXPECT_EQ(vault.entry("f1").text, text);
    EXPECT_EQ(vault.entry("f2").text, text);
    EXPECT_EQ(vault.differences(), "");
  }
}

}  // namespace
}  // namespace loci
