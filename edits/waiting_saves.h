// Saves about which nothing is decided yet.
#pragma once

#include <string>

#include "edits/edit_context.h"
#include "edits/save_meaning.h"
#include "edits/saves.h"

namespace loci {

// True: the save waits for what may explain it, a sync tool's logs or git; what is missing till then is noted. Fails as git does.
Result<bool> waits_for_others(EditContext& context, const std::string& file, const Save& save, const SaveMeaning& meaning);

}  // namespace loci
