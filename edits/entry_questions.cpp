#include "edits/entry_questions.h"

#include "edits/doubtful.h"

namespace loci {

Problem problem_of(const AfterForget& one) {
  const std::string answer = "; 'loci resolve " + one.id + " --keep' says that it counts, '--restore' takes it out again";
  if (one.rests)
    return {one.file,
            one.line,
            "edited-after-forget",
            "'" + one.id + "' rests on what was forgotten or corrected elsewhere, and its words are yours: they are found" + answer,
            {one.id}};
  if (one.edited)
    return {one.file,
            one.line,
            "edited-after-forget",
            "'" + one.id + "' was deleted, and then edited: its new words are found" + answer,
            {one.id}};
  return {one.file,
          one.line,
          "stands-after-forget",
          "'" + one.id + "' was deleted, and stands here as it was: it is not found" + answer,
          {one.id}};
}

Result<std::vector<Problem>> entry_questions(Memory& memory) {
  std::vector<Problem> questions;
  for (const AfterForget& one : TRY(after_forget(memory))) questions.push_back(problem_of(one));
  add_doubtful_acts(memory.vault(), questions);
  return questions;
}

}  // namespace loci
