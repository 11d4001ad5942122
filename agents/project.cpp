#include "agents/project.h"

#include <algorithm>

namespace loci {
namespace {

// <main>/.git/worktrees/<name>, as the file `.git` of a linked work tree says.
path main_work_tree(const path& git_file, const path& folder) {
  const auto bytes = read_file(real_file_system(), git_file, 4096);
  constexpr std::string_view mark = "gitdir: ";
  if (!bytes || !bytes->starts_with(mark)) return folder;
  const path git_folder = (folder / bytes->substr(mark.size(), bytes->find_first_of("\r\n") - mark.size())).lexically_normal();
  const path worktrees = git_folder.parent_path();
  const bool is_linked = worktrees.filename() == "worktrees" && worktrees.parent_path().filename() == ".git";
  return is_linked ? worktrees.parent_path().parent_path() : folder;
}

}  // namespace

std::string project_around(const path& working_folder, const path& home) {
  std::error_code error;
  const path here = std::filesystem::canonical(working_folder, error);
  if (error) return {};
  const path stop = std::filesystem::canonical(home, error);
  for (path folder = here; folder != stop && folder != folder.root_path(); folder = folder.parent_path()) {
    const auto kind = std::filesystem::status(folder / ".git", error).type();
    if (kind == std::filesystem::file_type::directory) return folder.filename();
    if (kind == std::filesystem::file_type::regular) return main_work_tree(folder / ".git", folder).filename();
  }
  return {};
}

}  // namespace loci
