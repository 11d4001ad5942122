// Which memories a search gave, for the log of what is retrieved (vault/logs/recall_log.h).
#pragma once

#include <string>

#include "memory/memory.h"
#include "recall/search.h"

namespace loci {

// Nobody is told if it fails: a full disk must not spoil a search.
// `session`: the conversation that asks, if that is known.
void log_search(const Memory& memory, const std::string& query, const SearchResult& result, const std::string& session = {});

}  // namespace loci
