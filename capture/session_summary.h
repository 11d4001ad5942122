// The summary of a conversation that needs no model: who began, how many turns, from when to when, and the first
// sentences of each turn of the user; of a turn whose words must not get into the vault it quotes nothing. The same turns give the
// same text. Pure but for the calendar of the clock.
#pragma once

#include <span>
#include <string>

#include "base/clock.h"
#include "capture/conversation.h"

namespace loci {

inline constexpr size_t most_listed_turns = 40;

// At least one turn.
std::string summary_by_rule(const Clock& clock, std::span<const SaidTurn> turns);

}  // namespace loci
