// What a purge takes out of the versions that are known of the files (vault/purge/store.h).
#pragma once

#include "vault/purge/store.h"

namespace loci {

extern const Store version_store;

}  // namespace loci
