#include "consolidate/runs/store.h"
#include "tests/consolidate/consolidate_fixture.h"

namespace loci {
namespace {

class LeftAlone : public ConsolidateTest {};

TEST_F(LeftAlone, AFileThatIsNotUtf8StaysByteForByte) {
  say("Likes tea.");
  run_builtin();
  folder.append("vault/" + std::string(file), "\nEin Abs\xe4tz.\n");
  const std::string before = read(file);
  say("Lives in Oslo.");
  const Material all = material();
  EXPECT_FALSE(all.entries.at(entry_saying(all, "Likes tea.")).writable);
  run_builtin();
  EXPECT_EQ(counts().pending, 0);
  EXPECT_EQ(read(file), before);
  EXPECT_EQ(read_rebuild_material(*memory).error().code, ErrorCode::refused);
  std::string edited = before;
  edited.replace(edited.find("tea"), 3, "ale");
  write(file, edited);
  ASSERT_TRUE(memory->bring_up_to_date());
  RunRecord record = start();
  EXPECT_EQ(file_edited_entries(*memory, identity_of(record), record).value(), 0u);
  EXPECT_EQ(read(file), edited);
}

TEST_F(LeftAlone, NothingIsAddedThroughALinkOutOfTheVault) {
  say("Likes tea.");
  folder.write("elsewhere.md", "Not here.\n");
  std::filesystem::create_directories(memory->vault().file("consolidated"));
  std::filesystem::create_symlink("../../elsewhere.md", memory->vault().file(file));
  run_builtin();
  EXPECT_EQ(counts().pending, 0);
  EXPECT_EQ(folder.read("elsewhere.md"), "Not here.\n");
  EXPECT_NE(read("consolidated/memory-2.md").find("Likes tea."), std::string::npos);
}

TEST_F(LeftAlone, WhereNoNameOfTheFolderCanBeUsedTheRunFailsAndNothingIsWritten) {
  say("Likes tea.");
  std::filesystem::create_directories(folder / "elsewhere");
  const auto refused = [&] {
    const Material all = material();
    RunRecord record = start();
    const Status done = carry_out_decision(all, add_all(all), record);
    EXPECT_TRUE(done || done.error().code == ErrorCode::failed) << "it is no fault of the fact";
    return done ? std::string() : done.error().message + "; " + done.error().hint;
  };
  const path consolidated = memory->vault().file("consolidated");
  std::filesystem::create_symlink("../elsewhere", consolidated);
  EXPECT_EQ(refused(),
            "consolidated/memory.md leads out of the vault: consolidated is a link; replace that link by a folder of its own");
  EXPECT_TRUE(std::filesystem::is_empty(folder / "elsewhere"));
  std::filesystem::remove(consolidated);
  std::filesystem::create_symlink("consolidated", consolidated);  // goes round in a circle
  EXPECT_NE(refused(), "");
  std::filesystem::remove(consolidated);
  write("consolidated", "A file.\n");
  EXPECT_NE(refused(), "");
  EXPECT_EQ(counts().pending, 1);
  std::filesystem::remove(consolidated);
  run_builtin();
  EXPECT_EQ(counts().pending, 0);
}

}  // namespace
}  // namespace loci
