// Texts that were forgotten or corrected and still stand in a file of loci's own, because git was busy, the disk was full or
// somebody saved meanwhile. They count no longer; they are remembered in the state folder and taken out by whoever writes next, or
// by the daemon. If the state folder is lost, `doctor` still finds them. Any process may call both at any time.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "memory/memory.h"
#include "vault/purge/store.h"

namespace loci {

// Best effort: what cannot even be noted is what `doctor` is for.
void remember_leftover(const Vault& vault, const std::string& id);

bool has_leftovers(const Vault& vault);

extern const Store leftover_store;

// Takes out what it can now, and returns the files that it changed; what it cannot stays remembered. What counts again by now, or
// says something else, is left alone. Costs one look at the state folder if there is nothing to do.
Result<std::vector<std::string>> take_out_leftovers(Memory& memory);

}  // namespace loci
