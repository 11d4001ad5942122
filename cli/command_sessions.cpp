#include "base/counted.h"
#include "capture/extract.h"
#include "capture/json_shapes.h"
#include "cli/command.h"
#include "cli/entry_text.h"
#include "cli/filter_options.h"
#include "consolidate/configured_model.h"
#include "memory/json_shapes.h"
#include "operations/entries.h"

namespace loci::cli {
namespace {

constexpr auto sessions_options =
    joined(sessions_parameters, std::to_array<OptionSpec>({{"--jsonl", "", ValueKind::none, "print one JSON value a line"}}));
constexpr PositionalSpec session_positionals[] = {{"ID | end", ValueKind::session, true}, {"ID", ValueKind::session, false}};
constexpr OptionSpec session_options[] = {{"--jsonl", "", ValueKind::none, "print one JSON entry a line"}};

constexpr std::string_view end_word = "end";

Result<int> run_sessions(Invocation& invocation) {
  Freshness freshness;
  auto memory = TRY(invocation.open_fresh_memory(freshness));
  const auto limit = TRY(limit_from(invocation.arguments, 20));
  const auto sessions = TRY(memory.ask<std::vector<SessionSummary>>([&](IndexReader& reader) { return reader.sessions(limit); }));
  Output& out = invocation.out;
  Json list = Json::array();
  for (const SessionSummary& session : sessions) {
    if (invocation.arguments.has("--jsonl")) {
      out.value(session_to_json(session));
    } else if (out.json()) {
      list.push_back(session_to_json(session));
    } else {
      out.line(out.styled(Style::id, printable(session.id)) + "  " + time_text(invocation.clock, session.first) + " to " +
               time_text(invocation.clock, session.last) + "  " + counted(session.entries, "entry", "entries"));
    }
  }
  if (out.json() && !invocation.arguments.has("--jsonl")) {
    Json value = versioned();
    value.add_unchecked("sessions", std::move(list));
    out.value(value);
  }
  return 0;
}

Result<int> show_session(Invocation& invocation, const std::string& id) {
  Freshness freshness;
  auto memory = TRY(invocation.open_fresh_memory(freshness));
  const auto entries = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.session(id); }));
  if (entries.empty())
    return fail(ErrorCode::not_found, "there is no session '" + id + "'",
                id == end_word ? "'loci session end ID' ends one; 'loci sessions' lists them" : "'loci sessions' lists them");
  Output& out = invocation.out;
  if (invocation.arguments.has("--jsonl")) {
    for (const Entry& entry : entries) out.value(entry_to_json(entry));
  } else if (out.json()) {
    Json value = versioned();
    value.add_unchecked("session", id);
    value.add_unchecked("entries", entries_to_json(entries));
    out.value(value);
  } else {
    for (const Entry& entry : entries) {
      out.line(out.styled(Style::dim, about_text(invocation.clock, entry)) + "  " + out.styled(Style::id, entry.id));
      out.line(printable(entry.text));
      out.line();
    }
  }
  return 0;
}

void print_ended(Output& out, const std::string& id, const EndedSession& ended) {
  if (out.json()) {
    out.value(ended_session_to_json(id, ended));
  } else {
    for (const std::vector<Appended>* entries : {&ended.gap_fill.facts, &ended.summary})
      for (const Appended& entry : *entries) out.line(entry.id);
    if (ended.gap_fill.facts.empty() && ended.summary.empty()) out.note("nothing was added");
  }
  for (const std::vector<std::string>* notes : {&ended.gap_fill.notes, &ended.notes})
    for (const std::string& note : *notes) out.note(note);
  if (!ended.searchable.yes) out.warn("stored, but not searchable yet: " + ended.searchable.reason);
}

Result<int> end_session(Invocation& invocation, const std::string& id) {
  auto memory = TRY(invocation.open_memory());
  const auto model = TRY(open_configured_model(memory.vault(), invocation.environment));
  const auto ended = TRY(loci::end_session(memory, model.get(), id, {}));
  print_ended(invocation.out, id, ended);
  return 0;
}

// One word is always a session, also one that is called "end".
Result<int> run_session(Invocation& invocation) {
  const auto& words = invocation.arguments.positionals();
  if (words.size() == 1) return show_session(invocation, words.front());
  if (words.front() != end_word)
    return fail(ErrorCode::usage, "'" + words.back() + "' is one argument too many",
                "usage: loci session ID, or loci session end ID");
  if (invocation.arguments.has("--jsonl")) return fail(ErrorCode::usage, "--jsonl shows a session; it ends none");
  return end_session(invocation, words.back());
}

}  // namespace

constinit const Command sessions_command = {"sessions",  "List the conversations, latest first", "", {}, sessions_options,
                                            run_sessions};
constinit const Command session_command = {
    "session",
    "Show one conversation whole, or end it",
    "loci session ID shows it, in turn order. loci session end ID says that it is over: what the user stated and nobody took down "
    "is\n"
    "stored as facts, if a model is configured, and a summary of the conversation is. Again with no new turn it adds nothing.",
    session_positionals,
    session_options,
    run_session};

}  // namespace loci::cli
