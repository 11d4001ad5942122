// One cluster as a question to a model. The words are files of the project (prompts/), versioned; memory text is fenced as data,
// and whatever it says, it cannot end its fence. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "consolidate/clusters.h"
#include "consolidate/material.h"
#include "model/language_model.h"

namespace loci {

// The tasks name the prompts and their versions: prompts/decide-1.md.
inline constexpr const char* decide_prompt_version = "decide/1";
inline constexpr const char* keys_prompt_version = "keys/1";

// Facts and entries carry the numbers that parse_decision() expects. What is private is left out, whoever put it into the cluster:
// its number is missing, and no answer may name it.
//
//   {"operations":[{"op":"REPLACE","facts":[1],"target":4,"into":0,"of":0,"text":"…","about":["employer"],"kind":"change","why":""}]}
//
// Every field stands in every operation, so that providers with strict schemas take it; 0, "", [] and "none" say that one does not
// apply. There are no unions in the schema: not every provider has them.
ModelRequest decide_request(const Material& material, const Cluster& cluster);

// Topic keys for facts (indexes into the material) that have none, many in one call. Private facts are left out.
ModelRequest keys_request(const Material& material, const std::vector<size_t>& facts);
// What it answered to {"facts":[{"n":1,"about":["employer"]}]}, in the order of `facts`; a fact without keys, or that the answer
// leaves out, has an empty list. Keys are as in topic_keys.h. ErrorCode::refused: another shape, unknown or repeated numbers.
Result<std::vector<std::vector<std::string>>> parse_keys(std::string_view answer, size_t facts);

}  // namespace loci
