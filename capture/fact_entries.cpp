#include "capture/fact_entries.h"

#include <algorithm>
#include <set>

#include "base/unicode.h"
#include "capture/content_words.h"
#include "parser/text_hash.h"
#include "words/whose_words.h"

namespace loci {
namespace {

// The turn before, which the user answers to or goes on with.
std::string said_before(const Conversation& conversation, const SaidTurn& turn) {
  const SaidTurn* last = nullptr;
  for (const SaidTurn& other : conversation.turns)  // by number
    if (other.number < turn.number) last = &other;
  if (!last) return {};
  std::string said = last->assistant;
  for (const std::string& own : last->users_own) said += '\n' + own;
  return said;
}

Whose whose_words_of(WordReader& reader, const ProposedFact& fact, const KnownFact* corrected, const Conversation& conversation,
                     const SaidTurn& turn) {
  const std::string day = turn.at ? utc_date(*turn.at) : std::string();
  const std::string before = said_before(conversation, turn);
  Whose whose = Whose::anothers;
  for (const std::string& user : turn.users_own)
    whose = std::max(whose, whose_words(reader, {fact.text, fact.quote},
                                        {.user = user,
                                         .before = before,
                                         .corrected = corrected ? std::string_view(corrected->text) : std::string_view(),
                                         .day = day}));
  return whose;
}

struct Provenance {
  Whose whose = Whose::anothers;
  std::string corrects;  // the id of what it corrects
};

Provenance provenance_of(const ProposedFact& fact, const std::vector<KnownFact>& known, const Conversation& conversation,
                         const SaidTurn& turn) {
  WordReader reader;
  const KnownFact* named = fact.corrects ? &*fact.corrects : nullptr;
  const Whose whose = whose_words_of(reader, fact, named, conversation, turn);
  if (fact.kind != ProposedFact::Kind::correction || whose == Whose::anothers) return {std::min(whose, Whose::users), {}};
  if (named) return {whose, whose == Whose::users_correction ? named->id : std::string()};
  for (const KnownFact& one : known)
    if (whose_words_of(reader, fact, &one, conversation, turn) == Whose::users_correction) return {Whose::users_correction, one.id};
  return {Whose::users, {}};
}

}  // namespace

bool was_removed_since(const Chronicle& chronicle, const std::string& text, const std::optional<Instant>& said_at) {
  const auto removed = chronicle.text_removed_at(stored_text_hash(text), loose_text_hash(text));
  return removed && (!said_at || *said_at <= *removed);
}

NewEntry fact_entry(const ProposedFact& fact, const std::vector<KnownFact>& known, const Conversation& conversation,
                    const SaidTurn& turn) {
  constexpr Source source_of[] = {Source::agent, Source::user, Source::correction};  // by Whose
  Provenance provenance = provenance_of(fact, known, conversation, turn);
  Metadata metadata;
  metadata.at = turn.at;
  metadata.source = source_of[static_cast<size_t>(provenance.whose)];
  metadata.corrects = std::move(provenance.corrects);
  metadata.session = conversation.session;
  metadata.turn = turn.number;
  metadata.project = turn.project;
  metadata.about = fact.about;
  if (fact.kind == ProposedFact::Kind::preference) metadata.category = "preference";
  return {std::move(metadata), fact.text};
}

bool quotes_user(const ProposedFact& fact, std::string_view user) {
  constexpr size_t shortest_quote = 2, most_words = 500;
  const std::string quote = fold(normalise_for_hash(fact.quote));
  if (count_code_points(quote) < shortest_quote || !fold(normalise_for_hash(user)).contains(quote)) return false;
  const auto quoted = content_words(quote, most_words);
  return std::ranges::any_of(content_words(fact.text, most_words),
                             [&](const std::string& word) { return std::ranges::find(quoted, word) != quoted.end(); });
}

std::vector<NewEntry> fact_entries(const std::vector<ProposedFact>& facts, const std::vector<KnownFact>& known,
                                   const Conversation& conversation, const Chronicle& chronicle,
                                   const std::function<const SaidTurn*(const ProposedFact&)>& turn_of) {
  std::set<std::string, std::less<>> taken_down;
  for (const Entry& entry : conversation.facts) taken_down.insert(entry.hash);
  std::vector<NewEntry> entries;
  for (const ProposedFact& fact : facts) {
    const SaidTurn* turn = turn_of(fact);
    if (!turn || was_removed_since(chronicle, fact.text, turn->at) || !taken_down.insert(stored_text_hash(fact.text)).second)
      continue;
    entries.push_back(fact_entry(fact, known, conversation, *turn));
  }
  return entries;
}

}  // namespace loci
