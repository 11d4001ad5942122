// What waits for a person: questions about their edits, and files that git could not merge. One thread; another process may observe
// the same vault meanwhile.
#pragma once

#include <string>
#include <vector>

#include "edits/edit_state.h"
#include "memory/memory.h"

namespace loci {

// One entry, or promoted line, before and now; empty: it was not there, or is no longer.
struct EntryChange {
  std::string id;  // empty: words without one, of a conflict
  std::string before, after;
};

struct OpenQuestion {
  Question question;
  std::vector<EntryChange> changes;  // by their order in the file as it was; what is new comes last
};

// Everything that waits for a person, with what it is about, also what ends without an answer (ends_by_answer()); looks at the
// files first. `conflict` questions are those of files, of any kind, in which git's conflict markers stand.
Result<std::vector<OpenQuestion>> open_questions(Memory& memory);

// Of one that no answer ends: what is in the way, and what to do about it.
Error why_no_answer_ends(const Question& question);

// Of a file, or an entry's id, about which nothing is asked. ErrorCode::not_found.
Error nothing_asked(const std::string& file);
// Of a file that waits for no answer of keep or restore. ErrorCode::refused where it waits as a conflict: the hint says what
// answers it.
Error nothing_asked(const Vault& vault, const std::string& file);

// The file as it was when the first of what is asked about stood there: what went before that counts with it.
Result<std::string> bytes_before(const Vault& vault, const Question& question);

// As it is now; empty if it is gone.
Result<std::string> present_bytes(const Vault& vault, const std::string& file);

}  // namespace loci
