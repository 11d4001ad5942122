#include "memory/unfinished_changes.h"

#include "base/process_lock.h"
#include "tests/memory/memory_fixture.h"
#include "vault/changes/file_transaction_note.h"

namespace loci {
namespace {

using UnfinishedChangesTest = MemoryTest;

TEST_F(UnfinishedChangesTest, AreThoseThatNobodyIsAt) {
  Memory memory = open();
  const Vault& vault = memory.vault();
  ASSERT_TRUE(make_folders(vault.files(), transactions_folder(vault)));
  ASSERT_TRUE(write_note(vault, {.id = "t1", .files = {{"consolidated/memory.md", std::nullopt, "Likes tea.\n"}}}));
  {
    const auto someone = ProcessLock::acquire(vault.files(), transactions_folder(vault), std::chrono::milliseconds(0));
    ASSERT_TRUE(someone);
    EXPECT_TRUE(unfinished_changes(vault).empty());
  }
  const auto problems = unfinished_changes(vault);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems.front().code, "unfinished-change");
  EXPECT_EQ(problems.front().file, "consolidated/memory.md");
}

}  // namespace
}  // namespace loci
