// A purge that is under way, in the state folder (purge.json, 0600): what it takes out, so that one that was killed, or could not
// change a file, is finished by the next one though the text stands in fewer and fewer files. It holds the text itself, and goes
// last. Whoever purges is alone: commands that do it at once each finish what stands here.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "indexer/entry.h"
#include "vault/layout/vault.h"

namespace loci {

inline constexpr std::string_view purge_record_name = "purge.json";

// Entries as they were when the purge began; none if no purge is under way. A broken record counts as none.
Result<std::vector<Entry>> read_purge_record(const Vault& vault);
Status write_purge_record(const Vault& vault, const std::vector<Entry>& entries);
Status remove_purge_record(const Vault& vault);

}  // namespace loci
