// What an entry said before its changes, kept in its metadata: `history`, [{"day","text"}], the latest last. So its text need only
// say the present and the previous state. Pure.
#pragma once

#include <vector>

#include "consolidate/decide/material.h"
#include "parser/metadata.h"

namespace loci {

inline constexpr size_t most_former_states = 20;
inline constexpr size_t longest_history = 8'000;  // characters of all texts; the archive has the rest

// What a person wrote in there by hand and is none is left out.
std::vector<FormerState> history_in(const Metadata& metadata);
// Was no better text accepted than the fact's own? (`asis`)
bool is_as_it_was_said(const Metadata& metadata);

// One more, the oldest leaving if there are too many.
void add_to_history(std::vector<FormerState>& history, FormerState state);

// Puts both into the keys of the metadata, or takes them out.
void write_history(Metadata& metadata, const std::vector<FormerState>& history, bool as_it_was_said);

}  // namespace loci
