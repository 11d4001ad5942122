#include "vault/layout/inside.h"

#include <algorithm>

namespace loci {

namespace {

// The link may be any part of the path, and a person has to find it.
std::unexpected<Error> leads_out(const Vault& vault, const std::string& relative) {
  std::string message = relative + " leads out of the vault", hint = "replace the link by a file of its own";
  path folder;
  std::error_code ignored;
  for (const path& part : path(relative).parent_path()) {
    folder /= part;
    if (!std::filesystem::is_symlink(vault.file(folder.string()), ignored)) continue;
    message += ": " + folder.string() + " is a link";
    hint = "replace that link by a folder of its own";
    break;
  }
  auto refused = fail(ErrorCode::refused, message, hint);
  refused.error().file = relative;
  return refused;
}

}  // namespace

Result<path> resolve_inside(const Vault& vault, const std::string& relative) {
  std::error_code error;
  path resolved = std::filesystem::weakly_canonical(vault.file(relative), error);
  // An editor took the file away between two of its steps; the next time it is a file that does not exist.
  for (int more = 10; error == std::errc::no_such_file_or_directory && more > 0; --more)
    resolved = std::filesystem::weakly_canonical(vault.file(relative), error);
  if (error) return fail_errno("open", relative, error.value());
  const auto [rest, _] = std::ranges::mismatch(vault.root(), resolved);
  if (path(relative).is_absolute() || rest != vault.root().end()) {
    return leads_out(vault, relative);
  }
  return resolved;
}

}  // namespace loci
