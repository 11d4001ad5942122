// One cluster as a question to a model. The words are files of the project (prompts/), versioned; memory text is fenced as data,
// and whatever it says, it cannot end its fence. Pure.
#pragma once

#include <string>

#include "consolidate/clusters.h"
#include "consolidate/material.h"
#include "model/language_model.h"

namespace loci {

// task "decide/1". Facts and entries carry the numbers that parse_decision() expects.
ModelRequest decide_request(const Material& material, const Cluster& cluster);

// task "keys/1": topic keys for facts (indexes into the material) that have none, many in one call.
ModelRequest keys_request(const Material& material, const std::vector<size_t>& facts);
// What it answered, in the order of `facts`; a fact without keys has an empty list. Keys are lower case, at most 5 of 40
// characters.
Result<std::vector<std::vector<std::string>>> parse_keys(std::string_view answer, size_t facts);

}  // namespace loci
