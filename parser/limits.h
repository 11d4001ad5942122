// What one file may cost. A file that holds more entries, or would take more memory, is left out as a whole: it has no entries, and
// one problem says so. It is `held`, and open at its end: nobody is to rewrite a file, to append to it or to take anything for
// deleted, of which nothing was read.
#pragma once

#include <cstddef>

#include "parser/parser.h"

namespace loci {

inline constexpr size_t most_entries = 50'000;  // of one file

// What parsing a file of that size may take, in bytes: 40 times its size, of a small file whose entries are short 48 MiB, and of
// none more than 200 MiB.
size_t most_memory(size_t file_bytes);

bool is_left_out(const ParsedFile& file);

}  // namespace loci
