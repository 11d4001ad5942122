#include "capture/fact_entries.h"

#include <algorithm>
#include <set>

#include "parser/text_hash.h"

namespace loci {

bool was_removed_since(const Chronicle& chronicle, const std::string& text, const std::optional<Instant>& said_at) {
  const auto removed = chronicle.text_removed_at(stored_text_hash(text), loose_text_hash(text));
  return removed && (!said_at || *said_at <= *removed);
}

NewEntry fact_entry(const ProposedFact& fact, const std::string& session, const SaidTurn& turn) {
  const bool is_correction = fact.kind == ProposedFact::Kind::correction && user_said(fact, turn.user);
  Metadata metadata;
  metadata.at = turn.at;
  metadata.source = is_correction ? Source::correction : Source::agent;
  metadata.session = session;
  metadata.turn = turn.number;
  metadata.project = turn.project;
  metadata.about = fact.about;
  if (fact.kind == ProposedFact::Kind::preference) metadata.category = "preference";
  return {std::move(metadata), fact.text};
}

std::vector<NewEntry> fact_entries(const std::vector<ProposedFact>& facts, const Conversation& conversation,
                                   const Chronicle& chronicle, const std::function<const SaidTurn*(const ProposedFact&)>& turn_of) {
  std::set<std::string, std::less<>> known;
  for (const Entry& entry : conversation.facts) known.insert(entry.hash);
  std::vector<NewEntry> entries;
  for (const ProposedFact& fact : facts) {
    const SaidTurn* turn = turn_of(fact);
    if (!turn || was_removed_since(chronicle, fact.text, turn->at) || !known.insert(stored_text_hash(fact.text)).second) continue;
    entries.push_back(fact_entry(fact, conversation.session, *turn));
  }
  return entries;
}

}  // namespace loci
