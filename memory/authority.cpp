#include "memory/authority.h"

namespace loci {
namespace {

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n\v\f") == std::string_view::npos; }

bool is_summary(EntryKind kind) { return kind == EntryKind::session_summary || kind == EntryKind::task_summary; }

// What loci rewrites: its own files. A person's notes and their part of MEMORY.md it never does; the archive only grows.
bool is_rewritten_in_place(const Entry& entry) {
  return entry.place == Place::user || entry.place == Place::archive || (entry.place == Place::consolidated && entry.has_metadata);
}

std::unexpected<Error> refuse_by_hand(const Entry& entry) {
  const EntryPlace& place = entry.places.front();
  Error error{ErrorCode::refused, place.file + " is yours: loci does not write into it",
              "edit " + place.file + ":" + std::to_string(place.line) + " yourself, or use 'loci correct'"};
  error.file = place.file;
  error.line = place.line;
  return std::unexpected(std::move(error));
}

}  // namespace

std::string_view name_of(Actor actor) {
  switch (actor) {
    case Actor::person:
      return "user";
    case Actor::agent:
      return "agent";
    case Actor::model:
      return "model";
  }
  return "agent";
}

Author author_of(Actor actor, Intent intent, Source before) {
  if (intent == Intent::retag) return {before, std::string(name_of(actor))};  // new tags do not change who said it
  if (actor != Actor::person) return {Source::agent, std::string(name_of(actor))};
  return {intent == Intent::correct ? Source::correction : Source::user, std::string(name_of(actor))};
}

Source most_trusted_source(Actor actor) { return actor == Actor::person ? Source::user : Source::agent; }

Status may_add(Actor actor, const Metadata& metadata) {
  const EntryKind kind = metadata.kind.value_or(EntryKind::fact);
  TRY(check_turn_number(metadata.turn));
  if (metadata.session.size() > longest_session)
    return fail(ErrorCode::usage, "\"session\" has " + std::to_string(metadata.session.size()) + " bytes; at most " +
                                      std::to_string(longest_session));
  if (actor == Actor::person) return {};
  if (is_summary(kind))
    return fail(ErrorCode::refused, "a " + std::string(name_of(kind)) + " is made by loci: it cannot be added",
                "end the session, or complete the task");
  if (kind == EntryKind::turn && (is_blank(metadata.session) || !metadata.turn))
    return fail(ErrorCode::usage, "a turn has a session and a number", "POST /memory/turns gives it the next one");
  return {};
}

Status may_change(Actor actor, Intent intent, const Entry& entry) {
  if (actor != Actor::person) {
    if (entry.layer == Layer::L2)
      return fail(ErrorCode::refused, "'" + entry.id + "' is in L2: what was said is neither changed nor removed by an agent",
                  "add to L1, or update or remove an entry of L1 or L0");
    if (intent == Intent::remove_everywhere)
      return fail(ErrorCode::refused, "only a person removes all that says the same", "remove the entries one by one");
  }
  const bool rewrites = intent == Intent::reword || intent == Intent::retag;
  return rewrites && !is_rewritten_in_place(entry) ? refuse_by_hand(entry) : Status();
}

Status check_turn_number(const std::optional<std::int64_t>& turn) {
  if (!turn || (*turn >= 0 && *turn <= last_turn_number)) return {};
  return fail(ErrorCode::usage, "a turn's number is from 0 to " + std::to_string(last_turn_number));
}

}  // namespace loci
