// What a consolidated entry said before its changes: `history` in its metadata, [{"day","text"}], the latest last. Pure but for
// former_states_of(), which reads the entry's file.
#pragma once

#include <string>
#include <vector>

#include "parser/metadata.h"

namespace loci {

class Memory;
struct Entry;

struct FormerState {
  std::string day, text;  // the newest day that was said in it then

  bool operator==(const FormerState&) const = default;
};

// What a person wrote in there by hand and is none is left out.
std::vector<FormerState> former_states_in(const Metadata& metadata);

// Empty for an entry that is not consolidated, or not in its file any more.
std::vector<FormerState> former_states_of(const Memory& memory, const Entry& entry);

}  // namespace loci
