// What a purge takes out of what is kept about conversations (vault/purge/store.h).
#pragma once

#include "vault/purge/store.h"

namespace loci {

extern const Store turn_store;

}  // namespace loci
