// A rebuild that has begun and is not done: <state folder>/rebuild.json (0600). It goes on with the answers that it has
// (kept_answers.h) until everything is decided and swapped in, or somebody gives it up; no ordinary run starts meanwhile. Whoever
// writes holds the consolidation lock.
#pragma once

#include <optional>

#include "base/result.h"
#include "vault/layout/vault.h"
#include "vault/purge/store.h"

namespace loci {

std::optional<Instant> rebuild_begun(const Vault& vault);
Status begin_rebuild(const Vault& vault);
Status end_rebuild(const Vault& vault);

extern const Store rebuild_store;

}  // namespace loci
