#include "capture/pauses.h"

#include <algorithm>

#include "base/hash.h"
#include "base/unicode.h"
#include "capture/session_entries.h"
#include "capture/turn_state.h"
#include "parser/tag_marks.h"
#include "parser/tag_names.h"
#include "vault/logs/host_log.h"
#include "vault/logs/json_lines.h"

namespace loci {
namespace {

constexpr std::string_view log_folder = "pauses", begins = "pause", ends = "resume", mark = "nomemory";
constexpr std::chrono::hours longest_turn{24};
constexpr JsonLimits line_limits{.bytes = size_t{64} << 10, .depth = 4};

// What one line of a log says.
struct Act {
  Instant at;
  bool is_begin = false;
  Pause pause;
  Instant order = at;  // among all: no line of a log comes before the one above it
};

std::optional<Act> act_from(const Json& line) {
  const auto at = parse_time(line.text_at("at"));
  const std::string act = line.text_at("act");
  if (!at || (act != begins && act != ends)) return std::nullopt;
  return Act{*at,
             act == begins,
             {.from = *at,
              .until = parse_time(line.text_at("until")),
              .session = line.text_at("session"),
              .is_turn = line.count_at("turn") == 1,
              .message = line.text_at("message")}};
}

// An earlier version did not say which turn it was: any end of one in its session is its end.
bool is_same_turn(const Pause& pause, const std::string& message) {
  return pause.message.empty() || message.empty() || pause.message == message;
}

void apply(const Act& act, std::vector<Pause>& pauses) {
  if (act.is_begin) return pauses.push_back(act.pause);
  for (Pause& pause : pauses) {
    const bool is_session = act.pause.session.empty() || pause.session == act.pause.session;
    const bool is_turn = !act.pause.is_turn || (pause.is_turn && is_same_turn(pause, act.pause.message));
    if (!is_session || !is_turn || (pause.until && *pause.until <= act.at)) continue;
    pause.until = act.at;
    pause.is_ended = true;
  }
}

Status append(const Vault& vault, const Act& act) {
  Json line = Json::object();
  line.add_unchecked("at", format_rfc3339(act.at));
  line.add_unchecked("act", act.is_begin ? begins : ends);
  if (!act.pause.session.empty()) line.add_unchecked("session", act.pause.session);
  if (act.pause.until) line.add_unchecked("until", format_rfc3339(*act.pause.until));
  if (act.pause.is_turn) line.add_unchecked("turn", 1);
  if (!act.pause.message.empty()) line.add_unchecked("message", act.pause.message);
  return HostLog(vault, log_folder).append(to_string(line) + '\n');
}

bool is_part_of_a_word(std::string_view text, size_t at) {
  if (at >= text.size()) return false;
  const CharacterClass kind = classify(decode_code_point(text, at));
  return kind == CharacterClass::word || kind == CharacterClass::mark;
}

// Ends those of the session's turns that stand and that `is_meant` names.
template <typename IsMeant>
Status end_turns(const Vault& vault, const std::string& session, IsMeant is_meant) {
  const auto pauses = TRY(read_pauses(vault));
  const Instant now = vault.clock().now();
  for (const Pause& pause : pauses)
    if (pause.is_turn && pause.session == session && pause.until && *pause.until > now && is_meant(pause))
      TRY(append(vault, {now, false, {.from = now, .session = session, .is_turn = true, .message = pause.message}}));
  return {};
}

// Something was said in it that this vault has, or counted.
Result<bool> is_known_session(const Vault& vault, const std::string& session) {
  if (!TRY(read_turn_state(vault, session)).turns.empty()) return true;
  return !TRY(entries_of_session(vault, session)).empty();
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n\v\f") == std::string_view::npos; }

bool ends_later(const Pause& a, const Pause& b) { return !a.until || (b.until && *a.until > *b.until); }

}  // namespace

Result<std::vector<Pause>> read_pauses(const Vault& vault) {
  const auto logs = TRY(HostLog(vault, log_folder).read());
  std::vector<Act> acts;
  for (const HostLog::File& log : logs) {
    Instant last;
    visit_log_lines(log, line_limits, [&](int, const Json& line) {
      auto act = act_from(line);
      if (!act) return false;
      last = act->order = std::max(last, act->at);
      acts.push_back(std::move(*act));
      return true;
    });
  }
  std::ranges::stable_sort(acts, {}, &Act::order);
  std::vector<Pause> pauses;
  for (const Act& act : acts) apply(act, pauses);
  return pauses;
}

bool covers(const Pause& pause, Instant at, Instant now) {
  const bool was_set_back = pause.from > now && !pause.is_ended;
  return (pause.from <= at || was_set_back) && (!pause.until || at < *pause.until);
}

const Pause* pause_at(const std::vector<Pause>& pauses, std::string_view session, Instant at, Instant now) {
  const Pause* last = nullptr;
  for (const Pause& pause : pauses) {
    if (pause.is_turn || !covers(pause, at, now) || (!pause.session.empty() && pause.session != session)) continue;
    if (!last || ends_later(pause, *last)) last = &pause;
  }
  return last;
}

Status begin_pause(const Vault& vault, const std::string& session, std::optional<std::chrono::milliseconds> length) {
  const Instant now = vault.clock().now();
  return append(vault,
                {now, true, {.from = now, .until = length ? std::optional(now + *length) : std::nullopt, .session = session}});
}

Result<bool> end_pause(const Vault& vault, const std::string& session) {
  const auto pauses = TRY(read_pauses(vault));
  const Instant now = vault.clock().now();
  const bool any = std::ranges::any_of(pauses, [&](const Pause& pause) {
    return (session.empty() || pause.session == session) && (!pause.until || *pause.until > now);
  });
  if (any) TRY(append(vault, {now, false, {.from = now, .session = session}}));
  return any;
}

Status begin_turn_pause(const Vault& vault, const std::string& session, const std::string& message) {
  const Instant now = vault.clock().now();
  const std::string hash = hash_of_message(session, message);
  const auto pauses = TRY(read_pauses(vault));
  const bool is_known = std::ranges::any_of(pauses, [&](const Pause& pause) { return pause.is_turn && pause.message == hash; });
  return is_known
             ? Status()
             : append(
                   vault,
                   {now, true, {.from = now, .until = now + longest_turn, .session = session, .is_turn = true, .message = hash}});
}

Status end_turn_pause(const Vault& vault, const std::string& session, const std::string& message) {
  const std::string hash = hash_of_message(session, message);
  return end_turns(vault, session, [&](const Pause& pause) { return is_same_turn(pause, hash); });
}

Status end_other_turn_pauses(const Vault& vault, const std::string& session, const std::string& message) {
  const std::string hash = message.empty() ? std::string() : hash_of_message(session, message);
  return end_turns(vault, session, [&](const Pause& pause) { return hash.empty() || pause.message != hash; });
}

// Whatever it stands in, and also with something behind it that is no part of a word.
bool asks_for_no_memory(std::string_view prompt) {
  return has_mark(prompt, MarksIn::anything, [](std::string_view name) {
    return std::ranges::any_of(tag_readings(name), [](const std::string& reading) {
      return reading.starts_with(mark) && !is_part_of_a_word(reading, mark.size());
    });
  });
}

Status check_no_pause(const Vault& vault, Actor actor, const std::string& session) {
  if (actor == Actor::person) return {};
  const Instant now = vault.clock().now();
  bool of_another = false;
  for (const Pause& pause : TRY(read_pauses(vault))) {
    if (!covers(pause, now, now)) continue;
    if (pause.session.empty() || pause.session == session)
      return fail(ErrorCode::refused, "the user has paused this memory: nothing was written", "go on without it");
    of_another = true;
  }
  if (!of_another || (!is_blank(session) && TRY(is_known_session(vault, session)))) return {};
  return fail(ErrorCode::refused, "the user has paused one conversation, and this may be from it: nothing was written",
              "go on without it; if it is from another conversation, name that one as `session`");
}

bool may_be_noted(const Vault& vault, const std::string& session, std::string_view question) {
  return !asks_for_no_memory(question) && check_no_pause(vault, Actor::agent, session).has_value();
}

Result<KeptOut> KeptOut::read(const Vault& vault) {
  KeptOut out;
  out.now_ = vault.clock().now();
  out.pauses_ = TRY(read_pauses(vault));
  out.messages_ = TRY(PrivateMessages::read(vault));
  return out;
}

bool KeptOut::has(const std::string& session, const std::string& message, std::string_view prompt,
                  std::optional<Instant> at) const {
  if (asks_for_no_memory(prompt)) return true;
  if (!message.empty() && messages_.has(session, message)) return true;
  return at && pause_at(pauses_, session, *at, now_) != nullptr;
}

bool KeptOut::was_kept_out(std::string_view prompt, Instant at) const {
  return messages_.was_said(prompt, at, [&](std::string_view session_hash) {
    return std::ranges::any_of(pauses_, [&](const Pause& pause) {
      return covers(pause, at, now_) && (pause.session.empty() || hash_of_message(pause.session, {}) == session_hash);
    });
  });
}

Result<bool> is_not_to_be_remembered(const Vault& vault, const std::string& session, const std::string& message,
                                     std::string_view prompt, Instant at) {
  return TRY(KeptOut::read(vault)).has(session, message, prompt, at);
}

Result<std::set<std::string>> ids_kept_out(const Vault& vault, const std::vector<ExportedEntry>& entries) {
  const auto kept_out = TRY(KeptOut::read(vault));
  const auto turn_of = [](const Entry& entry) { return std::pair(entry.session, entry.turn.value_or(-1)); };
  const auto is_said = [](const Entry& entry) { return !entry.session.empty(); };
  const auto asks_or_was_kept_out = [&](const Entry& entry) {
    return asks_for_no_memory(entry.text) || (entry.at && kept_out.was_kept_out(entry.text, *entry.at));
  };
  std::set<std::pair<std::string, std::int64_t>> turns;
  for (const ExportedEntry& one : entries)
    if (is_said(one.entry) && one.entry.kind == EntryKind::turn && one.entry.role != "assistant" && asks_or_was_kept_out(one.entry))
      turns.insert(turn_of(one.entry));
  std::set<std::string> ids;
  for (const ExportedEntry& one : entries)
    if (is_said(one.entry) && (turns.contains(turn_of(one.entry)) || kept_out.has(one.entry.session, {}, {}, one.entry.at)))
      ids.insert(one.entry.id);
  return ids;
}

constinit const Store pause_store{"when nothing was remembered", StoreRoot::vault, ".loci/pauses/", Permissions::person};

}  // namespace loci
