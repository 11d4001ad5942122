// What a purge takes out of the notes of changes that wait to be finished (vault/purge/store.h).
#pragma once

#include "vault/purge/store.h"

namespace loci {

extern const Store file_transaction_store;

}  // namespace loci
