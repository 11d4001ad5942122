#include "edits/entry_questions.h"

#include "edits/doubtful.h"
#include "vault/layout/layout.h"

namespace loci {

namespace {

const char* what_is_asked(const AfterForget& one) {
  if (one.rests) return "rests on what was forgotten or corrected, and its words are yours: they are found";
  if (place_of(one.file) == Place::core)
    return "is a line of yours that says what was deleted or corrected: it is not found, nor given to agents";
  if (one.corrected) return "was corrected, and stands here as it was: it is not found";
  if (one.edited) return "was deleted, and then edited: its new words are found";
  return "was deleted, and stands here as it was: it is not found";
}

const char* what_restore_does(const AfterForget& one) {
  if (place_of(one.file) == Place::core) return "takes it out";
  return one.corrected && place_of(one.file) == Place::user ? "puts the correction back" : "takes it out again";
}

}  // namespace

Problem problem_of(const AfterForget& one) {
  const char* code = one.rests || one.edited ? "edited-after-forget" : "stands-after-forget";
  return {one.file,
          one.line,
          code,
          "'" + one.id + "' " + what_is_asked(one) + "; 'loci resolve " + one.id + " --keep' says that it counts, '--restore' " +
              what_restore_does(one),
          {one.id}};
}

Result<std::vector<Problem>> entry_questions(Memory& memory) {
  std::vector<Problem> questions;
  for (const AfterForget& one : TRY(after_forget(memory))) questions.push_back(problem_of(one));
  add_doubtful_acts(memory.vault(), questions);
  return questions;
}

}  // namespace loci
