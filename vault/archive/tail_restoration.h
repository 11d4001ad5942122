// What loci appended to the archive and an editor's old buffer, or git, cut off again comes back: the journal has it
// (vault/archive/journal.h). No time decides what counts as lost, but that the journal keeps a day. An entry that this machine
// appended within it is lost from its file if
//  - its id stands in no indexed file of the vault, nor its words in that file without their metadata. Who moves or renames a day
//    takes nothing out.
//  - no tombstone names it (a purge leaves one too).
//  - nothing that was appended behind it while it was there is still there. Whoever takes an entry out of the middle meant it; an
//    old buffer, or git, takes everything from some place on. The last entry of a file, taken out by hand, cannot be told from that
//    and comes back: `loci forget` is the way to delete it.
//  - the file is there, or is git's to take: who removes a whole file meant it.
//  - git did not take it: git took it if the index, a stash, a ref or a reflog has it and HEAD's file has not. So what a checkout,
//  a
//    reset or a stash took away stays away, while what git wrote over unseen, as `git stash` and a merge that refuses can do with
//    what is appended just then, comes back; and so does what `git restore` took out that was never committed.
//  - it has not come back before. Taken out again it was meant, unless git moved since and may have written over it once more: if
//    HEAD's file has it, git did not. If git wrote no more than its index since, it comes back a second time and no third: a merge
//    that refuses puts back the files as they were when it began and leaves no other trace, `git restore` none either.
// What is found to be meant is remembered until it stands in its file again (vault/archive/tail_verdicts.h).
//
// Nothing is looked for unless a file is not as loci left it (vault/archive/tail_notes.h), so asking costs a stat a file.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "vault/layout/vault.h"

namespace loci {

// In which indexed files each of these ids stands, for those that stand somewhere; the index knows every file as it is now.
using Places = std::map<std::string, std::vector<std::string>, std::less<>>;
using FindPlaces = std::function<Result<Places>(const std::vector<std::string>& ids)>;

struct RestoredTails {
  std::vector<std::string> ids;    // that came back
  std::vector<std::string> files;  // to which they were appended
  bool is_open = false;            // not everything could be told: git is at work or cannot be asked, a file is being saved
};

// Appends again what is lost, in the order in which it was first appended, to the last file of its day or conversation. The caller
// holds the writer lock: one process at a time.
Result<RestoredTails> restore_archive_tails(const Vault& vault, const FindPlaces& find_places);

}  // namespace loci
