#include "capture/gap_fill.h"

#include <algorithm>
#include <set>

#include "capture/fact_entries.h"
#include "capture/fact_prompt.h"
#include "capture/files_of.h"
#include "capture/known_facts.h"
#include "capture/said_lines.h"
#include "memory/may_send.h"

namespace loci {
namespace {

constexpr size_t most_session_facts_shown = 50;

// The lines of the turns that are looked at, and of which turn each is.
struct SaidLines {
  std::vector<std::string> lines;
  std::vector<const SaidTurn*> turns;
  size_t is_private = 0;  // turns left out
};

SaidLines lines_to_look_at(const Vault& vault, const Conversation& conversation) {
  const std::int64_t done = std::max(conversation.state.gap_filled, conversation.summarised);
  SaidLines said;
  for (const SaidTurn& turn : conversation.turns) {
    if (turn.number <= done || turn.was_forgotten) continue;
    if (turn.is_private) {
      ++said.is_private;
      continue;
    }
    for (std::string& line : lines_of(vault.clock(), turn, window_tokens / 2)) {
      said.lines.push_back(std::move(line));
      said.turns.push_back(&turn);
    }
  }
  return said;
}

// The facts of this conversation first: a gap is what none of them covers.
Result<std::vector<KnownFact>> known_to(Memory& memory, const Conversation& conversation, std::string_view said) {
  Sendable sendable(memory);
  std::vector<KnownFact> known;
  for (const Entry& fact : conversation.facts) {
    if (known.size() == most_session_facts_shown) break;
    const auto may_send = TRY(sendable.may_send(fact));
    if (may_send) known.push_back({fact.id, fact.text});
  }
  const auto nearest = TRY(nearest_known(memory, said));
  for (const KnownFact& one : nearest)
    if (std::ranges::find(known, one.text, &KnownFact::text) == known.end()) known.push_back(one);
  return known;
}

class GapFill {
 public:
  GapFill(Memory& memory, const Conversation& conversation, const SaidLines& said, Extracted& extracted)
      : memory_(memory),
        conversation_(conversation),
        said_(said),
        extracted_(extracted),
        gap_filled_(conversation.state.gap_filled) {}

  Status fill(const Window& window, LanguageModel& model, const std::stop_token& stop, const RunStep& run_step) {
    std::set<std::int64_t> numbers;
    std::string user_words;
    for (size_t i = window.begin; i < window.end; ++i)
      if (numbers.insert(said_.turns[i]->number).second) (user_words += said_.turns[i]->user) += ' ';
    const auto known = TRY(known_to(memory_, conversation_, user_words));
    const auto answer = TRY(model.ask(gap_fill_request(window.text, known), stop));
    extracted_.tokens.input += answer.tokens.input;
    extracted_.tokens.output += answer.tokens.output;
    const auto facts = TRY(parse_facts(answer.text, known, numbers));
    return run(memory_, run_step, [&](Memory& writing) -> Status {
      const auto stand = TRY(still_stand(writing, conversation_.session, turns_of(window)));
      if (stand) return store_facts(writing, facts, known, done_with(window));
      extracted_.notes.emplace_back("something that was said was forgotten or changed meanwhile: nothing that was found is kept");
      was_dropped_ = true;
      return {};
    });
  }

  bool was_dropped() const { return was_dropped_; }

 private:
  std::vector<SaidTurn> turns_of(const Window& window) const {
    std::vector<SaidTurn> turns;
    for (size_t i = window.begin; i < window.end; ++i)
      if (turns.empty() || turns.back().number != said_.turns[i]->number) turns.push_back(*said_.turns[i]);
    return turns;
  }

  // A turn that goes on in the next window is done when that one is.
  std::int64_t done_with(const Window& window) const {
    const std::int64_t last = said_.turns[window.end - 1]->number;
    const bool goes_on = window.end < said_.turns.size() && said_.turns[window.end]->number == last;
    return goes_on ? last - 1 : last;
  }

  Status store_facts(Memory& writing, const std::vector<ProposedFact>& facts, const std::vector<KnownFact>& known,
                     std::int64_t last_turn) {
    const auto chronicle = TRY(Chronicle::read(writing.vault()));  // now: something may have been forgotten while the model thought
    size_t dropped = 0;
    auto entries = fact_entries(facts, known, conversation_, chronicle, [&](const ProposedFact& fact) -> const SaidTurn* {
      const auto turn = std::ranges::find(said_.turns, fact.turn, &SaidTurn::number);
      if (turn != said_.turns.end() && quotes_user(fact, (*turn)->user)) return *turn;
      ++dropped;
      return nullptr;
    });
    if (dropped > 0)
      extracted_.notes.push_back(std::to_string(dropped) + " proposed that the user did not say in so many words: left out");
    std::vector<Appended> stored;
    TRY(append(writing, last_turn, std::move(entries), stored));
    if (stored.empty()) return {};
    if (const auto searchable = make_searchable(writing, files_of(stored)); !searchable.yes)
      extracted_.notes.push_back("facts are stored, but not searchable yet: " + searchable.reason);
    std::ranges::move(stored, std::back_inserter(extracted_.facts));
    return {};
  }

  // Unless somebody else has looked for gaps meanwhile.
  Status append(Memory& writing, std::int64_t last_turn, std::vector<NewEntry> entries, std::vector<Appended>& stored) {
    const auto folder = TRY(TurnFolder::lock(writing.vault()));
    const auto state = TRY(folder.read(conversation_.session));
    if (state.gap_filled > gap_filled_) return {};
    auto appended = TRY(append_new(writing, std::move(entries)));
    stored = std::move(appended);
    if (last_turn <= gap_filled_) return {};
    gap_filled_ = last_turn;
    return folder.note_gap_filled(conversation_.session, last_turn);
  }

  Memory& memory_;
  const Conversation& conversation_;
  const SaidLines& said_;
  Extracted& extracted_;
  std::int64_t gap_filled_;  // as far as this one knows
  bool was_dropped_ = false;
};

}  // namespace

Status fill_gaps(Memory& memory, const Conversation& conversation, LanguageModel& model, const std::stop_token& stop,
                 const RunStep& run_step, Extracted& extracted) {
  const SaidLines said = lines_to_look_at(memory.vault(), conversation);
  if (said.is_private > 0)
    extracted.notes.push_back(std::to_string(said.is_private) + " private (privacy.never_send): not looked at by the model");
  GapFill gap_fill(memory, conversation, said, extracted);
  for (const Window& window : windows_of(said.lines, window_tokens)) {
    TRY(gap_fill.fill(window, model, stop, run_step));
    if (gap_fill.was_dropped()) break;  // turns are looked at in order: the rest waits for the next end
  }
  return {};
}

}  // namespace loci
