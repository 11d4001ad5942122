// What waits for a person's answer, and what became of an answer, as JSON: for the command line and HTTP alike. Pure.
#pragma once

#include <string_view>

#include "base/json.h"
#include "edits/resolve.h"

namespace loci {

std::string_view name_of(Question::Kind kind);  // "wholesale"

// {"file","kind","ends_by_answer","line","why","since","removed","changed","entries","changes":[{"id","before","after"}]}
Json question_to_json(const OpenQuestion& open);
// {"v":1,"file","deleted":[id],"demoted":[id],"corrected":[id],"rewritten","searchable"}
Json resolved_to_json(const Resolved& resolved);

}  // namespace loci
