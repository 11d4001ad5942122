// What a purge takes out of what the edits of a person are told from (vault/purge/store.h).
#pragma once

#include "vault/purge/store.h"

namespace loci {

extern const Store edit_store;

}  // namespace loci
