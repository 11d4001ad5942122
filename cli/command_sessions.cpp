#include "cli/command.h"
#include "cli/entry_text.h"
#include "cli/filter_options.h"
#include "memory/json_shapes.h"

namespace loci::cli {
namespace {

constexpr OptionSpec sessions_options[] = {
    {"--limit", "N", ValueKind::number, "at most so many (else 20)"},
    {"--jsonl", "", ValueKind::none, "print one JSON value a line"},
};
constexpr PositionalSpec session_positionals[] = {{"ID", ValueKind::session, true}};
constexpr OptionSpec session_options[] = {{"--jsonl", "", ValueKind::none, "print one JSON entry a line"}};

Result<int> run_sessions(Invocation& invocation) {
  Freshness freshness;
  auto memory = invocation.open_fresh_memory(freshness);
  if (!memory) return std::unexpected(memory.error());
  const auto limit = limit_from(invocation.arguments, 20);
  const auto sessions = memory->ask<std::vector<SessionSummary>>([&](IndexReader& reader) { return reader.sessions(limit); });
  if (!sessions) return std::unexpected(sessions.error());
  Output& out = invocation.out;
  Json list = Json::array();
  for (const SessionSummary& session : *sessions) {
    if (invocation.arguments.has("--jsonl")) {
      out.value(session_to_json(session));
    } else if (out.json()) {
      list.push_back(session_to_json(session));
    } else {
      out.line(out.styled(Style::id, printable(session.id)) + "  " + time_text(session.first) + " to " + time_text(session.last) +
               "  " + std::to_string(session.entries) + (session.entries == 1 ? " entry" : " entries"));
    }
  }
  if (out.json() && !invocation.arguments.has("--jsonl")) {
    Json value = versioned();
    value.add_unchecked("sessions", std::move(list));
    out.value(value);
  }
  return 0;
}

Result<int> run_session(Invocation& invocation) {
  Freshness freshness;
  auto memory = invocation.open_fresh_memory(freshness);
  if (!memory) return std::unexpected(memory.error());
  const std::string& id = invocation.arguments.positionals().front();
  const auto entries = memory->ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.session(id); });
  if (!entries) return std::unexpected(entries.error());
  if (entries->empty()) return fail(ErrorCode::not_found, "there is no session '" + id + "'", "'loci sessions' lists them");
  Output& out = invocation.out;
  if (invocation.arguments.has("--jsonl")) {
    for (const Entry& entry : *entries) out.value(entry_to_json(entry));
  } else if (out.json()) {
    Json value = versioned();
    value.add_unchecked("session", id);
    value.add_unchecked("entries", entries_to_json(*entries));
    out.value(value);
  } else {
    for (const Entry& entry : *entries) {
      out.line(out.styled(Style::dim, about_text(entry)) + "  " + out.styled(Style::id, entry.id));
      out.line(printable(entry.text));
      out.line();
    }
  }
  return 0;
}

}  // namespace

constinit const Command sessions_command = {"sessions",  "List the conversations, latest first", "", {}, sessions_options,
                                            run_sessions};
constinit const Command session_command = {
    "session", "Show one conversation whole, in turn order", "", session_positionals, session_options, run_session};

}  // namespace loci::cli
