#include "capture/json_shapes.h"

#include "memory/change_shapes.h"
#include "memory/json_shapes.h"

namespace loci {
namespace {

Json tokens_to_json(const TokenUse& tokens) {
  Json value = Json::object();
  value.add_unchecked("input", tokens.input);
  value.add_unchecked("output", tokens.output);
  return value;
}

Json extracted_to_json(const Extracted& extracted) {
  Json value = Json::object();
  value.add_unchecked("facts", appended_to_json(extracted.facts));
  value.add_unchecked("tokens", tokens_to_json(extracted.tokens));
  value.add_unchecked("notes", extracted.notes);
  return value;
}

Json day_to_json(const DigestDay& day) {
  Json threads = Json::array();
  for (const DigestDay::Thread& thread : day.threads) {
    Json one = Json::object();
    one.add_unchecked("session", thread.session.empty() ? Json() : Json(thread.session));
    one.add_unchecked("entries", entries_to_json(thread.entries));
    threads.push_back(std::move(one));
  }
  Json value = Json::object();
  value.add_unchecked("day", day.day);
  value.add_unchecked("threads", std::move(threads));
  return value;
}

}  // namespace

Json stored_turn_to_json(const StoredTurn& stored, const Extracted* extracted) {
  Json value = versioned();
  value.add_unchecked("session", stored.session);
  value.add_unchecked("turn", stored.turn);
  value.add_unchecked("known", stored.known);
  value.add_unchecked("entries", appended_to_json(stored.entries));
  add_searchable(value, stored.searchable);
  value.add_unchecked("extracted", extracted ? extracted_to_json(*extracted) : Json());
  return value;
}

Json ended_session_to_json(const std::string& session, const EndedSession& ended) {
  Json value = versioned();
  value.add_unchecked("session", session);
  value.add_unchecked("extracted", extracted_to_json(ended.gap_fill));
  value.add_unchecked("summary", appended_to_json(ended.summary));
  add_searchable(value, ended.searchable);
  value.add_unchecked("notes", ended.notes);
  return value;
}

Json completed_task_to_json(const std::string& task, const CompletedTask& completed) {
  Json value = versioned();
  value.add_unchecked("task", task);
  value.add_unchecked("known", completed.summary.empty());
  value.add_unchecked("summary", appended_to_json(completed.summary));
  add_searchable(value, completed.searchable);
  return value;
}

Json digest_to_json(const Digest& digest, Instant since, Instant until) {
  Json days = Json::array();
  for (const DigestDay& day : digest.days) days.push_back(day_to_json(day));
  Json value = versioned();
  value.add_unchecked("since", format_rfc3339(since));
  value.add_unchecked("until", format_rfc3339(until));
  value.add_unchecked("text", digest.text);
  value.add_unchecked("by_model", digest.by_model);
  value.add_unchecked("calls", digest.calls);
  value.add_unchecked("tokens", tokens_to_json(digest.tokens));
  value.add_unchecked("days", std::move(days));
  value.add_unchecked("notes", digest.notes);
  return value;
}

}  // namespace loci
