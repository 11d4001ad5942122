#include "capture/extract.h"

#include <algorithm>

#include "capture/budgeted_model.h"
#include "capture/conversation.h"
#include "capture/fact_entries.h"
#include "capture/fact_prompt.h"
#include "capture/files_of.h"
#include "capture/known_facts.h"
#include "capture/said_lines.h"

namespace loci {
namespace {

// The turn, if there is something in it that may be extracted; else a note why not, or nothing.
const SaidTurn* turn_to_extract(const Conversation& conversation, std::int64_t number, std::vector<std::string>& notes) {
  const auto turn = std::ranges::find(conversation.turns, number, &SaidTurn::number);
  if (turn == conversation.turns.end()) return nullptr;
  const TurnState& state = conversation.state;
  if (state.extracted.contains(number) || number <= std::max(state.gap_filled, conversation.summarised)) return nullptr;
  if (turn->is_private) notes.push_back("the turn is private (privacy.never_send): it was not sent to the model");
  if (turn->was_forgotten) notes.push_back("a fact of this turn was forgotten: it is not extracted again");
  return turn->is_private || turn->was_forgotten ? nullptr : &*turn;
}

ModelRequest request_for(Memory& memory, const SaidTurn& turn, const std::vector<KnownFact>& known) {
  // Of a turn that is longer than a prompt its beginning counts: a paste, most of the time.
  const auto windows = windows_of(lines_of(memory.vault().clock(), turn, window_tokens / 2), window_tokens);
  return extract_request(windows.front().text, known);
}

// Appends what nobody else has extracted meanwhile, and notes that the turn is done.
Status store(Memory& memory, const std::string& session, std::int64_t turn, std::vector<NewEntry> entries, Extracted& extracted) {
  const auto folder = TRY(TurnFolder::lock(memory.vault()));
  const auto state = TRY(folder.read(session));
  if (state.extracted.contains(turn) || turn <= state.gap_filled) return {};
  auto appended = TRY(append_new(memory, std::move(entries)));
  extracted.facts = std::move(appended);
  return folder.note_extracted(session, turn);
}

}  // namespace

bool wants_extraction(const Vault& vault, const StoredTurn& stored) {
  if (stored.is_private) return false;
  const auto& settings = vault.config().capture;
  if (settings.turns == "off") return false;
  if (settings.extract == "turn") return !stored.known;
  return settings.extract == "auto" && has_room_for_turns(vault);
}

Result<Extracted> extract_from_turn(Memory& memory, LanguageModel& model, const std::string& session, std::int64_t number,
                                    std::stop_token stop, const RunStep& run_step) {
  const auto conversation = TRY(read_conversation(memory, session));
  Extracted extracted;
  const SaidTurn* turn = turn_to_extract(conversation, number, extracted.notes);
  if (!turn) return extracted;
  const auto known = TRY(nearest_known(memory, turn->user + ' ' + turn->assistant));
  const auto request = request_for(memory, *turn, known);
  BudgetedModel budgeted(memory.vault(), model, BudgetedModel::AfterFailures::rest);
  const auto answer = TRY(budgeted.ask(request, std::move(stop)));
  extracted.tokens = answer.tokens;
  const auto facts = TRY(parse_facts(answer.text, known));

  const Status stored = run(memory, run_step, [&](Memory& writing) -> Status {
    const auto stands = TRY(still_stand(writing, session, std::span(turn, 1)));
    if (!stands) {
      extracted.notes.emplace_back("the turn was forgotten or changed meanwhile: nothing that was found in it is kept");
      return {};
    }
    const auto chronicle = TRY(Chronicle::read(writing.vault()));  // now: something may have been forgotten while the model thought
    auto entries = fact_entries(facts, known, conversation, chronicle, [&](const ProposedFact&) { return turn; });
    TRY(store(writing, session, number, std::move(entries), extracted));
    if (extracted.facts.empty()) return {};
    if (const auto searchable = make_searchable(writing, files_of(extracted.facts)); !searchable.yes)
      extracted.notes.push_back("its facts are stored, but not searchable yet: " + searchable.reason);
    return {};
  });
  if (!stored) return std::unexpected(stored.error());
  return extracted;
}

}  // namespace loci
