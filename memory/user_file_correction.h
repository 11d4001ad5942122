// Correcting a line of user.md, in its place. user.md is in every prompt: the wrong text goes from the file itself, and its hash
// suppresses it elsewhere.
#pragma once

#include "memory/correct.h"
#include "memory/file_changes.h"

namespace loci {

// Plans the right text in the place of a line, with a copy kept for `restore`. The tombstone of what it said, under that text's id,
// and which line counts now. ErrorCode::refused if it would pass the limit.
Result<Tombstone> reword_in_user_file(DecidedChanges& changes, const Vault& vault, const Entry& old, const std::string& text,
                                      Instant at, const Author& author);

Result<Corrected> correct_user_file(Memory& memory, const Entry& old, const std::string& text, const Author& author);

// An agent's words in the place of what stood there: metadata says whose they are, and the old line can be restored.
Result<Corrected> supersede_in_user_file(Memory& memory, const Entry& old, const Edit& change, const Author& author);

Result<Corrected> edit_line_of_user_file(Memory& memory, const Entry& old, const Edit& change);

// What a full user.md refuses names its largest entries: for an agent, only those that may be put before one.
Error for_an_agent(Memory& memory, Error refused);

}  // namespace loci
