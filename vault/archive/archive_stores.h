// What a purge takes out of what appends leave in the state folder (vault/purge/store.h).
#pragma once

#include "vault/purge/store.h"

namespace loci {

extern const Store journal_store;
extern const Store tail_store;     // sizes and fingerprints of whole files
extern const Store verdict_store;  // ids

}  // namespace loci
