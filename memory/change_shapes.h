// What a change did, as JSON: the answers of `correct`, `edit`, `forget`, `restore` and a purge, on the command line, over HTTP and
// in the panel alike. Pure.
#pragma once

#include "base/json.h"
#include "memory/correct.h"
#include "memory/forget.h"
#include "memory/purge.h"
#include "memory/restore.h"

namespace loci {

// [{"id","file","line","at","hash"}]
Json appended_to_json(const std::vector<Appended>& entries);
// Adds "searchable", and "reason" if it is not.
void add_searchable(Json& value, const Searchable& searchable);
Json corrected_to_json(const Corrected& corrected);
Json forgotten_to_json(const Forgotten& forgotten);
Json restored_to_json(const Restored& restored);
Json purged_to_json(const Purged& purged);

}  // namespace loci
