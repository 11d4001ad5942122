// Taking back what became of an act of a person (`loci log --edits` lists them, `loci restore u-…` asks for this). One thread.
#pragma once

#include <string>
#include <vector>

#include "edits/act_log.h"
#include "memory/memory.h"

namespace loci {

struct TakenBack {
  Act act;
  std::vector<std::string> files;  // that were rewritten, or made
};

// A deletion, a demotion and a correction are undone; a changed text is what it was; of an old buffer that was merged what had been
// saved is put beside its file, as a conflict file; an answer to a question is taken back (edits/answers.h). ErrorCode::not_found
// for an id that is none; ErrorCode::refused if nothing was done that could be taken back, or if it was already.
Result<TakenBack> take_back(Memory& memory, const std::string& act_or_prefix);

}  // namespace loci
