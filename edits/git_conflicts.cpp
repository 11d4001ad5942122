#include "edits/git_conflicts.h"

#include <algorithm>

#include "base/shell_word.h"
#include "edits/merge_entries.h"
#include "vault/git/git_exchange.h"

namespace loci {
namespace {

constexpr const char* markers_code = "conflict-markers";

std::string text_of(const Git& git, const std::optional<std::string>& object) {
  return object ? git.bytes_of(*object).value_or(std::string()) : std::string();
}

Problem problem_of(const GitConflict& conflict) {
  const std::string answer = "'loci resolve " + shell_word(conflict.file) + "'";
  if (!conflict.stages)
    return {conflict.file, 0, markers_code, "git left both sides of a conflict here: " + answer + " asks which counts"};
  return {conflict.file, 0, "unmerged",
          "both sides changed it and git did not merge it, so that it may lack what the other side says: " + answer +
              " puts both together; 'git add' says that it is right as it is"};
}

}  // namespace

std::vector<GitConflict> git_conflicts(const Vault& vault) {
  const Git git(vault.root());
  std::vector<GitConflict> found;
  if (auto unmerged = git.unmerged())
    for (auto& [file, stages] : *unmerged) found.push_back({file, std::move(stages)});
  if (auto marked = git.files_with_markers())
    for (std::string& file : *marked)
      if (std::ranges::find(found, file, &GitConflict::file) == found.end()) found.push_back({std::move(file), std::nullopt});
  std::ranges::sort(found, {}, &GitConflict::file);
  return found;
}

std::optional<GitSides> sides_without_markers(const Vault& vault, const GitConflict& conflict) {
  const auto bytes = read_file_if_any(vault.files(), vault.file(conflict.file));
  if (!bytes || !conflict.stages || (*bytes && sides_of_conflict(**bytes))) return std::nullopt;
  const Git git(vault.root());
  const std::string theirs = text_of(git, conflict.stages->theirs);
  // Git leaves one side's version, that of the one that has not deleted it; anything else is what somebody made of ours since.
  const bool is_theirs = *bytes && **bytes == theirs;
  return GitSides{*bytes && !is_theirs ? **bytes : text_of(git, conflict.stages->ours), theirs};
}

std::optional<std::string> file_had_here(const Vault& vault, const GitConflict& conflict) {
  const Git git(vault.root());
  if (!conflict.stages)
    return git.last_version(conflict.file, std::string(host_trailer) + ": " + vault.host()).value_or(std::nullopt);
  return conflict.stages->ours ? std::optional(text_of(git, conflict.stages->ours)) : std::nullopt;
}

void add_git_conflict_problems(const Vault& vault, std::vector<Problem>& problems) {
  for (const GitConflict& conflict : git_conflicts(vault)) {
    const auto is_said = [&](const Problem& one) { return one.file == conflict.file && one.code == markers_code; };
    if (std::ranges::none_of(problems, is_said)) problems.push_back(problem_of(conflict));
  }
}

}  // namespace loci
