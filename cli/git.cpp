#include "cli/git.h"

#include "cli/child_process.h"

namespace loci::cli {

Result<bool> make_git_repository(const path& folder) {
  std::error_code ignored;
  for (path above = std::filesystem::absolute(folder, ignored).lexically_normal();; above = above.parent_path()) {
    if (std::filesystem::exists(above / ".git", ignored)) return false;
    if (above == above.parent_path()) break;
  }
  const auto status = TRY(run_program({"git", "init", "--quiet", "--", folder.string()}, Shown::errors));
  if (status != 0)
    return fail(ErrorCode::failed, "'git init' ended with status " + std::to_string(status), "the vault itself is complete");
  return true;
}

}  // namespace loci::cli
