// An indexed entry as metadata again: what an export writes and an import stores.
#pragma once

#include "indexer/entry.h"
#include "parser/metadata.h"

namespace loci {

Metadata metadata_of(const Entry& entry);

}  // namespace loci
