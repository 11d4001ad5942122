// What a process that was killed in the middle of a replace left in .loci/tmp/ is finished or undone.
//
// Three hashes decide: of the bytes that were to be replaced (base), of those that were to come (new), both in the temporary's
// name, and of what is found under the temporary name and in the file.
//
//   temporary is | file is      | then
//   new          | base         | the temporary goes: nothing was exchanged, or all was put back
//   new          | another      | it is kept for a day: an editor may have opened it while it was the file
//   base         | anything     | it is kept for a day, as after any replace
//   another      | new, missing | a person's save was displaced: it goes back
//   another      | another      | two saves: the newer stays in or comes into the file, the other becomes a conflict file
//
// Whether the process is dead is told by the lock on .loci/tmp/ (vault/rewrite/write_folder.h), which every replace holds. Every
// step leaves a state that the table knows, so recovery itself may be killed anywhere and done again.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "vault/layout/vault.h"
#include "vault/rewrite/pause.h"

namespace loci {

class WriteFolder;

struct Recovery {
  std::vector<std::string> put_back;        // files that hold a person's save again
  std::vector<std::string> conflict_files;  // saves that lost, now visible beside their file
  size_t leftovers = 0;                     // temporaries of unfinished writes that were removed
};

// Any thread, any process. ErrorCode::refused during a git operation, ErrorCode::locked while another process replaces for longer
// than is usual; nothing was done then. On another failure the rest was done, and the failed part can be tried again.
Result<Recovery> recover_writes(const Vault& vault, const Sleep& pause = sleep_pause);

// The same for who has the lock already.
Result<Recovery> finish_writes(const WriteFolder& folder, const Sleep& pause);

}  // namespace loci
