// The files of panel/page/ as they were when the program was built.
#pragma once

#include <string_view>
#include <vector>

namespace loci {

struct PageBytes {
  std::string_view name;
  std::string_view bytes;
};

// Generated at build time.
const std::vector<PageBytes>& page_bytes();

}  // namespace loci
