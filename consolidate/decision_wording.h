// What the texts of an answer may say, held against the facts and entries that they come from (wording.h, meaning.h): nothing that
// was said is lost, turned round or made up. One thread.
#pragma once

#include "consolidate/decision_view.h"

namespace loci {

// The rules about words of check_decision(). Every reference of the answer has to be in order already. ErrorCode::refused names the
// operation and the rule.
Status check_wording(DecisionView& view);

}  // namespace loci
