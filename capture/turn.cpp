#include "capture/turn.h"

#include <algorithm>
#include <array>
#include <span>
#include <tuple>

#include "base/hash.h"
#include "base/unicode.h"
#include "capture/files_of.h"
#include "capture/json_fields.h"
#include "capture/pauses.h"
#include "capture/session_entries.h"
#include "capture/turn_state.h"
#include "memory/forget.h"
#include "parser/text_hash.h"
#include "vault/purge/purge_markdown.h"

namespace loci {
namespace {

constexpr std::string_view user_role = "user", assistant_role = "assistant";
constexpr size_t longest_message_id = 1'024;

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n\v\f") == std::string_view::npos; }

Status check_text(std::string_view name, const std::string& text, size_t longest) {
  const std::string which = '"' + std::string(name) + '"';
  if (text.size() > longest)
    return fail(ErrorCode::usage, which + " has " + std::to_string(text.size()) + " bytes; at most " + std::to_string(longest));
  if (!is_valid_utf8(text) || text.contains('\0')) return fail(ErrorCode::usage, which + " is no valid UTF-8");
  return {};
}

Status check(const TurnInput& turn, Instant now) {
  if (is_blank(turn.session)) return fail(ErrorCode::usage, "which session?", "a turn belongs to one; any text is its id");
  if (is_blank(turn.user) && is_blank(turn.assistant))
    return fail(ErrorCode::usage, "the turn says nothing", R"(send {"user":"…","assistant":"…"}, or one of them)");
  TRY(check_turn_number(turn.turn));
  if (turn.at && *turn.at > now + std::chrono::days(1))
    return fail(ErrorCode::usage, "\"at\" is in the future: " + format_rfc3339(*turn.at), "leave it out: it is now");
  for (const auto& [name, text, longest] : {std::tuple{"session", &turn.session, longest_session},
                                            {"message_id", &turn.message_id, longest_message_id},
                                            {"project", &turn.project, longest_session},
                                            {"task", &turn.task, longest_session},
                                            {"user", &turn.user, max_entry_bytes},
                                            {"assistant", &turn.assistant, max_entry_bytes}})
    TRY(check_text(name, *text, longest));
  return {};
}

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string all;
  for (const std::string_view part : parts) (all += part) += '\0';  // no part holds one
  return all;
}

// The same on every machine, so that a message that was stored on one is known on another.
std::string entry_id(const TurnInput& turn, std::string_view role) {
  return "t-" + hex(as_bytes(sha256(joined({turn.session, turn.message_id, role}))), 20);
}

// What a later half of the turn may be told by, for those that are not to be remembered.
std::vector<std::string> names_of(const TurnInput& turn) {
  std::vector<std::string> names;
  if (!turn.message_id.empty()) names.push_back(turn.message_id);
  if (turn.turn) names.push_back("turn " + std::to_string(*turn.turn));
  return names;
}

bool is_kept_out(const KeptOut& kept_out, const TurnInput& turn, Instant now) {
  const auto at = turn.is_let_in ? std::nullopt : std::optional(turn.at.value_or(now));
  return kept_out.has(turn.session, {}, turn.user, at) ||
         std::ranges::any_of(names_of(turn), [&](const std::string& name) { return kept_out.has(turn.session, name, {}, at); });
}

Status note_private(const Vault& vault, const TurnInput& turn) {
  for (const std::string& name : names_of(turn)) TRY(note_private_message(vault, turn.session, name, turn.user));
  return {};
}

std::string message_hash(const TurnInput& turn) {
  return turn.message_id.empty() ? "" : hex(as_bytes(sha256(joined({turn.session, turn.message_id}))), 20);
}

// One side of a turn, as it was said and as it is kept.
struct Side {
  std::string_view role;
  const std::string* said;
  bool is_kept = false;
  bool differs = false;
};

// Equal to what is kept, or to what was kept before a person edited it there. What was purged must not come back.
bool says(const ParsedEntry& kept, const std::string& said) {
  const std::string hash = stored_text_hash(said);
  return kept.hash == hash || (!kept.metadata->sum.empty() && sum_from_hash(hash) == kept.metadata->sum) || is_purged(kept.text);
}

// What is known about one conversation while its lock is held.
class KnownTurns {
 public:
  static Result<KnownTurns> read(const Vault& vault, const TurnFolder& folder, const std::string& session) {
    auto entries = TRY(entries_of_session(vault, session));
    auto state = TRY(folder.read(session));
    std::erase_if(entries,
                  [](const ParsedEntry& entry) { return entry.metadata->kind != EntryKind::turn || !entry.metadata->turn; });
    return KnownTurns(std::move(entries), std::move(state));
  }

  std::int64_t next() const {
    std::int64_t last = -1;
    for (const ParsedEntry& entry : entries_) last = std::max(last, *entry.metadata->turn);
    for (const CountedTurn& turn : state_.turns) last = std::max(last, turn.number);
    return last + 1;
  }

  // The turn that the caller's message id was given.
  std::optional<std::int64_t> turn_of_message(const TurnInput& input) const {
    if (input.message_id.empty()) return std::nullopt;
    const std::array ids{entry_id(input, user_role), entry_id(input, assistant_role)};
    for (const ParsedEntry& entry : entries_)
      if (std::ranges::find(ids, entry.id) != ids.end()) return entry.metadata->turn;
    const auto counted = std::ranges::find(state_.turns, message_hash(input), &CountedTurn::message);
    return counted == state_.turns.end() ? std::nullopt : std::optional(counted->number);
  }

  // Under the last id that this message has so far, or where it differs from what was said there under the next one; all of it is
  // one turn. What was asked under any of them is not asked again.
  TurnInput under_own_id(TurnInput turn) const {
    const std::string first = turn.message_id;
    bool differs = true;
    for (int count = 1;; ++count) {
      TurnInput next = turn;
      if (count > 1) next.message_id = first + '/' + std::to_string(count);
      const auto number = turn_of_message(next);
      if (!number) return differs ? next : turn;
      turn = std::move(next);
      turn.turn = number;
      const auto said_here = [&](std::string_view role, const std::string& said) { return says_under_id(turn, role, said); };
      const auto user = said_here(user_role, turn.user), assistant = said_here(assistant_role, turn.assistant);
      differs = (user && !*user) || (assistant && !*assistant);
      if (user && *user) turn.user.clear();
    }
  }

  // Whether what is kept under this very id of one side says the same; none if nothing is.
  std::optional<bool> says_under_id(const TurnInput& input, std::string_view role, const std::string& said) const {
    if (is_blank(said)) return std::nullopt;
    const std::string id = entry_id(input, role);
    for (const ParsedEntry& entry : entries_)
      if (entry.id == id) return says(entry, said);
    const std::string message = message_hash(input);
    std::optional<bool> same;
    for (const CountedTurn& turn : state_.turns) {
      if (turn.message != message) continue;
      const std::string& kept = role == assistant_role ? turn.assistant : turn.user;
      if (!turn.has_words && !same) same = true;  // its words are gone: it says whatever it is asked
      if (!kept.empty()) same = is_purged(kept) || stored_text_hash(kept) == stored_text_hash(said);
    }
    return same;
  }

  // What of this turn is kept, and whether it says the same. A turn whose words are gone says whatever it is asked.
  void look_up(std::int64_t number, Side& side) const {
    for (const ParsedEntry& entry : entries_) {
      if (entry.metadata->turn != number || is_assistant(entry) != (side.role == assistant_role)) continue;
      side.differs = !says(entry, *side.said) && (!side.is_kept || side.differs);
      side.is_kept = true;
    }
    bool has_words = false, is_counted = false;
    for (const CountedTurn& turn : state_.turns) {
      if (turn.number != number) continue;
      is_counted = true;
      has_words = has_words || turn.has_words;
      const std::string& kept = side.role == assistant_role ? turn.assistant : turn.user;
      if (kept.empty()) continue;
      side.is_kept = true;
      side.differs = !is_purged(kept) && stored_text_hash(kept) != stored_text_hash(*side.said);
    }
    if (is_counted && !has_words) side.is_kept = true;
  }

 private:
  KnownTurns(std::vector<ParsedEntry> entries, TurnState state) : entries_(std::move(entries)), state_(std::move(state)) {}
  static bool is_assistant(const ParsedEntry& entry) { return entry.metadata->role == assistant_role; }

  std::vector<ParsedEntry> entries_;  // that are turns with a number
  TurnState state_;
};

Result<std::int64_t> number_of(const KnownTurns& known, const TurnInput& turn) {
  const auto of_message = known.turn_of_message(turn);
  if (of_message && turn.turn && *of_message != *turn.turn)
    return fail(ErrorCode::refused,
                "this message is turn " + std::to_string(*of_message) + " of its session, not " + std::to_string(*turn.turn));
  const std::int64_t number = of_message ? *of_message : turn.turn.value_or(known.next());
  if (number > last_turn_number) return fail(ErrorCode::refused, "the session has too many turns", "begin another one");
  return number;
}

// The sides of the turn that are said and not kept yet.
Result<std::vector<Side>> new_sides(const KnownTurns& known, std::int64_t number, const TurnInput& turn) {
  std::vector<Side> fresh;
  for (Side side : {Side{user_role, &turn.user}, Side{assistant_role, &turn.assistant}}) {
    if (is_blank(*side.said)) continue;
    if (turn.may_go_on) {
      const auto says_it = known.says_under_id(turn, side.role, *side.said);
      side.is_kept = says_it.has_value();
    } else {
      known.look_up(number, side);
    }
    if (side.differs)
      return fail(ErrorCode::refused,
                  "turn " + std::to_string(number) + " of this session is known, and its " + std::string(side.role) +
                      " said something else",
                  "nothing was overwritten; store it under another number, or without one");
    if (!side.is_kept) fresh.push_back(side);
  }
  return fresh;
}

std::vector<NewEntry> entries_for(const TurnInput& turn, std::int64_t number, std::span<const Side> sides) {
  std::vector<NewEntry> entries;
  for (const Side& side : sides) {
    Metadata metadata;
    if (!turn.message_id.empty()) metadata.id = entry_id(turn, side.role);
    metadata.at = turn.at;
    // By the road it came: what an agent says that the user said is the agent's.
    metadata.source = side.role == user_role ? most_trusted_source(turn.told_by) : Source::agent;
    metadata.kind = EntryKind::turn;
    metadata.session = turn.session;
    metadata.turn = number;
    metadata.role = side.role;
    metadata.project = turn.project;
    metadata.task = turn.task;
    entries.push_back({std::move(metadata), *side.said});
  }
  return entries;
}

CountedTurn counted(const TurnInput& turn, std::int64_t number, std::span<const Side> sides, bool keep_words, Instant now) {
  CountedTurn line{.number = number, .message = message_hash(turn)};
  if (!keep_words) return line;
  line.has_words = true;
  line.project = turn.project;
  line.told_by = turn.told_by;
  line.at = turn.at.value_or(now);
  for (const Side& side : sides) (side.role == user_role ? line.user : line.assistant) = *side.said;
  return line;
}

// With the lock held.
Result<StoredTurn> store_locked(Memory& memory, const TurnFolder& folder, const TurnInput& told) {
  const auto known = TRY(KnownTurns::read(memory.vault(), folder, told.session));
  const TurnInput turn = told.may_go_on ? known.under_own_id(told) : told;
  const auto number = TRY(number_of(known, turn));
  const auto sides = TRY(new_sides(known, number, turn));
  StoredTurn stored{
      .session = turn.session, .turn = number, .entries = {}, .known = sides.empty(), .is_private = false, .searchable = {}};
  if (stored.known) return stored;
  if (const std::string& kept = memory.vault().config().capture.turns; kept != "full") {
    if (auto noted = folder.count(turn.session, counted(turn, number, sides, kept == "summary", memory.now())); !noted)
      return std::unexpected(noted.error());
    return stored;
  }
  auto appended = TRY(append_new(memory, entries_for(turn, number, sides)));
  stored.entries = std::move(appended);
  return stored;
}

}  // namespace

Result<TurnInput> parse_turn(std::string_view json) {
  auto fields = TRY(JsonFields::parse(json));
  TurnInput turn{.session = fields.text("session"),
                 .turn = fields.integer("turn"),
                 .message_id = fields.text("message_id"),
                 .user = fields.text("user"),
                 .assistant = fields.text("assistant"),
                 .project = fields.text("project"),
                 .task = fields.text("task"),
                 .at = fields.time("at")};
  TRY(fields.finish());
  return turn;
}

Result<StoredTurn> store_turn(Memory& memory, const TurnInput& turn) {
  TRY(check(turn, memory.now()));
  const Vault& vault = memory.vault();
  if (is_kept_out(TRY(KeptOut::read(vault)), turn, memory.now())) {
    TRY(note_private(vault, turn));
    return StoredTurn{.session = turn.session, .turn = 0, .entries = {}, .known = false, .is_private = true, .searchable = {}};
  }
  auto stored = [&]() -> Result<StoredTurn> {
    const auto folder = TRY(TurnFolder::lock(memory.vault()));
    return store_locked(memory, folder, turn);
  }();
  if (!stored || stored->entries.empty()) return stored;
  stored->searchable = make_searchable(memory, files_of(stored->entries));
  return stored;
}

Status forget_turn(Memory& memory, const std::string& session, const std::string& message_id, Actor told_by) {
  std::vector<std::string> ids;
  {
    const auto folder = TRY(TurnFolder::lock(memory.vault()));
    const auto known = TRY(KnownTurns::read(memory.vault(), folder, session));
    TurnInput told;
    told.session = session;
    told.message_id = message_id;
    const auto turn = known.turn_of_message(told);
    if (!turn) return {};
    for (const ParsedEntry& entry : TRY(entries_of_session(memory.vault(), session))) {
      if (entry.metadata->turn != turn || is_purged(entry.text)) continue;
      if (told_by == Actor::agent && entry.metadata->source == Source::user) return {};
      ids.push_back(entry.id);
    }
    TRY(folder.drop_words(session, [&](std::int64_t number) { return number == turn; }));
  }
  if (ids.empty()) return {};
  const auto forgotten = forget(memory, ids, {.everywhere = false, .actor = Actor::person, .alone = true});
  return forgotten || forgotten.error().code == ErrorCode::not_found ? Status() : std::unexpected(forgotten.error());
}

Result<Added> add_with_turns(Memory& memory, std::vector<NewEntry> entries) {
  const auto folder = TRY(TurnFolder::lock(memory.vault()));
  const auto kept_out = TRY(KeptOut::read(memory.vault()));
  for (const NewEntry& entry : entries) {
    const Metadata& metadata = entry.metadata;
    if (metadata.kind != EntryKind::turn) continue;
    const TurnInput turn{.session = metadata.session,
                         .turn = metadata.turn,
                         .message_id = {},
                         .user = metadata.role == assistant_role ? std::string() : entry.text,
                         .assistant = {},
                         .project = {},
                         .task = {},
                         .at = metadata.at};
    if (is_kept_out(kept_out, turn, memory.now())) {
      TRY(note_private(memory.vault(), turn));
      return fail(ErrorCode::refused, "what is said now is not to be remembered: nothing was stored", "'loci resume' ends a pause");
    }
    if (!metadata.turn) continue;
    const auto known = TRY(KnownTurns::read(memory.vault(), folder, metadata.session));
    Side side{metadata.role == assistant_role ? assistant_role : user_role, &entry.text};
    known.look_up(*metadata.turn, side);
    if (side.is_kept)
      return fail(ErrorCode::refused,
                  "turn " + std::to_string(*metadata.turn) + " of '" + metadata.session + "' is known: the " +
                      std::string(side.role) + " said something in it already",
                  "nothing was stored; POST /memory/turns gives a turn its number");
  }
  return add(memory, std::move(entries));
}

}  // namespace loci
