// A person puts an entry into the core of MEMORY.md, which is in every prompt, or takes it out. One thread.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "memory/memory.h"

namespace loci {

struct CorePlace {
  std::string id;
  bool stands = false;             // in the core, from now on
  std::vector<std::string> files;  // that were rewritten
};

// A line of loci's own behind those that stand there; runs keep it, and it follows its entry. ErrorCode::refused, with what is in
// the way, for what stands there already, no longer counts, is no fact and no consolidated entry, may not be sent to a model, or
// does not fit; ErrorCode::not_found for an unknown id.
Result<CorePlace> promote(Memory& memory, const std::string& id);

// Whatever the line says; the entry stays, and no run promotes it again. ErrorCode::refused if it does not stand there.
Result<CorePlace> demote(Memory& memory, const std::string& id);

// Whether a line there shows this entry. False also where there is no such file, or its markers are not in order.
Result<bool> stands_in_core(const Vault& vault, const std::string& id);

}  // namespace loci
