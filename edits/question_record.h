// A question, and what is absent, as the edits' state and a kept answer have them on disk.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "edits/edit_state.h"

namespace loci {

Json record_of(const std::vector<Absence>& absences);
Json record_of(const Question& question);  // without its file

std::vector<Absence> absences_from_record(const std::vector<Json>& list);
Question question_from_record(const Json& record, const std::string& file);

}  // namespace loci
