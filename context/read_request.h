// What a client sends when it asks for context -> a request. ErrorCode::usage for what is unknown or of another type. Pure.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "context/candidates.h"

namespace loci {

// [{"role","text"}], oldest first: the newest part of a conversation, of an agent that stores no turns.
Result<std::vector<Utterance>> read_recent(const Json& list);

// {"query","session","turn","budget","since","until","project","task","recent"}, each of them optional.
Result<ContextRequest> read_context_request(const Json& body, Instant now);

// The same from words: empty ones are not given. `since` and `until` are dates as `search` takes them.
Status set_period(ContextRequest& request, const std::string& since, const std::string& until, Instant now);

}  // namespace loci
