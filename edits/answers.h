// What a person answered to a question about their edits, or to a conflict, kept with what it came to, so that it can be taken
// back: <state folder>/edits/answers/, a folder an answer (0600) with `answer.json` and the files as they were. An answer is an act
// of the log (edits/act_log.h). Kept as long as versions are. Whoever answers, or takes an answer back, does so in one thread.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "edits/act_log.h"
#include "edits/edit_state.h"
#include "memory/memory.h"
#include "vault/logs/logs.h"

namespace loci {

inline constexpr const char* answered = "answered";  // Act::what

// A file in front of the answer.
struct FileBefore {
  std::string file;
  std::optional<std::string> bytes;  // none: it was missing
  std::string made_from;             // the hash of the version that these bytes are compared with; of a file that loci rewrites
  Instant known_until = {};          // when the newest version was noted that is known of it
};
// Made from the newest version.
Result<FileBefore> file_before(const Vault& vault, const std::string& file);
// As it was when this was asked.
Result<FileBefore> file_before(const Vault& vault, const Question& question);

struct GivenAnswer {
  std::string given;                                                // "kept", "restored", "merged" or "removed"
  std::vector<FileBefore> files;                                    // the first one is that which was asked about
  std::optional<Question> question = {};                            // stands again when the answer is taken back
  std::vector<Tombstone> ended = {};                                // that it wrote
  std::vector<std::string> counted = {};                            // ids that were deleted, and of which it said that they count
  std::vector<std::pair<std::string, std::string>> corrected = {};  // an entry, and the one that corrects it
  std::vector<std::string> unmerged = {};                           // what git had of it, which it had not merged (GitExchange)
  std::string git_place = {};                                       // where git was then
};

// Once the answer is carried out, and before git is told of it; the id of the act.
Result<std::string> keep_answer(const Vault& vault, GivenAnswer answer);

// Everything is as it was before the answer, and what was asked is asked again. Returns the files that were written, or removed.
// ErrorCode::refused, with nothing done, if the file that was asked about has changed since, or is asked about again.
Result<std::vector<std::string>> take_back_answer(Memory& memory, const Act& act);

}  // namespace loci
