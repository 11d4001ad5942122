#include "cli/command.h"
#include "cli/standard_input.h"
#include "operations/write.h"

namespace loci::cli {
namespace {

constexpr PositionalSpec remember_positionals[] = {{"JSON", ValueKind::text, false}};

Result<int> run_remember(Invocation& invocation) {
  const auto& words = invocation.arguments.positionals();
  const bool from_input = words.empty() || words.front() == "-";
  const auto text = TRY(from_input ? read_standard_input(2 * max_entry_bytes) : Result<std::string>(words.front()));
  const auto request = TRY(parse_remember_request(text));
  auto memory = TRY(invocation.open_memory_to_change());
  const auto remembered = TRY(write_memory(memory, request, Actor::agent));
  Output& out = invocation.out;
  if (out.json())
    out.value(to_json(remembered));
  else
    out.line(remembered.id);
  for (const std::string& note : remembered.notes) out.note(note);
  if (!remembered.searchable.yes) out.warn("stored, but not searchable yet: " + remembered.searchable.reason);
  return 0;
}

}  // namespace

constinit const Command remember_command = {
    "remember",
    "The agent's way to write: JSON on standard input",
    "{\"action\":\"add|update|remove\", \"layer\":\"L0|L1\", \"content\":…, \"target_id\":…, \"section\":…, \"tags\":[…],\n"
    " \"quote\":…, \"session\":…}; what is quoted from the user's turn of that session, and says the same, is the user's word.\n"
    "L0 is user.md, at most 1,000 characters; L1 is everything that is retrieved. L2, what was said, cannot be changed.",
    remember_positionals,
    {},
    run_remember};

}  // namespace loci::cli
