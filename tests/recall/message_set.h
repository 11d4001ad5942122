// Memories, messages, and which memories each message must bring up.
#pragma once

#include <array>
#include <string_view>

namespace loci {

struct SetMemory {
  std::string_view id, text;
};

struct SetMessage {
  std::string_view text;
  std::string_view wanted;  // ids with blanks between them; empty: silence
};

}  // namespace loci
