// Correcting what stands in the archive, which only grows: the new version is appended, the old one gets a tombstone, and what loci
// had made of the old one says the new text.
#pragma once

#include "memory/correct.h"
#include "vault/archive/append.h"

namespace loci {

// An edit of tags alone keeps what was made of the entry. Fails, with everything as it was, like DecidedChanges::carry_out().
Result<Corrected> replace_in_archive(Memory& memory, const Entry& old, const Edit& change, const Author& author);

// By an entry that was made elsewhere, with an id of its own. What a person has worded themselves of the old one goes on resting on
// it: nobody is there to be told, so `status` asks about it. Fails like that.
Result<Corrected> replace_in_archive(Memory& memory, const Entry& old, NewEntry next, const Author& author);

}  // namespace loci
