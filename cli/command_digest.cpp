#include "capture/digest.h"
#include "capture/json_shapes.h"
#include "cli/command.h"
#include "consolidate/configured_model.h"

namespace loci::cli {
namespace {

constexpr OptionSpec options[] = {
    {"--since", "DATE", ValueKind::date, "from this date on (else the last seven days)"},
    {"--until", "DATE", ValueKind::date, "up to and with this date (else now)"},
    {"--timeline", "", ValueKind::none, "the timeline, also if a model is configured"},
};

struct Period {
  Instant since, until;  // [since, until)
};

Result<Period> period_from(const Arguments& arguments, Instant now) {
  Period period{now - std::chrono::days(7), now + std::chrono::milliseconds(1)};
  if (arguments.has("--until")) period.until = parse_time_end(arguments.text("--until")).value_or(period.until);
  if (arguments.has("--since")) period.since = parse_time(arguments.text("--since")).value_or(period.since);
  if (period.since >= period.until) return fail(ErrorCode::usage, "the period is empty: --since is not before --until");
  return period;
}

void print(Output& out, const Digest& digest, const Period& period) {
  if (out.json())
    out.value(digest_to_json(digest, period.since, period.until));
  else if (digest.days.empty())
    out.note("nothing was said or stored in this period");
  else
    out.write(printable(digest.text) + (digest.text.ends_with('\n') ? "" : "\n"));
  for (const std::string& note : digest.notes) out.note(note);
}

Result<int> run(Invocation& invocation) {
  const auto period = TRY(period_from(invocation.arguments, invocation.clock.now()));
  Freshness freshness;
  auto memory = TRY(invocation.open_fresh_memory(freshness));
  std::unique_ptr<LanguageModel> model;
  if (!invocation.arguments.has("--timeline")) {
    auto opened = TRY(open_configured_model(memory.vault(), invocation.environment));
    model = std::move(opened);
  }
  const auto digest = make_digest(memory, model.get(), period.since, period.until, {}, invocation.out.progress());
  invocation.out.clear_progress();
  if (!digest) {
    Error error = digest.error();
    if (error.code == ErrorCode::remote) error.hint = "'loci digest --timeline' needs no model";
    return std::unexpected(std::move(error));
  }
  print(invocation.out, *digest, period);
  return 0;
}

}  // namespace

constinit const Command digest_command = {
    "digest",
    "Say what happened in a period",
    "With a model: a summary of the turns, summaries and facts of the period, part by part and then together.\n"
    "Without one: the timeline, by day and conversation. Nothing is stored.",
    {},
    options,
    run};

}  // namespace loci::cli
