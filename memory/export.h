// Everything that counts in a memory, as JSON or as markdown that is itself a vault's file.
#pragma once

#include <functional>
#include <string>

#include "base/json.h"
#include "memory/memory.h"

namespace loci {

// Every active entry, by file and line, in pages. Stops if `take` returns false.
Status for_each_entry(Memory& memory, const std::function<bool(const Entry&)>& take);

// The entry shape with what only a round trip needs: category, about, corrects, task.
Json entry_to_export(const Entry& entry);

// The entry as markdown with its metadata, as write_entry makes it; entries without metadata get their id.
Result<std::string> entry_to_markdown(const Entry& entry);

}  // namespace loci
