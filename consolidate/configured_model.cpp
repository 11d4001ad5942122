#include "consolidate/configured_model.h"

#include "model/open_model.h"

namespace loci {
namespace {

constexpr std::string_view builtin = "builtin";

std::string names_of(const std::map<std::string, ModelConfig>& models) {
  std::string names(builtin);
  for (const auto& [name, settings] : models) names += ", " + name;
  return names;
}

Result<ModelSettings> settings_of_model(const Vault& vault, const Environment& environment) {
  const Config& config = vault.config();
  const std::string& name = config.consolidation.model;
  const auto found = config.models.find(name);
  if (found == config.models.end())
    return fail(ErrorCode::usage, "consolidation.model names '" + name + "', which no settings describe",
                "there is: " + names_of(config.models) + "; [models." + name + "] stands in " + vault.user_config_file().string());
  const ModelConfig& model = found->second;
  return ModelSettings{.name = name,
                       .provider = model.provider,
                       .base_url = model.base_url,
                       .model = model.model,
                       .timeout = std::chrono::seconds(model.timeout_seconds),
                       .key_file = model.key_file,
                       .key_env = model.key_env,
                       .credentials = environment.credentials,
                       .variable = environment.variable};
}

}  // namespace

Result<std::unique_ptr<LanguageModel>> open_configured_model(const Vault& vault, const Environment& environment) {
  if (vault.config().consolidation.model == builtin) return nullptr;
  return open_model(vault.files(), TRY(settings_of_model(vault, environment)));
}

Status reach_configured_model(const Vault& vault, const Environment& environment, std::chrono::milliseconds patience) {
  if (vault.config().consolidation.model == builtin) return {};
  return reach_model(TRY(settings_of_model(vault, environment)), patience);
}

}  // namespace loci
