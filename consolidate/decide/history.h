// What consolidation keeps in an entry's metadata for itself. `history`, [{"day","text"}], the latest last: what it said before its
// changes, so its text need only say the present and the previous state. `asis`: no better text than the fact's own was accepted.
// `against`: the entry that it contradicts and could not change. Pure.
#pragma once

#include <vector>

#include "consolidate/decide/material.h"
#include "parser/metadata.h"

namespace loci {

inline constexpr size_t most_former_states = 20;
inline constexpr size_t longest_history = 8'000;  // characters of all texts; the archive has the rest

// What a person wrote in there by hand and is none is left out.
EntryState state_in(const Metadata& metadata);

// One more, the oldest leaving if there are too many.
void add_to_history(std::vector<FormerState>& history, FormerState state);

// Puts it into the keys of the metadata, or takes them out.
void write_state(Metadata& metadata, const EntryState& state);

}  // namespace loci
