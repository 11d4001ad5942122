#include "capture/conversation.h"

#include <algorithm>
#include <map>
#include <set>

#include "memory/may_send.h"
#include "vault/archive/archive_file.h"

namespace loci {
namespace {

using TurnsByNumber = std::map<std::int64_t, SaidTurn>;

Result<std::vector<Entry>> all_entries_of(Memory& memory, const std::string& session) {
  const auto freshness = TRY(memory.bring_up_to_date());
  if (!freshness.fresh()) TRY(memory.take_in({}));
  EntryFilter filter;
  filter.session = session;
  filter.inactive = true;
  constexpr size_t most_entries = 1'000'000;
  return memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.list(filter, most_entries); });
}

void add_words(std::string& words, const std::string& more) {
  if (!words.empty() && !more.empty()) words += '\n';
  words += more;
}

// What stands elsewhere and claims to be a turn is none.
bool is_of_conversation(const Entry& entry) {
  return std::ranges::any_of(entry.places, [](const EntryPlace& place) { return is_conversation_file(place.file); });
}

void add_turn(TurnsByNumber& turns, const Entry& entry, bool may_send) {
  SaidTurn& turn = turns[*entry.turn];
  if (entry.role != "assistant" && entry.source >= Source::user) turn.users_own.push_back(entry.text);
  add_words(entry.role == "assistant" ? turn.assistant : turn.user, entry.text);
  if (!turn.at) turn.at = entry.at;
  if (turn.project.empty()) turn.project = entry.project;
  turn.is_private = turn.is_private || !may_send;
}

// A turn that stands in no file is judged as if it did.
bool may_send(const Sendable& sendable, const Vault& vault, const std::string& session, const CountedTurn& turn) {
  const std::string day = vault.clock().local_date(turn.at.value_or(vault.clock().now()));
  const std::string file = "archive/sessions/" + day + '-' + session_in_name(session) + ".md";
  return sendable.may_send(turn.user, turn.project, file) && sendable.may_send(turn.assistant, turn.project, file);
}

void add_turn(TurnsByNumber& turns, const CountedTurn& counted, bool may_send) {
  SaidTurn& turn = turns[counted.number];
  add_words(turn.user, counted.user);
  add_words(turn.assistant, counted.assistant);
  if (counted.told_by == Actor::person && !counted.user.empty()) turn.users_own.push_back(counted.user);
  if (!turn.at) turn.at = counted.at;
  if (turn.project.empty()) turn.project = counted.project;
  turn.is_private = turn.is_private || !may_send;
  turn.is_unstored = true;
}

// What was said before may have been added to; nothing of it may be missing.
bool still_says(const SaidTurn& turn, const SaidTurn& before) {
  return !turn.was_forgotten && turn.user.starts_with(before.user) && turn.assistant.starts_with(before.assistant);
}

}  // namespace

Result<Conversation> read_conversation(Memory& memory, const std::string& session) {
  auto entries = TRY(all_entries_of(memory, session));
  auto state = TRY(read_turn_state(memory.vault(), session));
  if (entries.empty() && state.turns.empty())
    return fail(ErrorCode::not_found, "there is no session '" + session + "'", "'loci sessions' lists them");

  Sendable sendable(memory);
  Conversation conversation{.session = session, .turns = {}, .facts = {}, .summaries = {}, .state = std::move(state)};
  TurnsByNumber turns;
  std::set<std::int64_t> forgotten;
  for (Entry& entry : entries) {
    if (entry.kind != EntryKind::fact && !is_of_conversation(entry)) continue;
    if (entry.kind == EntryKind::turn && entry.turn) {
      conversation.last_counted = std::max(conversation.last_counted, *entry.turn);
      if (entry.active) add_turn(turns, entry, TRY(sendable.may_send(entry)));
    } else if (entry.kind == EntryKind::session_summary) {
      conversation.summarised = std::max(conversation.summarised, entry.turn.value_or(-1));
      if (entry.active) conversation.summaries.push_back(std::move(entry));
    } else if (entry.kind == EntryKind::fact) {
      if (!entry.active && entry.turn) forgotten.insert(*entry.turn);
      if (entry.active) conversation.facts.push_back(std::move(entry));
    }
  }
  for (const CountedTurn& counted : conversation.state.turns) {
    conversation.last_counted = std::max(conversation.last_counted, counted.number);
    if (counted.has_words) add_turn(turns, counted, may_send(sendable, memory.vault(), session, counted));
  }
  for (auto& [number, turn] : turns) {
    turn.number = number;
    turn.was_forgotten = forgotten.contains(number);
    conversation.turns.push_back(std::move(turn));
  }
  std::ranges::sort(conversation.summaries, {}, [](const Entry& entry) { return entry.turn.value_or(-1); });
  return conversation;
}

Result<bool> still_stand(Memory& memory, const std::string& session, std::span<const SaidTurn> turns, const Entry* summary) {
  const auto now = read_conversation(memory, session);
  if (!now && now.error().code == ErrorCode::not_found) return false;
  if (!now) return std::unexpected(now.error());
  const auto is_same = [&](const Entry& one) { return one.id == summary->id && one.hash == summary->hash; };
  if (summary && std::ranges::none_of(now->summaries, is_same)) return false;
  return std::ranges::all_of(turns, [&](const SaidTurn& before) {
    const auto turn = std::ranges::find(now->turns, before.number, &SaidTurn::number);
    return turn != now->turns.end() && still_says(*turn, before);
  });
}

}  // namespace loci
