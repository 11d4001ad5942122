// Copies of saves that a replace displaced and put back. For a moment loci's version was in the file, so a program may have read
// that and saved over the version that was put back, without having seen it. The copy is compared with the file a moment later
// (vault/rewrite/displaced.h) and becomes visible if something of it is missing. Called by who has the folder's lock.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "vault/rewrite/write_folder.h"

namespace loci {

// Not synced: it guards against what others do just now, not against a power failure.
Status keep_save_copy(const WriteFolder& folder, const WriteName& write, std::string_view bytes);

// Its bytes have become visible.
Status drop_save_copy(const WriteFolder& folder, const WriteName& write, const std::string& hash);

// The file `target` held these bytes, copies' lines included: those have served. What loci itself takes out of the file now is not
// missing.
Status drop_save_copies_in(const WriteFolder& folder, const std::string& target, std::string_view bytes);

// Are all lines of `part` lines of `whole`? Of a line without end, as of a save that was read in the middle, only its start has to.
bool every_line_stands_in(std::string_view part, std::string_view whole);

}  // namespace loci
