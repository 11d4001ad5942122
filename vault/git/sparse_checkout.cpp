#include "vault/git/sparse_checkout.h"

#include "base/child_process.h"
#include "vault/git/git_answers.h"
#include "vault/git/git_operation.h"

namespace loci {

bool is_left_out_of_checkout(const path& folder, const std::string& file) {
  const path git = git_folder_around(folder);
  std::error_code error;
  if (git.empty() || !std::filesystem::exists(git / "info/sparse-checkout", error)) return false;
  const auto answer = ask_program({.words = {"git", "--no-optional-locks", "-c", "core.fsmonitor=false", "-C", folder.string(),
                                             "ls-files", "-t", "-z", "--", ":(literal)" + file},
                                   .environment = git_environment({})});
  return answer && answer->status == 0 && answer->output.starts_with("S ");
}

}  // namespace loci
