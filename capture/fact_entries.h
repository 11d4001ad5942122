// From what a model proposed to entries: their date, trust and place are code's. Pure but for the logs that it is given.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "capture/conversation.h"
#include "capture/fact_prompt.h"
#include "memory/add.h"
#include "vault/logs/chronicle.h"

namespace loci {

// Was the text forgotten or corrected after it was said at that time? Said later it is a new memory.
bool was_removed_since(const Chronicle& chronicle, const std::string& text, const std::optional<Instant>& said_at);

// Source `agent`; `correction` where the model says so and the user's own words hold it. The date is that of the turn, so that what
// is written down later is not taken for newer than what was said after it.
NewEntry fact_entry(const ProposedFact& fact, const std::string& session, const SaidTurn& turn);

// Those of the facts that are new: not forgotten since their turn, and not word for word a fact of the conversation. `turn_of`
// gives the turn of a fact, or null for one that is to be left out.
std::vector<NewEntry> fact_entries(const std::vector<ProposedFact>& facts, const Conversation& conversation,
                                   const Chronicle& chronicle, const std::function<const SaidTurn*(const ProposedFact&)>& turn_of);

}  // namespace loci
