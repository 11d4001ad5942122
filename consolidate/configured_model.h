// The language model that the settings name, opened with what the process may know of its keys.
#pragma once

#include <chrono>
#include <memory>

#include "base/result.h"
#include "model/language_model.h"
#include "vault/layout/environment.h"
#include "vault/layout/vault.h"

namespace loci {

// Null where [consolidation] model = "builtin": there is none, and nothing needs one. ErrorCode::usage if there is no [models.NAME]
// of that name, or its settings are wrong; ErrorCode::refused if its key cannot be read, or would go out unencrypted.
Result<std::unique_ptr<LanguageModel>> open_configured_model(const Vault& vault, const Environment& environment);

// Does its server take a connection within `patience`? Nothing is sent to it. Where there is none, there is none to be reached.
Status reach_configured_model(const Vault& vault, const Environment& environment, std::chrono::milliseconds patience);

}  // namespace loci
