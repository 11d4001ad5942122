// What waits for a person's answer about one entry, by its id: it was deleted and stands all the same, rests on what was, or is out
// of its file, perhaps by an old buffer. `loci resolve ID` answers each (edits/resolve.h). One thread.
#pragma once

#include <vector>

#include "base/result.h"
#include "edits/understand.h"
#include "vault/layout/problem.h"

namespace loci {

Problem problem_of(const AfterForget& one);

// As `status` lists them. The index has to know the present files.
Result<std::vector<Problem>> entry_questions(Memory& memory);

}  // namespace loci
