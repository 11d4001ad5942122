// Correcting what stands in the archive, which only grows: the new version is appended, the old one gets a tombstone, and what loci
// had made of the old one says the new text.
#pragma once

#include "memory/correct.h"

namespace loci {

// An edit of tags alone keeps what was made of the entry. Fails with the new text stored, and the error says so.
Result<Corrected> replace_in_archive(Memory& memory, const Entry& old, const Edit& change, const Author& author);

}  // namespace loci
