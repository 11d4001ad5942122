// Files that nobody needs any more: what write_file() leaves beside a file when its process dies in the middle, and what is old.
#pragma once

#include <chrono>

#include "base/file_system.h"

namespace loci {

// Takes away that of processes which run no more. Reads the folder: for a file of another program's, whose folder nobody tidies.
void remove_leftovers_of(const path& file);
// The same of all files of a folder that is loci's own.
void remove_leftovers_in(const path& folder);

// Takes away the files of a folder that were last written longer ago than this. What cannot be is left.
void remove_older(const path& folder, std::chrono::hours age);

}  // namespace loci
