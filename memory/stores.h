// Everything up to this folder that keeps memory text, for a purge and for `doctor`. What stands above (edits, capture,
// consolidate) is added by daemon/stores.h, which knows them all.
#pragma once

#include <vector>

#include "vault/purge/store.h"

namespace loci {

// The files that people and agents know: those of the vault that no other store has.
extern const Store memory_file_store;
// What `purge` itself has yet to finish (memory/purge_record.h), the index, and what was taken out of its file.
extern const Store purge_record_store, index_store, removed_entry_store;

std::vector<Store> memory_stores();

}  // namespace loci
