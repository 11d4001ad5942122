// What an editor's old buffer, saved over a file of the archive, has cut off comes back: the journal has it
// (vault/archive/journal.h).
//
// What counts as lost is told by the bytes, and by time only where git is concerned. An entry that this machine appended within the
// last day is lost from its file if its id is neither in that file nor in a later file of the same day or conversation, and
//  - nothing that was appended behind it since, without a cut in between, is still there. Whoever takes an entry out of the middle
//    meant it; an old buffer takes everything from some place on. The last entry of a file, taken out by hand, cannot be told from
//    that and comes back: `loci forget` is the way to delete it.
//  - its words do not stand there without their metadata.
//  - it was not forgotten or corrected (a purge leaves such a tombstone too).
//  - the file is there: who removes a whole file meant it. In a repository it may have been git, which is judged as below.
//  - git did not take it: no operation is in progress, HEAD is the one of the append, and the file is not one that git itself wrote
//    (vault/git/git_operation.h), as after `git stash` or `git restore`, nor such a one with appends behind it. What git may have
//    taken is lost all the same if git has it nowhere, neither committed nor stashed nor in the index, and git was saving the files
//    (`git stash`, a merge that refuses, --autostash) within half a minute of the append or of now: git writes over what comes in
//    between, and over what it saved itself if it cannot put that back. Only the time tells that from a person's `git restore`; a
//    stash that is dropped within that half minute comes back.
// An entry whose id stands in the file is never lost, however it was changed.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "vault/layout/vault.h"

namespace loci {

// Appends again what these files (relative to the root; others than the archive's are skipped) have lost, in the order in which it
// was first appended, and returns the files that it was written to: the last file of the day or conversation. Once: afterwards the
// id stands there. Costs reading the journal and these files, so call it for files that somebody else wrote, not for own appends.
// Any thread, any process; two at once may both append: let one thread of the vault do it.
Result<std::vector<std::string>> restore_archive_tails(const Vault& vault, const std::vector<std::string>& files);

}  // namespace loci
