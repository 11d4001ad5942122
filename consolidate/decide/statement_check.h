// What the text of an operation may say, held against the facts and entries that it comes from, as far as code can know: values,
// names, "not" and "perhaps" (words/statement.h). Meaning is a reader's. One thread.
#pragma once

#include <string>
#include <vector>

#include "consolidate/decide/decision_view.h"

namespace loci {

// All that is wrong with it, each in a sentence that the model can mend it by. Every reference of the operation has to be in order.
std::vector<std::string> wrong_in_statement(DecisionView& view, const Operation& operation);

// Does the fact share a topic key, a name or a value with the entry, or name as wrong what stands there?
bool is_about(DecisionView& view, const Fact& fact, const DurableEntry& entry);

}  // namespace loci
