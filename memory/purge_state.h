// What a purge does beside the memory files: hashes in the logs, the journal, retrieval logs, kept copies, unfinished writes; and
// the check at the end that nothing was missed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "memory/purge.h"

namespace loci {

// The bytes of a log without any hash of these texts. Lines about entries whose very id is such a hash go. Pure.
std::string purge_log_lines(std::string_view bytes, const std::vector<Entry>& entries, bool ledger);

// The bytes of a log of removed entries without those copies. Pure.
std::string purge_removed_entries(std::string_view bytes, const PurgeTarget& target);

// Journal, retrieval logs, .loci/tmp/, records of runs, words of turns. Adds to `purged` what changed and what failed.
void purge_state_folder(const Vault& vault, const std::vector<Entry>& entries, const PurgeTarget& target, Purged& purged);

// Files of the vault (hidden ones too, git's own objects not) and of the state folder that contain a line of one of these texts,
// "FILE:LINE".
std::vector<std::string> files_that_still_hold(const Vault& vault, const std::vector<Entry>& entries);

}  // namespace loci
