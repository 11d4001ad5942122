// A file that only grew is read on from its last construct: that its entries before stand as they are shows in nothing else.
#include "indexer/file_load.h"

#include <gmock/gmock.h>

#include "indexer/schema.h"
#include "tests/indexer/indexed_vault.h"

namespace loci {
namespace {

using testing::ElementsAre;

class AChangedFileThatIsRead : public testing::Test {
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

using AFileThatGrew = AChangedFileThatIsRead;
using AFileThatChangedInTheMiddle = AChangedFileThatIsRead;

// About 16 KiB with one entry.
std::string stretch(int number, const std::string& text) {
  return fact("f" + std::to_string(number), text) + "<!-- " + std::string(checkpoint_spacing, 'x') + " -->\n\n";
}

std::string long_day() {
  std::string day = "# day\n\n";
  for (int i = 0; i < 6; ++i) day += stretch(i, "text " + std::to_string(i));
  return day;
}

TEST_F(AFileThatGrew, IsReadFromItsLastEntryOn) {
  vault_.write("archive/sessions/a.md",
               "# heading\n\n" + turn("t1", "s1", 1, "one") + turn("t2", "s1", 2, "two") + turn("t3", "s1", 3, "three"));
  vault_.reconcile();
  vault_.append("archive/sessions/a.md", turn("t4", "s1", 4, "four"));
  const auto file = load("archive/sessions/a.md");
  EXPECT_TRUE(file.is_partial());
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
  EXPECT_FALSE(load("archive/b.md").is_partial());
  EXPECT_TRUE(load("archive/c.md").is_partial());
  EXPECT_FALSE(load("archive/c.md", true).is_partial());
}

TEST_F(AFileThatGrew, MayHaveChangedAboveToo) {
  vault_.write("archive/a.md", fact("f1", "one") + fact("f2", "two"));
  vault_.reconcile();
  vault_.write("archive/a.md", fact("f1", "eno") + fact("f2", "two") + fact("f3", "three"));
  const auto file = load("archive/a.md");
  EXPECT_FALSE(file.is_partial());
  EXPECT_THAT(ids(file, true), ElementsAre("f2"));
  EXPECT_THAT(ids(file, false), ElementsAre("f1", "f3"));
}

TEST_F(AFileThatGrew, HasItsIdsAboveInMind) {
  vault_.write("archive/a.md", fact("f1", "one") + fact("f2", "two"));
  vault_.reconcile();
  vault_.append("archive/a.md", fact("f1", "again"));
  EXPECT_FALSE(load("archive/a.md").is_partial()) << "who has the id is settled with all that claim it";
  vault_.reconcile();
  EXPECT_THAT(vault_.reader().problems(), ElementsAre(testing::Field(&Problem::code, "duplicate-id")));
  EXPECT_EQ(vault_.differences(), "");
  vault_.append("archive/a.md", fact("f3", "three"));
  EXPECT_FALSE(load("archive/a.md").is_partial());
}

TEST_F(AFileThatChangedInTheMiddle, IsReadAroundTheChange) {
  std::string day = long_day();
  vault_.write("archive/a.md", day);
  vault_.reconcile();
  day.replace(day.find("text 3"), 6, "two\nlines");
  vault_.write("archive/a.md", day);
  const auto file = load("archive/a.md");
  EXPECT_THAT(ids(file, true), ElementsAre("f2"));
  EXPECT_THAT(ids(file, false), ElementsAre("f3"));
  EXPECT_EQ(file.above.count, 2u);
  EXPECT_EQ(file.below.count, 2u);
  EXPECT_EQ(file.lines_moved, 1);
  vault_.reconcile();
  EXPECT_EQ(vault_.entry("f5").places.front().line, 3 + 5 * 5 + 1 + 1);
  EXPECT_EQ(vault_.differences(), "");
}

TEST_F(AFileThatChangedInTheMiddle, IsReadWholeIfWhatFollowsNowMeansSomethingElse) {
  for (const std::string change : {"```", "# another heading", "<<<<<<< ours"}) {
    SCOPED_TRACE(change);
    std::string day = long_day();
    vault_.write("archive/a.md", day);
    vault_.reconcile();
    day.insert(day.find("<!--", day.find("text 3")), change + "\n\n");
    vault_.write("archive/a.md", day);
    EXPECT_EQ(load("archive/a.md").below.count, 0u);
    vault_.reconcile();
    EXPECT_EQ(vault_.differences(), "");
  }
}

TEST_F(AFileThatChangedInTheMiddle, IsReadWholeIfAnIdOrATextOfThePartStandsElsewhereInIt) {
  const auto day_with = [](const std::string& more) {
    std::string day = long_day();
    day.insert(day.find("<!--", day.find("text 3")), more);
    return day;
  };
  vault_.write("archive/a.md", day_with({}));
  vault_.reconcile();
  vault_.write("archive/a.md", day_with(fact("f5", "takes the id from below")));
  EXPECT_FALSE(load("archive/a.md").is_partial());
  vault_.reconcile();
  EXPECT_EQ(vault_.entry("f5").text, "takes the id from below");
  EXPECT_EQ(vault_.differences(), "");

  vault_.write("archive/a.md", day_with("said twice\n\n") + "## end\n\nsaid twice\n");
  vault_.reconcile();
  vault_.write("archive/a.md", day_with({}) + "## end\n\nsaid twice\n");
  EXPECT_FALSE(load("archive/a.md").is_partial());
  vault_.reconcile();
  vault_.write("archive/a.md", day_with("said twice\n\n") + "## end\n\nsaid twice\n");
  EXPECT_FALSE(load("archive/a.md").is_partial());
  vault_.reconcile();
  EXPECT_EQ(vault_.differences(), "");
}

TEST_F(AFileThatChangedInTheMiddle, KeepsItsCheckpointsThroughManyChanges) {
  std::string day = long_day();
  vault_.write("archive/a.md", day);
  vault_.reconcile();
  for (int i = 0; i < 40; ++i) {
    if (i % 4 == 0)
      day += fact("g" + std::to_string(i), "grown");
    else
      day.insert(day.find("text " + std::to_string(i % 6)), "more ");
    vault_.write("archive/a.md", day);
    const auto file = load("archive/a.md");
    EXPECT_TRUE(file.is_partial()) << i;
    size_t last = 0;
    for (const auto& checkpoint : file.details.points.checkpoints) {
      EXPECT_GE(checkpoint.point.resume.offset, last + checkpoint_spacing);
      EXPECT_LE(checkpoint.point.resume.offset, last + 3 * checkpoint_spacing);
      last = checkpoint.point.resume.offset;
    }
    vault_.reconcile();
  }
  EXPECT_EQ(vault_.differences(), "");
}

}  // namespace
}  // namespace loci
