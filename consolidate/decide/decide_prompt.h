// One cluster as a question to a model. The words are files of the project (prompts/), versioned; memory text is fenced as data,
// and whatever it says, it cannot end its fence. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "consolidate/decide/clusters.h"
#include "consolidate/decide/material.h"
#include "consolidate/decide/operations.h"
#include "model/language_model.h"

namespace loci {

// The tasks name the prompts and their versions: prompts/decide-3.md.
inline constexpr const char* decide_prompt_version = "decide/3";
inline constexpr const char* mend_prompt_version = "mend/2";
inline constexpr const char* keys_prompt_version = "keys/2";

// Facts and entries carry the numbers that parse_decision() expects. What is private is left out, whoever put it into the cluster:
// its number is missing, and no answer may name it.
//
//   {"operations":[{"op":"REPLACE","facts":[1],"target":4,"into":0,"of":0,"text":"…","about":["employer"],"kind":"change","why":"","against":0}]}
//
// Every field stands in every operation, so that providers with strict schemas take it; 0, "", [] and "none" say that one does not
// apply. There are no unions in the schema: not every provider has them.
// `today`: "2026-11-20"; empty: not said.
ModelRequest decide_request(const Material& material, const Cluster& cluster, std::string_view today = {});

// Operations that were refused, and why, once more: with their facts and those that were left out. Answered as decide_request() is.
ModelRequest mend_request(const Material& material, const Cluster& cluster, const std::vector<RefusedOperation>& refused,
                          std::string_view today = {});

// Topic keys for facts (indexes into the material) that have none, many in one call; the keys that exist already are shown. Private
// facts are left out, and the keys of private entries.
ModelRequest keys_request(const Material& material, const std::vector<size_t>& facts);
// What it answered to {"facts":[{"n":1,"about":["employer"]}]}, in the order of `facts`; a fact without keys, or that the answer
// leaves out, has an empty list. Keys are as in topic_keys.h. ErrorCode::refused: another shape, unknown or repeated numbers.
Result<std::vector<std::vector<std::string>>> parse_keys(std::string_view answer, size_t facts);

}  // namespace loci
