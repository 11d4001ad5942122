// What a purge does to what the state folder keeps for later: records of runs and the files as they were before them (runs/), and
// words of conversations that stand in no file yet (turns/). Known by their form alone: JSON, or markdown.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "memory/purge.h"
#include "memory/purged_words.h"

namespace loci {

// Every string that holds a purged text becomes the placeholder, as do all words of an object that tells of a purged entry, by its
// `id` or that of one of its `facts`; hashes of the texts become zeros. With `said`, what was said in a conversation goes even if
// it holds only half of the words. True if anything changed. Pure.
bool purge_json(Json& json, const std::vector<Entry>& entries, const PurgeTarget& target, const PurgedWords& words, bool said);

// runs/, turns/ and the counts of failures. A file that cannot be rewritten, or whose name is the hash of its bytes, is removed.
void purge_kept(const Vault& vault, const std::vector<Entry>& entries, const PurgeTarget& target, Purged& purged);

}  // namespace loci
