// A version that lost becomes a file that a person sees, beside the one that it lost against: `memory.loci-conflict-<UTC time>.md`.
// Never overwrites anything. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "vault/layout/vault.h"

namespace loci {

// The n-th name, from 1, that is tried for a conflict file of `file_name`; at most 255 bytes. Pure.
std::string conflict_name(std::string_view file_name, Instant at, int number);

// Gives an existing file of .loci/tmp/ such a name, durably: whoever holds it open goes on writing into the visible file. Returns
// the path relative to the vault's root. `target` is the file's path relative to the root; where its folder is gone it is made
// again.
Result<std::string> make_conflict_file(const Vault& vault, const path& from, const std::string& target);

// The same with bytes that are in no file yet.
Result<std::string> write_conflict_file(const Vault& vault, std::string_view bytes, const std::string& target);

}  // namespace loci
