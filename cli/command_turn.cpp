#include <optional>

#include "capture/json_shapes.h"
#include "capture/turn.h"
#include "cli/command.h"
#include "cli/standard_input.h"
#include "consolidate/configured_model.h"
#include "http/client.h"
#include "vault/layout/socket_path.h"

namespace loci::cli {
namespace {

constexpr OptionSpec turn_options[] = {
    {"--session", "ID", ValueKind::session, "the conversation; any text is an id"},
    {"--turn", "N", ValueKind::number, "its number, from 0 (else the next one)"},
    {"--message-id", "ID", ValueKind::text, "the agent's own id of the message"},
    {"--task", "ID", ValueKind::task, "the task that it belongs to"},
};

// Both sides at their longest, each byte as an escape of JSON.
constexpr size_t longest_input = 12 * max_entry_bytes;

Result<TurnInput> turn_from(Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  if (arguments.has("--turn") && arguments.has("--message-id"))
    return fail(ErrorCode::usage, "--turn and --message-id exclude each other", "either says which turn it is");
  const auto text = TRY(read_standard_input(longest_input));
  auto turn = TRY(parse_turn(text));
  if (arguments.has("--session")) turn.session = arguments.text("--session");
  if (arguments.has("--turn")) turn.turn = arguments.number("--turn");
  if (arguments.has("--message-id")) turn.message_id = arguments.text("--message-id");
  if (arguments.has("--task")) turn.task = arguments.text("--task");
  return turn;
}

// The turn is stored; a model that does not answer costs nothing but a note. The end of the session looks at the turn again.
Extracted not_extracted(const Error& error) {
  Extracted none;
  none.notes.push_back("no facts were extracted: " + error.message);
  return none;
}

// None where nobody waits for that, or no model is configured.
std::optional<Extracted> extract(Invocation& invocation, Memory& memory, const StoredTurn& stored) {
  if (memory.vault().config().capture.extract != "turn" || !wants_extraction(memory.vault(), stored)) return std::nullopt;
  const auto model = open_configured_model(memory.vault(), invocation.environment);
  if (!model) return not_extracted(model.error());
  if (!*model) return std::nullopt;
  auto extracted = extract_from_turn(memory, **model, stored.session, stored.turn, {});
  return extracted ? std::move(*extracted) : not_extracted(extracted.error());
}

void print(Output& out, const StoredTurn& stored, const std::optional<Extracted>& extracted) {
  if (out.json())
    out.value(stored_turn_to_json(stored, extracted ? &*extracted : nullptr));
  else if (!stored.is_private)
    out.line(std::to_string(stored.turn));
  if (stored.is_private) out.note("nothing was stored: the prompt says #nomemory, or memory is paused ('loci resume')");
  if (stored.known) out.note("this turn is known: nothing was added");
  if (extracted)
    for (const std::string& note : extracted->notes) out.note(note);
  if (!stored.searchable.yes) out.warn("stored, but not searchable yet: " + stored.searchable.reason);
}

// A daemon extracts after the turn is answered; without one the end of the session does.
void tell_daemon(const Invocation& invocation, const Memory& memory, const StoredTurn& stored) {
  if (memory.vault().config().capture.extract != "auto" || !wants_extraction(memory.vault(), stored)) return;
  Json body = Json::object();
  body.set("session", stored.session);
  body.set("turn", stored.turn);
  const ClientRequest request{.method = "POST", .target = "/memory/turns/extract", .body = to_string(body)};
  (void)ask_daemon(find_daemon_socket(memory.vault(), invocation.environment), request, std::chrono::milliseconds(100));
}

Result<int> run_turn(Invocation& invocation) {
  const auto turn = TRY(turn_from(invocation));
  auto memory = TRY(invocation.open_memory_to_add());
  const auto stored = TRY(store_turn(memory, turn));
  print(invocation.out, stored, extract(invocation, memory, stored));
  tell_daemon(invocation, memory, stored);
  return 0;
}

}  // namespace

constinit const Command turn_command = {
    "turn",
    "Store one turn of a conversation: JSON on standard input",
    "{\"user\":…, \"assistant\":…, \"project\":…, \"task\":…, \"at\":…}; one of user and assistant will do. Prints the turn's "
    "number.\n"
    "Stored again under its number or message id it changes nothing; with other words it is refused.",
    {},
    turn_options,
    run_turn};

}  // namespace loci::cli
