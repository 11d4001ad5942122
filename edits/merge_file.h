// Merging whole files of loci's: those of consolidated/ entry by entry, of MEMORY.md only what stands between its markers. Pure.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/result.h"
#include "edits/merge_entries.h"
#include "vault/layout/layout.h"

namespace loci {

// `ours` with what only `theirs` has; outside the markers of the core `ours` stays byte for byte. `choose` says which text of one
// entry stands. Fails like merge_entries() and, without markers in order, like read_core().
Result<std::string> merge_file(Place place, std::string_view ours, std::string_view theirs, std::optional<std::string_view> base,
                               const ChooseSide& choose);

// What stood before, and what was added since: `now` outside the markers of a core, and in what it says, or does not say, of the
// entries with these ids.
Result<std::string> as_before(Place place, std::string_view before, std::string_view now, const std::set<std::string>& settled);

// `file` with these entries of `other`, or promoted lines, where it has none of that id.
Result<std::string> with_entries_of(Place place, std::string_view file, std::string_view other, const std::set<std::string>& ids);

// A buffer of `base` was saved over `newest`: what the person did to it stands, and what loci did since is put back. Of what both
// changed the person's text stands. `elsewhere`: ids that left for another file, and do not come back. `made_since`: ids that
// loci took out of this file and made again in another one, from where the person moved them: they stay.
Result<std::string> put_back_since(Place place, std::string_view base, std::string_view newest, std::string_view saved,
                                   const std::set<std::string>& elsewhere = {}, const std::set<std::string>& made_since = {});

}  // namespace loci
