// What a person's edits of loci's own files mean: whoever keeps the index shows it the files that were taken in, and it says and
// writes down what follows from them. An entry that a person took out of consolidated/ is deleted, a promoted line of MEMORY.md
// that went is demoted, and one that says something else corrects the entry that it shows; but only when it is certain that it was
// a person, and that they mean it (edits/save_policy.h). Too much at once is asked about: `loci resolve`.
//
// One thread at a time. What it saw is in the state folder (edits/edit_state.h) and may be shared with `loci resolve`.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "edits/edit_state.h"
#include "memory/memory.h"
#include "vault/layout/problem.h"

namespace loci {

struct LookTimes {
  Instant wall;
  std::chrono::steady_clock::time_point steady;
};

// What is pending, and since when this process has seen it so.
using PendingSince = std::map<std::string, LookTimes, std::less<>>;

struct Observed {
  std::vector<std::string> deleted;                   // ids of entries that a person removed
  std::vector<std::string> demoted;                   // of those whose line was taken out of MEMORY.md
  std::vector<std::string> corrected;                 // of those whose line there says something else now
  std::vector<Question> waiting;                      // for a person, those of earlier looks too
  std::optional<std::chrono::milliseconds> again_in;  // when to look again even if nothing changes
};

class EditObserver {
 public:
  // The files that matter: consolidated/** and MEMORY.md.
  static bool is_watched(std::string_view relative_path);

  // `changed`: relative paths that the index just took in, logs too. Cheap if none of them matters, nothing is pending and git
  // stands where it stood; the first call looks at all files that matter. Writes tombstones and, for a corrected line, everything
  // that `loci correct` writes, through `memory`, whose index has to know the changed files. During a git operation, and if it
  // fails, nothing is decided and the next call looks at everything again.
  Result<Observed> look(Memory& memory, const std::vector<std::string>& changed, const LookTimes& times);

 private:
  bool looked_at_all_ = false;
  std::string git_;  // when all files were last looked at
  std::vector<Question> waiting_;
  PendingSince since_;
  std::optional<std::chrono::steady_clock::time_point> next_;  // when something that is pending may be decided
};

// For `status`: the questions that wait, as problems.
std::vector<Problem> problems_of(const std::vector<Question>& questions);
Result<std::vector<Question>> waiting_questions(const Vault& vault);
void add_waiting_questions(const Vault& vault, std::vector<Problem>& problems);  // those that are not listed yet

}  // namespace loci
