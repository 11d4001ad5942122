// Noting what a save was found to mean.
#pragma once

#include <string>

#include "edits/acts.h"
#include "edits/edit_context.h"
#include "edits/file_questions.h"
#include "edits/saves.h"

namespace loci {

// What a person took out is pending, or just gone; a promoted line that says something else corrects its entry now. `base`: the
// version that the changes of `reading` are from. False: the core was saved meanwhile, and not all is noted: look at it again.
Result<bool> take_note(EditContext& context, FileQuestions& questions, const std::string& file, const Save& save,
                       const Version& base, const SaveReading& reading);

}  // namespace loci
