#include "agents/hook_proof.h"

#include "base/hash.h"
#include "http/guard.h"

namespace loci {

std::string make_hook_nonce() { return make_token(); }

Result<std::string> hook_proof(const Vault& vault, std::string_view nonce, std::string_view answer) {
  const std::string secret = TRY(read_or_make_token(vault.files(), vault.state_folder() / "hooks" / "secret"));
  // Hashed apart, each part has one length, whatever the others are.
  const auto hashed = [](std::string_view text) { return hex(as_bytes(sha256(text)), 64); };
  return hashed(secret + hashed(nonce) + hashed(answer));
}

bool is_hook_proof(const Vault& vault, std::string_view nonce, std::string_view answer, std::string_view proof) {
  const auto expected = hook_proof(vault, nonce, answer);
  return expected && *expected == proof;
}

}  // namespace loci
