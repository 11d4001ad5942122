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

// Source `agent`, unless the quote proves that the user said it (words/whose_words.h): then `user`, or `correction` if it names
// what was wrong. The date is that of the turn, so that what is written down later is not taken for newer than what was said after
// it. `known`: what was shown beside the conversation. A correction that names none of it corrects what its quote denies.
NewEntry fact_entry(const ProposedFact& fact, const std::vector<KnownFact>& known, const Conversation& conversation,
                    const SaidTurn& turn);

// Does the user's text hold the quote, and the quote a word of the fact that carries meaning?
bool quotes_user(const ProposedFact& fact, std::string_view user);

// Those of the facts that are new: not forgotten since their turn, and not word for word a fact of the conversation. `turn_of`
// gives the turn of a fact, or null for one that is to be left out.
std::vector<NewEntry> fact_entries(const std::vector<ProposedFact>& facts, const std::vector<KnownFact>& known,
                                   const Conversation& conversation, const Chronicle& chronicle,
                                   const std::function<const SaidTurn*(const ProposedFact&)>& turn_of);

}  // namespace loci
