#include "sync/conflict_copies.h"

#include <gtest/gtest.h>

#include "sync/settle_files.h"

namespace loci {
namespace {

TEST(ConflictCopies, ACopyIsToldFromItsName) {
  EXPECT_EQ(original_of_copy("a/memory.sync-conflict-20261122-101010-ABCDEFG.md"), "a/memory.md");
  EXPECT_EQ(original_of_copy("memory.sync-conflict-1a2b3c4d.md"), "memory.md");
  EXPECT_EQ(original_of_copy("user.loci-conflict-20261122T101010Z.md"), "user.md");
  EXPECT_EQ(original_of_copy("notes/plan (Ann's conflicted copy 2026-11-22).md"), "notes/plan.md");
  EXPECT_EQ(original_of_copy("notes/a (b) (conflicted copy).md"), "notes/a (b).md");
}

TEST(ConflictCopies, WhatOnlyLooksLikeOneIsNone) {
  for (const char* name :
       {"memory.md", "conflicted copy.md", ".sync-conflict-1.md", "a.sync-conflict-1/memory.md", "plain", " (conflicted copy).md"})
    EXPECT_EQ(original_of_copy(name), std::nullopt) << name;
}

TEST(SettleFiles, HowAFileIsMergedIsToldFromItsPath) {
  for (const char* name : {"MEMORY.md", "user.md", "consolidated/memory.md", "archive/2026-11-21.k3f9.md"})
    EXPECT_EQ(merge_way_of(name), MergeWay::entries) << name;
  EXPECT_EQ(merge_way_of(".loci/ledger/k3f9.jsonl"), MergeWay::lines);
  EXPECT_EQ(merge_way_of("notes/MEMORY.md"), MergeWay::text);
  for (const char* name : {".loci/config.toml", "picture.png", "consolidated/picture.png"})
    EXPECT_EQ(merge_way_of(name), MergeWay::apart) << name;
}

}  // namespace
}  // namespace loci
