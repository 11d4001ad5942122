// A file that only grew is read on from its last construct: that its entries before stand as they are shows in nothing else.
#include "indexer/file_load.h"

#include <gmock/gmock.h>

#include "indexer/schema.h"
#include "tests/indexer/indexed_vault.h"

namespace loci {
namespace {

using testing::ElementsAre;

class AFileThatGrew : public testing::Test {
 protected:
  LoadedFile load(const std::string& path, bool whole = false) {
    auto index = open_index(index_file(vault_.vault->state_folder(), 1), Database::Mode::read).value();
    LogTables logs(index.database);
    EntryStore entries(index.database, *index.tokenizer, logs, false);
    FileTable files(index.database);
    SlotStore slots(index.database);
    FileLoader loader(*vault_.vault, index.database, entries, files, slots);
    return loader.load(path, examine(*vault_.vault, path).value(), whole);
  }
  static std::vector<std::string> ids(const LoadedFile& file, bool known) {
    std::vector<std::string> found;
    for (const auto& candidate : file.candidates)
      if (candidate.before.has_value() == known) found.push_back(candidate.entry.id);
    return found;
  }

  IndexedVault vault_;
};

TEST_F(AFileThatGrew, IsReadFromItsLastEntryOn) {
  vault_.write("archive/sessions/a.md",
               "# heading\n\n" + turn("t1", "s1", 1, "one") + turn("t2", "s1", 2, "two") + turn("t3", "s1", 3, "three"));
  vault_.reconcile();
  vault_.append("archive/sessions/a.md", turn("t4", "s1", 4, "four"));
  const auto file = load("archive/sessions/a.md");
  EXPECT_TRUE(file.only_grew());
  EXPECT_THAT(ids(file, true), ElementsAre("t3"));
  EXPECT_THAT(ids(file, false), ElementsAre("t4"));
  EXPECT_THAT(standing_slots(file), testing::Each(true));
}

TEST_F(AFileThatGrew, IsReadWholeWhenAskedOrWhenAnIdOfItsIsContested) {
  vault_.write("archive/a.md", fact("f1", "one"));
  vault_.write("archive/b.md", fact("f2", "two") + fact("f1", "claims"));
  vault_.write("archive/c.md", fact("f3", "three") + fact("f4", "four"));
  vault_.reconcile();
  vault_.append("archive/b.md", fact("f5", "five"));
  vault_.append("archive/c.md", fact("f6", "six"));
  EXPECT_FALSE(load("archive/b.md").only_grew());
  EXPECT_TRUE(load("archive/c.md").only_grew());
  EXPECT_FALSE(load("archive/c.md", true).only_grew());
}

TEST_F(AFileThatGrew, MayHaveChangedAboveToo) {
  vault_.write("archive/a.md", fact("f1", "one") + fact("f2", "two"));
  vault_.reconcile();
  vault_.write("archive/a.md", fact("f1", "eno") + fact("f2", "two") + fact("f3", "three"));
  const auto file = load("archive/a.md");
  EXPECT_FALSE(file.only_grew());
  EXPECT_THAT(ids(file, true), ElementsAre("f2"));
  EXPECT_THAT(ids(file, false), ElementsAre("f1", "f3"));
}

TEST_F(AFileThatGrew, HasItsIdsAboveInMind) {
  vault_.write("archive/a.md", fact("f1", "one") + fact("f2", "two"));
  vault_.reconcile();
  vault_.append("archive/a.md", fact("f1", "again"));
  const auto file = load("archive/a.md");
  EXPECT_TRUE(file.only_grew());
  EXPECT_THAT(file.details.problems, ElementsAre(testing::Field(&Problem::code, "duplicate-id")));
}

}  // namespace
}  // namespace loci
