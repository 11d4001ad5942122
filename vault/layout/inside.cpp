#include "vault/layout/inside.h"

#include <algorithm>

namespace loci {

Result<path> resolve_inside(const Vault& vault, const std::string& relative) {
  std::error_code error;
  path resolved = std::filesystem::weakly_canonical(vault.file(relative), error);
  // An editor took the file away between two of its steps; the next time it is a file that does not exist.
  for (int more = 10; error == std::errc::no_such_file_or_directory && more > 0; --more)
    resolved = std::filesystem::weakly_canonical(vault.file(relative), error);
  if (error) return fail_errno("open", relative, error.value());
  const auto [rest, _] = std::ranges::mismatch(vault.root(), resolved);
  if (path(relative).is_absolute() || rest != vault.root().end()) {
    auto refused = fail(ErrorCode::refused, relative + " leads out of the vault", "replace the link by a file of its own");
    refused.error().file = relative;
    return refused;
  }
  return resolved;
}

}  // namespace loci
