// What a person's edits of loci's own files mean. Every act is understood once, before anything else touches the file: a daemon
// asks when a save has settled, and every command and run before it rewrites such a file or decides about its entries. So a vault
// without a daemon means the same edits, only later.
//
// A difference between a file and the newest version that is known of it (vault/rewrite/versions.h) is somebody's act. What it was
// made from is told by edits/acts.h, who did it by the logs and by git (edits/evidence.h). What follows is written down here:
// an entry that a person took out of consolidated/ is deleted once it was absent for absence_settles, a promoted line of MEMORY.md
// that went is demoted, and one that says something else corrects the entry that it shows, at once; a line of user.md that went is
// gone. What loci wrote since an old buffer was opened is put back. Too much at once is asked about, and never answered by loci.
//
// One thread at a time; other processes may do the same to the same vault (edits/edit_state.h has the lock).
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "edits/edit_state.h"
#include "memory/memory.h"
#include "vault/layout/problem.h"

namespace loci {

// So long a person may take to move an entry from one place to another.
inline constexpr std::chrono::minutes absence_settles{10};

struct Understood {
  std::vector<std::string> deleted;     // ids of entries that a person removed
  std::vector<std::string> said_again;  // texts without a comment that were gone, and on which an entry rests
  std::vector<std::string> demoted;     // of those whose line was taken out of MEMORY.md
  std::vector<std::string> corrected;   // of those whose line there says something else now
  std::vector<std::string> ended;       // of those that were made of what was forgotten or corrected elsewhere
  std::vector<std::string> said_twice;  // of those that say what another one says, as two machines consolidated at once
  std::vector<std::string> pending;     // facts that are folded anew after that
  std::vector<std::string> restored;    // of those that were taken back last, and had gone with an end that came later
  std::vector<std::string> put_back;    // files in which an old buffer had overwritten what loci wrote since
  std::vector<Question> waiting;        // for a person, those of earlier times too
  std::string why_not;                  // nothing could be decided: git is in the middle of something, or on another branch
  std::optional<std::chrono::milliseconds> again_in;  // when something that is pending can be decided, though nothing changes

  void look_again_in(std::chrono::milliseconds time);  // at the latest; no sooner than in a second
};

// All files of consolidated/, MEMORY.md and user.md; those that nobody touched since cost a stat. The index has to know the files
// before anything is decided: it is brought up to date if there is something to decide.
Result<Understood> understand(Memory& memory);

// `changed`: relative paths that were saved, logs too. Cheap if none of them matters.
Result<Understood> understand(Memory& memory, const std::vector<std::string>& changed);

// The entry that took the place of this one when a person reworded its line in MEMORY.md; the id as it is if nobody did.
// ErrorCode::refused, with file and line, if its comment stands there and it is not read.
Result<std::string> id_after_edits(const Vault& vault, const std::string& id);

// Whether HEAD stands elsewhere than when the files were last understood, by a commit or by what came. A few files are read.
bool has_git_moved(const Vault& vault);

// Before a command or a run rewrites: understands everything. Fails only if that cannot be done at all.
Status understand_first(Memory& memory);

// An entry of consolidated/, or a line of user.md, that was deleted, or what it was made of, and that stands in its file all the
// same.
struct AfterForget {
  std::string id;
  std::string file;
  int line = 0;
  bool edited = false;     // with words that nobody knew when it was deleted: it counts
  bool rests = false;      // it was not deleted itself, but a fact that it rests on, elsewhere
  bool corrected = false;  // it was not deleted, but had given way to another one
};
Result<std::vector<AfterForget>> after_forget(Memory& memory);

// For `status` and `doctor`.
std::vector<Problem> problems_of(const std::vector<Question>& questions);
void add_edit_problems(Memory& memory, std::vector<Problem>& problems);  // those that are not listed yet
// The vault is on another branch of git; empty: it is not.
Result<std::string> why_nothing_is_decided(const Vault& vault);
// The lines of the core follow their entries (memory/promoted_lines.h), but on another branch: what is written there would be in
// the way back. True if MEMORY.md was rewritten.
Result<bool> follow_entries_in_core(Memory& memory, const std::vector<std::string>& said_again = {});
Result<std::vector<Question>> waiting_questions(const Vault& vault);

}  // namespace loci
