// What write_file() leaves beside a file when its process dies in the middle.
#pragma once

#include "base/file_system.h"

namespace loci {

// Takes away that of processes which run no more. Reads the folder: for a file of another program's, whose folder nobody tidies.
void remove_leftovers_of(const path& file);
// The same of all files of a folder that is loci's own.
void remove_leftovers_in(const path& folder);

}  // namespace loci
