// What a change did, as JSON: the answers of `correct`, `edit` and `forget`, on the command line and over HTTP alike. Pure.
#pragma once

#include "base/json.h"
#include "memory/correct.h"
#include "memory/forget.h"

namespace loci {

Json corrected_to_json(const Corrected& corrected);
Json forgotten_to_json(const Forgotten& forgotten);

}  // namespace loci
