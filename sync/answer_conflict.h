// A person's answer to a file that two sides changed, however it got so. What git left without markers is first made what the merge
// driver would have made of it; and git is told once nothing in the file waits any more.
#pragma once

#include <string>

#include "base/result.h"
#include "edits/resolve.h"
#include "memory/memory.h"

namespace loci {

// Like merge_conflicts() of edits/resolve.h. What is neither markdown nor a log is taken whole: ErrorCode::refused without
// `answers.whole`. What is undecided stands between markers in the file then.
Result<Resolved> answer_conflict(Memory& memory, const std::string& file, const ConflictAnswers& answers);

// True: of that file git left whole versions that cannot be put together: one of them is chosen.
Result<bool> is_answered_whole(const Vault& vault, const std::string& file);

// An unmerged file is right as it is. ErrorCode::not_found if it is none; ErrorCode::refused while markers stand in it.
Result<Resolved> keep_unmerged(Memory& memory, const std::string& file);

}  // namespace loci
