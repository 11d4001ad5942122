#include "cli/git.h"

#include "base/child_process.h"
#include "vault/git/git_operation.h"

namespace loci::cli {

Result<bool> make_git_repository(const path& folder) {
  std::error_code ignored;
  if (!git_folder_around(std::filesystem::absolute(folder, ignored).lexically_normal()).empty()) return false;
  const auto status = TRY(run_program({"git", "init", "--quiet", "--initial-branch=main", "--", folder.string()}, Shown::errors));
  if (status != 0)
    return fail(ErrorCode::failed, "'git init' ended with status " + std::to_string(status), "the vault itself is complete");
  return true;
}

}  // namespace loci::cli
