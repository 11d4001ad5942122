#include "memory/quoted.h"

#include <algorithm>

#include "words/whose_words.h"

namespace loci {
namespace {

bool is_of_conversation(const Entry& entry) {
  return entry.turn && std::ranges::any_of(entry.places, [](const EntryPlace& place) { return is_conversation_file(place.file); });
}

// Whose word it is that this was said: the assistant's own, or the user's by a road that counts.
bool counts(const Entry& turn) { return turn.role == "assistant" || turn.source >= Source::user; }

// The turn before this one.
std::string said_before(const std::vector<Entry>& turns, const Entry& turn) {
  std::optional<std::int64_t> last;
  for (const Entry& other : turns)
    if (counts(other) && *other.turn < *turn.turn) last = std::max(last.value_or(-1), *other.turn);
  std::string said;
  for (const Entry& other : turns)
    if (counts(other) && last && *other.turn == *last) said += other.text + '\n';
  return said;
}

}  // namespace

Result<Source> source_by_quote(Memory& memory, const std::string& text, const Quote& quote, const Entry* corrected) {
  if (quote.text.empty() || quote.session.empty()) return Source::agent;
  TRY(memory.bring_up_to_date());
  EntryFilter filter;
  filter.kinds = {EntryKind::turn};
  filter.session = quote.session;
  constexpr size_t most_turns = 1'000'000;
  auto turns = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.list(filter, most_turns); }));
  std::erase_if(turns, [](const Entry& entry) { return !is_of_conversation(entry); });
  WordReader reader;
  Whose whose = Whose::anothers;
  for (const Entry& turn : turns) {
    if (turn.role == "assistant" || !counts(turn)) continue;
    const std::string before = said_before(turns, turn);
    whose = std::max(whose, whose_words(reader, {text, quote.text},
                                        {.user = turn.text,
                                         .before = before,
                                         .corrected = corrected ? std::string_view(corrected->text) : std::string_view(),
                                         .day = turn.at ? utc_date(*turn.at) : std::string()}));
  }
  constexpr Source source_of[] = {Source::agent, Source::user, Source::correction};  // by Whose
  return source_of[static_cast<size_t>(whose)];
}

}  // namespace loci
