// What a person answers to a question about their edits, and files that git could not merge: `loci resolve`. One thread; another
// process may observe the same vault meanwhile.
#pragma once

#include <string>
#include <vector>

#include "edits/conflict_words.h"
#include "edits/merge_entries.h"
#include "edits/open_questions.h"
#include "memory/add.h"
#include "memory/memory.h"

namespace loci {

struct Resolved {
  std::string file;
  std::vector<std::string> deleted, demoted, corrected;  // ids
  std::vector<Disagreement> undecided;                   // of a conflict: nothing was written then
  bool rewritten = false;                                // the file
  Searchable searchable;
  std::string act = {};  // by which the answer can be taken back (edits/take_back.h)
};

// The file as it is now is what the person means: what is gone is deleted (a promoted line: demoted), what is changed is theirs (a
// promoted line: corrects its entry). ErrorCode::not_found if nothing is asked about the file.
Result<Resolved> keep_edits(Memory& memory, const std::string& file);

// The entries as they were before; what was added since stays. ErrorCode::refused like replace_file.
Result<Resolved> restore_entries(Memory& memory, const std::string& file);

// Of an entry, what `status` lists: it was deleted and stands all the same, and counts, or goes; or it is out of its file, and that
// was meant (keep), or it comes back. ErrorCode::not_found if it is neither.
Result<Resolved> answer_about_entry(Memory& memory, const std::string& id, bool keep);

// Puts both sides of git's conflicts into one file, entry by entry. ErrorCode::not_found without conflict markers;
// ErrorCode::refused like replace_file, and where only a person can tell what is meant. An entry that was deleted on one side and
// edited on the other is a disagreement with an empty text; so is a conflict in words without an id, of which one side may be
// empty. In a person's own note a whole side may be chosen by `whole`: then nothing of the other one stays.
struct ConflictAnswers {
  ChooseSide choose;
  // The text that an entry shall have instead of either; it is the person's then. None: one of the two.
  Reword reword = {};
  std::optional<Side> whole = {};
  bool must_count = false;  // ErrorCode::refused if nothing was to be chosen: then nothing is written
  // The file as this side had it, where that is known: markers that loci wrote have the two texts in the order of their bytes.
  std::optional<std::string> ours = {};
};
Result<Resolved> merge_conflicts(Memory& memory, const std::string& file, const ConflictAnswers& answers);

// No words go: an entry has both texts, words without an id stand one behind the other.
ConflictAnswers keep_both();

}  // namespace loci
