// What was spent on a model, and how it does: tokens of the day, runs that failed one after the other, until when to leave it
// alone. One small file in the state folder (0600), for all processes of this machine; whoever runs holds the consolidation lock. A
// broken or missing file counts as nothing spent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/file_system.h"
#include "model/language_model.h"

namespace loci {

inline constexpr int breaker_opens_after = 3;  // failed runs in a row

struct ModelUse {
  std::string day;  // the local date that the tokens are of
  TokenUse today;
  int failed_runs = 0;                   // since the last good one
  std::optional<Instant> put_off_until;  // the server asked for it, or the breaker is open
  std::string last_error;

  // Until when the model is left alone, if it is. No rest is longer than a day: one that seems to be is of a clock that went back.
  std::optional<Instant> resting_until(Instant now) const;
  bool operator==(const ModelUse&) const = default;
};

// Where capturing keeps its own, behind the lock of that folder. Both count against one limit.
inline path capture_use_folder(const path& state_folder) { return state_folder / "turns"; }

// `today`: the local date; tokens of another day are gone.
ModelUse read_model_use(FileSystem& files, const path& state_folder, const std::string& today);
// Of both, this day.
TokenUse tokens_of_day(FileSystem& files, const path& state_folder, const std::string& today);
std::int64_t tokens_spent(FileSystem& files, const path& state_folder, const std::string& today);
Status write_model_use(FileSystem& files, const path& state_folder, const ModelUse& use);

// Pure. After three failed runs in a row the breaker opens: one hour, doubled with each further failure, a day at most. A time to
// come back at (now + LanguageModel::last_failure().retry_after) puts the next run off until then in any case, but for a day at
// most.
ModelUse after_good_run(ModelUse use);
ModelUse after_failed_run(ModelUse use, const Error& error, std::optional<Instant> retry_at, Instant now);

}  // namespace loci
