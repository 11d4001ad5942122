#include "edits/observer.h"

#include <algorithm>

#include "edits/git_state.h"
#include "edits/look.h"
#include "vault/git/git_operation.h"

namespace loci {
namespace {

constexpr std::chrono::seconds git_retry{10};
constexpr std::chrono::milliseconds lock_patience{2000};

bool is_log(std::string_view file) { return file.starts_with(".loci/ledger/") || file.starts_with(".loci/tombstones/"); }

bool is_there(const path& folder) {
  std::error_code error;
  return std::filesystem::is_directory(folder, error);
}

}  // namespace

bool EditObserver::is_watched(std::string_view relative_path) { return is_watched_file(relative_path); }

Result<Observed> EditObserver::look(Memory& memory, const std::vector<std::string>& changed, const LookTimes& times) {
  const Vault& vault = memory.vault();
  if (!waiting_.empty())
    if (auto waiting = waiting_questions(vault)) waiting_ = std::move(*waiting);  // one may have been answered
  Observed nothing{{}, {}, {}, waiting_, std::nullopt};
  if (!is_there(vault.root())) return nothing;  // a missing vault is not one whose entries were removed
  std::string git = git_state_around(vault.files(), vault.root());
  const bool matters = std::ranges::any_of(changed, [&](const std::string& file) {
    return is_watched(file) || (next_ && is_log(file)) || (!waiting_.empty() && is_log(file));
  });
  if (looked_at_all_ && git == git_ && !matters && (!next_ || times.steady < *next_)) {
    if (next_) nothing.again_in = std::chrono::ceil<std::chrono::milliseconds>(*next_ - times.steady);
    return nothing;
  }
  const bool everything = !looked_at_all_ || git != git_;
  looked_at_all_ = false;  // until this look has come to its end
  if (git_operation_around(vault.root())) {
    nothing.again_in = git_retry;
    return nothing;
  }
  auto state = TRY(EditState::open(vault, lock_patience));
  Look look(memory, state, since_, times, git);
  auto observed = TRY(everything ? look.at_everything() : look.at(changed));
  looked_at_all_ = true;
  git_ = std::move(git);
  waiting_ = observed.waiting;
  next_ = observed.again_in ? std::optional(times.steady + *observed.again_in) : std::nullopt;
  return observed;
}

Result<std::vector<Question>> waiting_questions(const Vault& vault) {
  auto records = TRY(EditState::peek(vault));
  std::vector<Question> questions;
  for (FileRecord& record : records)
    if (record.question) questions.push_back(std::move(*record.question));
  return questions;
}

void add_waiting_questions(const Vault& vault, std::vector<Problem>& problems) {
  const auto questions = waiting_questions(vault);
  if (!questions) return;
  for (Problem& problem : problems_of(*questions))
    if (std::ranges::find(problems, problem) == problems.end()) problems.push_back(std::move(problem));
}

std::vector<Problem> problems_of(const std::vector<Question>& questions) {
  std::vector<Problem> problems;
  for (const Question& question : questions) {
    const std::string what =
        question.kind == Question::Kind::gone
            ? "the file is gone, with " + std::to_string(question.touched) + " entries"
            : std::to_string(question.touched) + " of " + std::to_string(question.entries) + " entries changed or went at once";
    problems.push_back(
        {question.file, 0, "unresolved-edit", what + ": nothing is deleted until 'loci resolve' is told what you meant"});
  }
  return problems;
}

}  // namespace loci
