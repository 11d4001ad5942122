// What a purge takes out of the logs, and out of what was searched for (vault/purge/store.h).
#pragma once

#include "vault/purge/store.h"

namespace loci {

extern const Store ledger_store, tombstone_store, recall_count_store, retrieval_store;

}  // namespace loci
