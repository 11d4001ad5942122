#include "vault/purge/store.h"

#include <gtest/gtest.h>

namespace loci {
namespace {

TEST(StoreOf, TheLongestPlaceHasTheFile) {
  const Store stores[] = {{"all", StoreRoot::vault, "", Permissions::person},
                          {"logs", StoreRoot::vault, ".loci/ledger/", Permissions::person},
                          {"index", StoreRoot::state, "index.", Permissions::owner}};
  EXPECT_EQ(store_of(stores, StoreRoot::vault, ".loci/ledger/a.jsonl"), &stores[1]);
  EXPECT_EQ(store_of(stores, StoreRoot::vault, "note.md"), &stores[0]);
  EXPECT_EQ(store_of(stores, StoreRoot::state, "index.3.db-wal"), &stores[2]);
  EXPECT_EQ(store_of(stores, StoreRoot::state, "elsewhere"), nullptr) << "a place in the vault is none in the state folder";
}

}  // namespace
}  // namespace loci
