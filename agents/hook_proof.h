// How a hook knows that it was the vault's daemon that answered on its socket, and no strange program whose words would go to the
// agent: only who may read the vault's state folder knows the secret in hooks/secret there, and an answer is signed with it. Any
// thread and process.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "vault/layout/vault.h"

namespace loci {

inline constexpr std::string_view hook_proof_header = "X-Loci-Proof";

// Asked with a question, so that an answer cannot be used again.
std::string make_hook_nonce();

// Of the daemon, for its answer. Makes the secret if there is none; fails where it can be neither read nor made.
Result<std::string> hook_proof(const Vault& vault, std::string_view nonce, std::string_view answer);

bool is_hook_proof(const Vault& vault, std::string_view nonce, std::string_view answer, std::string_view proof);

}  // namespace loci
