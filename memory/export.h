// Everything that counts in a memory: as JSON with all that an import needs, or as markdown that is itself a vault's file.
//
// Tombstones are not exported. An import only ever adds; with them, a stranger's file could delete what this vault knows. What was
// forgotten is not in an export at all, and whoever wants to carry deletions on copies the vault, or pulls it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "memory/memory.h"
#include "memory/private_tag.h"

namespace loci {

// Every active entry, by file and line, in pages; a promoted line is the entry that it shows, and none of its own. Stops if `take`
// returns false. Only those that `keeps`, if given, says yes to. An entry's tags are all that count where it stands, those of the
// headings above it included; and what is private by anything else than a tag (a rule about a path or a project, what it was made
// of, the other half of its turn) bears one that a rule names, or "private": its place and its origin stay behind.
using Keeps = std::function<Result<bool>(const Entry&)>;
Status for_each_entry(Memory& memory, const std::function<bool(const Entry&)>& take, const Keeps& keeps = {});

// The same as exported: the entry shape with category, about and corrects; and, which only an import needs,
//   "metadata"  what stands in its file, `sum` and keys that this version does not know included; null without metadata
//   "settled"   {"outcome","entry"} of a fact that is settled, null of one that is not
//   "own"       where it stands in user.md, or in MEMORY.md outside of what loci promoted, and as what (memory/own_text.h)
Status for_each_exported(Memory& memory, const std::function<bool(const Json&)>& take, const Keeps& keeps = {});

// The same as markdown with metadata, as write_entry makes it: entries without metadata get their id, and the metadata of those
// that stand in user.md or a person's part of MEMORY.md says so ("own"). Fails with an entry that cannot be written.
Status for_each_as_markdown(Memory& memory, const std::function<bool(std::string)>& take, const Keeps& keeps = {});

}  // namespace loci
