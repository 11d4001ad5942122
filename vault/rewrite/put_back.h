// The exchange of two names until nobody's save is under the wrong one. See traps in the design notes: exchanging back once left
// an older version under the name when a person saved three times.
#pragma once

#include <string>

#include "base/file_system.h"
#include "base/result.h"
#include "vault/rewrite/pause.h"
#include "vault/rewrite/write_folder.h"

namespace loci {

// The hash of a file's bytes.
Result<std::string> hash_of_file(FileSystem& files, const path& file);

// The temporary of `write` holds a person's version, `file` is believed to hold bytes with the hash `expected`. Exchanges both,
// looks at what came out, and if that is not what was expected, a newer save, exchanges again, until what comes out is what was
// last put in: then the file holds the person's newest save. An editor that has taken the file away is waited for; if it does not
// come back, the temporary gets its name.
//
// A program that has read the file just before may now save over the version that was put back without having seen it. So a copy of
// each is kept, and compared with the file a moment later (vault/rewrite/displaced.h); of all of it, if it was still being written.
//
// Returns the hash of what stands under the temporary's name at the end; empty: there is nothing any more. On an error both names
// hold whole versions, and none is lost.
Result<std::string> put_back(const WriteFolder& folder, const WriteName& write, const path& file, std::string expected,
                             const Sleep& pause);

}  // namespace loci
