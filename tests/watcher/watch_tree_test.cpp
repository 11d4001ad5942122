#include "watcher/watch_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loci {
namespace {

using testing::IsEmpty;
using testing::Pointee;
using testing::UnorderedElementsAre;

TEST(WatchTree, TakesAFolderWithAllBelowItAndNothingBeside) {
  WatchTree tree;
  int descriptor = 0;
  for (const char* folder : {"", "a", "a/b", "a/b/c", "a b", "a.b", "ab", "b"})
    EXPECT_THAT(tree.place(++descriptor, folder), IsEmpty());
  EXPECT_THAT(tree.take("a"), UnorderedElementsAre(2, 3, 4));
  EXPECT_EQ(tree.folder_of(3), nullptr);
  EXPECT_THAT(tree.folder_of(5), Pointee(std::string("a b")));
  EXPECT_THAT(tree.take("a"), IsEmpty());
  EXPECT_EQ(tree.size(), 5);
  EXPECT_THAT(tree.take(""), UnorderedElementsAre(1, 5, 6, 7, 8));
  EXPECT_EQ(tree.size(), 0);
}

TEST(WatchTree, AnotherFolderOfTheSameNameReplacesAllOfTheFormerOne) {
  WatchTree tree;
  tree.place(1, "a");
  tree.place(2, "a/b");
  EXPECT_THAT(tree.place(1, "a"), IsEmpty());
  EXPECT_THAT(tree.place(3, "a"), UnorderedElementsAre(1, 2));
  EXPECT_THAT(tree.folder_of(3), Pointee(std::string("a")));
  EXPECT_EQ(tree.size(), 1);
}

TEST(WatchTree, AFolderThatMovedIsKnownUnderItsNewNameOnly) {
  WatchTree tree;
  tree.place(1, "old");
  tree.place(2, "old/b");
  EXPECT_THAT(tree.place(1, "new"), IsEmpty());
  EXPECT_THAT(tree.folder_of(1), Pointee(std::string("new")));
  EXPECT_THAT(tree.take("old"), UnorderedElementsAre(2)) << "it was not placed anew";
  EXPECT_THAT(tree.take("new"), UnorderedElementsAre(1));
}

TEST(WatchTree, ForgetsOneWatchAlone) {
  WatchTree tree;
  tree.place(1, "a");
  tree.place(2, "a/b");
  tree.forget(1);
  tree.forget(7);
  EXPECT_EQ(tree.folder_of(1), nullptr);
  EXPECT_THAT(tree.folder_of(2), Pointee(std::string("a/b")));
  tree.clear();
  EXPECT_EQ(tree.size(), 0);
}

}  // namespace
}  // namespace loci
