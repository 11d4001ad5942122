// What was cut off the archive comes back, as far as the index has to be asked for it (vault/archive/tail_restoration.h).
#pragma once

#include <functional>

#include "base/result.h"
#include "vault/archive/tail_restoration.h"
#include "vault/layout/vault.h"

namespace loci {

// `take_in_everything` makes the index of the vault equal to its files; it is called only if something seems to be lost. The caller
// holds the writer lock, or speaks for the process that does.
Result<RestoredTails> bring_back_lost_appends(const Vault& vault, const std::function<Status()>& take_in_everything);

}  // namespace loci
