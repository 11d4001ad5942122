// What a purge takes out of what hooks keep (vault/purge/store.h).
#pragma once

#include "vault/purge/store.h"

namespace loci {

extern const Store hook_store, spool_store, second_spool_store;

}  // namespace loci
