#include "base/relative_time.h"
#include "capture/digest.h"
#include "capture/json_shapes.h"
#include "cli/command.h"
#include "consolidate/configured_model.h"
#include "operations/requests.h"

namespace loci::cli {
namespace {

// A conversation is told whole unless a period is named.
Result<DigestScope> scope_from(const Arguments& arguments, Instant now) {
  DigestScope scope;
  if (arguments.has("--session")) scope.session = arguments.text("--session");
  if (scope.session.empty()) {
    scope.since = now - std::chrono::days(7);
    scope.until = now + std::chrono::milliseconds(1);
  }
  if (arguments.has("--until")) scope.until = parse_date_end(arguments.text("--until"), now);
  if (arguments.has("--since")) scope.since = parse_date(arguments.text("--since"), now);
  if (scope.since && scope.until && *scope.since >= *scope.until)
    return fail(ErrorCode::usage, "the period is empty: --since is not before --until");
  return scope;
}

void print(Output& out, const Digest& digest, const DigestScope& scope) {
  if (out.json())
    out.value(digest_to_json(digest, scope));
  else if (digest.days.empty())
    out.note("nothing was said or stored in this period");
  else
    out.write(printable(digest.text) + (digest.text.ends_with('\n') ? "" : "\n"));
  for (const std::string& note : digest.notes) out.note(note);
}

Result<int> run_digest(Invocation& invocation) {
  const auto scope = TRY(scope_from(invocation.arguments, invocation.clock.now()));
  Freshness freshness;
  auto memory = TRY(invocation.open_fresh_memory(freshness));
  std::unique_ptr<LanguageModel> model;
  if (!invocation.arguments.has("--timeline")) {
    auto opened = TRY(open_configured_model(memory.vault(), invocation.environment));
    model = std::move(opened);
  }
  const auto digest = make_digest(memory, model.get(), scope, {}, invocation.out.progress());
  invocation.out.clear_progress();
  if (!digest) {
    Error error = digest.error();
    if (error.code == ErrorCode::remote) error.hint = "'loci digest --timeline' needs no model";
    return std::unexpected(std::move(error));
  }
  print(invocation.out, *digest, scope);
  return 0;
}

}  // namespace

constinit const Command digest_command = {
    "digest",
    "Say what happened in a period, or in one conversation",
    "With a model: a summary of the turns, summaries and facts, part by part and then together.\n"
    "Without one: the timeline, by day and conversation. Nothing is stored.",
    {},
    digest_parameters,
    run_digest};

}  // namespace loci::cli
