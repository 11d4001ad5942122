// What a purge takes out of the records of runs, and of the counts of what failed (vault/purge/store.h).
#pragma once

#include "vault/purge/store.h"

namespace loci {

extern const Store run_store, failure_store;

}  // namespace loci
