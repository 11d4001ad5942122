#include "consolidate/model_problem.h"

#include "consolidate/configured_model.h"
#include "consolidate/consolidating_host.h"
#include "consolidate/consolidator.h"
#include "model/model_use.h"

namespace loci {
namespace {

bool extracts_every_turn(const Config& config) { return config.capture.turns != "off" && config.capture.extract == "turn"; }

bool would_ask_a_model(const Vault& vault) {
  const Config& config = vault.config();
  if (config.consolidation.model == builtin_model) return extracts_every_turn(config);
  std::string instead;
  return (config.consolidation.enabled && consolidates_here(vault, instead)) ||
         (config.capture.turns != "off" && config.capture.extract != "off");
}

Problem problem_of(const Vault& vault, std::string message) {
  return {vault.user_config_file().string(), 0, "no-model", std::move(message)};
}

std::string text_of(const Error& error) { return error.message + (error.hint.empty() ? "" : "; " + error.hint); }

// What consolidation and capturing each remember of their failures.
std::optional<std::string> why_left_alone(const Vault& vault) {
  const Instant now = vault.clock().now();
  for (const path& folder : {vault.state_folder(), capture_use_folder(vault.state_folder())}) {
    const ModelUse use = read_model_use(vault.files(), folder, vault.clock().local_date(now));
    if (const auto until = use.resting_until(now))
      return "has failed and is left alone until " + format_rfc3339(*until) + (use.last_error.empty() ? "" : ": " + use.last_error);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Problem> model_problem(const Vault& vault, const Environment& environment) {
  if (!would_ask_a_model(vault)) return std::nullopt;
  const auto model = open_configured_model(vault, environment);
  if (!model) return problem_of(vault, text_of(model.error()));
  if (*model == nullptr)
    return problem_of(vault,
                      "capture.extract is \"turn\", which needs a model, and consolidation.model is \"builtin\": no fact is "
                      "extracted; name a model there, or set capture.extract to \"auto\"");
  if (const auto why = why_left_alone(vault)) return problem_of(vault, (*model)->name() + " " + *why);
  return std::nullopt;
}

std::optional<Problem> model_problem_by_trying(const Vault& vault, const Environment& environment,
                                               std::chrono::milliseconds patience) {
  if (auto known = model_problem(vault, environment)) return known;
  if (!would_ask_a_model(vault)) return std::nullopt;
  const auto reached = reach_configured_model(vault, environment, patience);
  if (reached) return std::nullopt;
  return problem_of(vault, vault.config().consolidation.model + " cannot be reached: " + text_of(reached.error()));
}

}  // namespace loci
