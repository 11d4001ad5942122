#include "capture/pauses.h"
#include "cli/command.h"
#include "cli/entry_text.h"
#include "memory/json_shapes.h"

namespace loci::cli {
namespace {

constexpr PositionalSpec pause_positionals[] = {{"SESSION", ValueKind::session, false}};
constexpr OptionSpec pause_options[] = {
    {"--for", "LENGTH", ValueKind::duration, "for so long: 90s, 30m, 2h, 1d (else until 'loci resume')"}};

std::string session_of(const Invocation& invocation) {
  const auto& words = invocation.arguments.positionals();
  return words.empty() ? std::string() : words.front();
}

Json shape(const std::string& session, bool is_paused, std::optional<Instant> until) {
  Json value = versioned();
  value.add_unchecked("session", session.empty() ? Json() : Json(session));
  value.add_unchecked("paused", is_paused);
  value.add_unchecked("until", until ? Json(format_rfc3339(*until)) : Json());
  return value;
}

Result<int> run_pause(Invocation& invocation) {
  const auto session = session_of(invocation);
  const auto memory = TRY(invocation.open_memory());
  const Vault& vault = memory.vault();
  TRY(begin_pause(vault, session, invocation.arguments.duration("--for")));
  const auto pauses = TRY(read_pauses(vault));
  const Instant now = vault.clock().now();
  const Pause* pause = pause_at(pauses, session, now, now);
  const auto until = pause ? pause->until : std::nullopt;
  if (invocation.out.json()) {
    invocation.out.value(shape(session, true, until));
    return 0;
  }
  invocation.out.line("paused" + (session.empty() ? "" : " for the session " + printable(session)) +
                      (until ? " until " + time_text(vault.clock(), until) : ", until 'loci resume'"));
  return 0;
}

Result<int> run_resume(Invocation& invocation) {
  const auto session = session_of(invocation);
  const auto memory = TRY(invocation.open_memory());
  const auto ended = TRY(end_pause(memory.vault(), session));
  if (invocation.out.json())
    invocation.out.value(shape(session, false, {}));
  else
    invocation.out.line(ended ? "resumed" : "nothing was paused");
  return 0;
}

}  // namespace

constinit const Command pause_command = {
    "pause",
    "Remember nothing for a while",
    "Of one conversation, or of all: what is said meanwhile is not stored, and agents get nothing of the memory put before them.\n"
    "It is not taken in later either, from an agent's transcript or by an import. For one message, write #nomemory in it.",
    pause_positionals,
    pause_options,
    run_pause};

constinit const Command resume_command = {"resume",  "End a pause, of one conversation or of all", "", pause_positionals, {},
                                          run_resume};

}  // namespace loci::cli
