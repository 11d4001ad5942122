// What a purge takes out of .loci/tmp/ (vault/purge/store.h): what was displaced by the very writes that took a text out still has
// it.
#pragma once

#include "vault/purge/store.h"

namespace loci {

extern const Store temporary_store;

}  // namespace loci
