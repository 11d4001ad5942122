// What a memory knows, in the form in which another program takes it in, so that nobody is locked in: the other way of what the
// readers read (importers.h). Facts that count today; what the other one cannot carry is counted and said.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "memory/memory.h"

namespace loci::importers {

struct GivenOut {
  size_t given = 0;                    // entries
  std::map<std::string, size_t> lost;  // what is not carried, or otherwise, in words for people; of how many entries
};

std::span<const std::string_view> forms_to_give();  // "claude-code", "basic-memory", "mem0", "json", "md"

// Writes a file (mem0, json, md) or a folder (claude-code, basic-memory), readable by nobody else. What [privacy] never_send names
// is given only `with_private`. ErrorCode::usage if there is no such form, ErrorCode::refused if `target` exists or is inside of
// the vault: nothing is overwritten. Until it is whole its name ends in ".partial"; one that was left is refused, and if this fails
// the hint names it. The index has to be up to date.
Result<GivenOut> give_out(Memory& memory, std::string_view form, const path& target, bool with_private);

}  // namespace loci::importers
