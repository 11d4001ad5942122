#include "indexer/labels.h"

#include <gmock/gmock.h>

#include "tests/indexer/indexed_vault.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Labels, AreThoseOfAllEntriesThatCountEachOnce) {
  IndexedVault vault;
  vault.write("consolidated/a.md",
              "# A\n\n<!--m {\"id\":\"f1\",\"tags\":[\"Red\",\"big\"],\"project\":\"atlas\"}-->\nThe barn is red.\n\n"
              "<!--m {\"id\":\"f2\",\"tags\":[\"red\"],\"project\":\"Zeus\"}-->\nThe fence is red, too.\n\n"
              "<!--m {\"id\":\"f3\",\"tags\":[\"gone\"],\"project\":\"past\"}-->\nThe gate was red.\n");
  vault.write("notes.md", "The roof leaks. #Repair\n");
  vault.write(".loci/tombstones/testhost.jsonl", R"({"v":1,"at":"2026-05-01T10:00:00Z","id":"f3","reason":"deleted","by":"user"})"
                                                 "\n");
  vault.reconcile();
  const auto labels = labels_in_use(vault.vault->state_folder());
  ASSERT_TRUE(labels) << labels.error().message;
  EXPECT_THAT(labels->tags, ElementsAre("big", "red", "repair"));
  EXPECT_THAT(labels->projects, ElementsAre("Zeus", "atlas"));
}

TEST(Labels, AVaultWithoutAnyHasNone) {
  IndexedVault vault;
  vault.reconcile();
  const auto labels = labels_in_use(vault.vault->state_folder());
  ASSERT_TRUE(labels) << labels.error().message;
  EXPECT_THAT(labels->tags, IsEmpty());
  EXPECT_THAT(labels->projects, IsEmpty());
}

TEST(Labels, WhereThereIsNoIndexThatIsSaid) {
  TemporaryFolder folder;
  const auto labels = labels_in_use(folder / "state");
  ASSERT_FALSE(labels);
  EXPECT_EQ(labels.error().code, ErrorCode::not_found);
}

}  // namespace
}  // namespace loci
