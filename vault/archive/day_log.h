// Lines of JSON in the state folder that are kept for a day: one file a UTC date, <folder>/<date>.jsonl, mode 0600, only appended
// to, one write a line. Nothing is synced: what a power cut takes away is missed, not misread. Many processes may write at once.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "base/json.h"
#include "base/result.h"
#include "vault/layout/vault.h"

namespace loci {

inline constexpr std::chrono::hours day_log_keeps{24};

// `folder` is relative to the state folder. True if it was the first line of its date; then files that only hold lines which are
// too old were removed.
Result<bool> append_to_day_log(const Vault& vault, const std::string& folder, const Json& line);

// Calls `visit` for each line, in the order of dates and then of writing; those that are torn or broken are skipped. Lines that are
// up to a day too old may be among them.
Status visit_day_log(const Vault& vault, const std::string& folder, const std::function<void(const Json& line)>& visit);

}  // namespace loci
