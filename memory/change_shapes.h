// What a change did, as JSON: the answers of `correct`, `edit` and `forget`, on the command line and over HTTP alike. Pure.
#pragma once

#include "base/json.h"
#include "memory/correct.h"
#include "memory/forget.h"

namespace loci {

// [{"id","file","line","at","hash"}]
Json appended_to_json(const std::vector<Appended>& entries);
// Adds "searchable", and "reason" if it is not.
void add_searchable(Json& value, const Searchable& searchable);
Json corrected_to_json(const Corrected& corrected);
Json forgotten_to_json(const Forgotten& forgotten);

}  // namespace loci
