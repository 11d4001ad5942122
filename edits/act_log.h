// Every act of a person that was understood: what it was made from and what became of it. <state folder>/edits/acts.jsonl (0600),
// a line whenever something became of one; no text. Any thread that holds the lock on the edits' state.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "edits/acts.h"
#include "edits/edit_state.h"
#include "vault/layout/vault.h"
#include "vault/rewrite/versions.h"

namespace loci {

struct Act {
  std::string id;  // act_id_in()
  Instant at;
  std::string file;
  std::string entry;        // of a promoted line its ref
  std::string what;         // "changed", "removed", "asked", "saved an old buffer"
  std::string made_from;    // the version: its hash
  Instant made_from_at;     // and since when it was known
  bool old_buffer = false;  // an older version than the newest one then
  std::string outcome;  // "theirs", "waits", "deleted", "merged", "demoted", "corrected", "filed", "not meant", "asked", "kept",
                        // "restored", "put back", "taken out"
  std::string hash_before, hash_after;
  bool doubtful = false;  // a person has not said yet whether it counts (edits/doubtful.h)

  bool operator==(const Act&) const = default;
};

// Act::outcome of what is gone from its file, and of which nothing else follows.
inline constexpr const char* taken_out = "taken out";
// ... of what a person has not answered, and of what their answer undid.
inline constexpr const char* asked_about_it = "asked";
inline constexpr const char* put_as_before = "restored";
// Whether more follows if this is gone: an entry that loci wrote is deleted, a promoted line is demoted. A line of user.md, and
// text without metadata, stands where it stands.
bool is_decided_about(const std::string& file, const SeenEntry& entry);

// Of what a person did to an entry in this file: to the line of MEMORY.md that shows it, it is another act than to the entry.
std::string act_id_in(const std::string& file, std::string_view entry, std::string_view hash_before, std::string_view hash_after);
// Of those that took these out of the file.
std::vector<std::string> acts_of_these(const std::string& file, std::span<const Absence> absences);

Status log_act(const Vault& vault, const Act& act);

// What a person did to one entry, and what became of it. `doubtful`: whether it stands they have to say.
Status log_change(const Vault& vault, Instant now, const std::string& file, const Version& base, const SaveReading& reading,
                  const Change& change, const std::string& outcome, bool doubtful = false);
// What became of an act that stands in the log already; nothing if it does not.
Status log_outcome(const Vault& vault, const std::string& act, const std::string& outcome);
Status log_outcomes(const Vault& vault, const std::vector<std::string>& acts, const std::string& outcome);  // of many, read once
// The same as a person said it: nothing about the acts is in doubt any more.
Status log_answers(const Vault& vault, const std::vector<std::string>& acts, const std::string& outcome);

// As they are by now, the latest last.
Result<std::vector<Act>> acts_of(const Vault& vault);

}  // namespace loci
