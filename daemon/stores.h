// Every store that keeps memory text, or a hash of it, for `purge` and `doctor`. Here, because here all folders are known: a new
// store is added to the list in the source.
#pragma once

#include <vector>

#include "vault/purge/store.h"

namespace loci {

std::vector<Store> all_stores();

}  // namespace loci
