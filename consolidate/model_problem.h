// What keeps the language model from answering where something needs it, as `status` and `doctor` tell it.
#pragma once

#include <chrono>
#include <optional>

#include "vault/layout/environment.h"
#include "vault/layout/problem.h"
#include "vault/layout/vault.h"

namespace loci {

// "no-model": the settings name none that could be asked, or it has not answered lately and is left alone for a while. None if
// nothing on this machine would ask one. Asks no server.
std::optional<Problem> model_problem(const Vault& vault, const Environment& environment);

// Also tries whether its server can be reached, and waits so long for that. Sends it nothing.
std::optional<Problem> model_problem_by_trying(const Vault& vault, const Environment& environment,
                                               std::chrono::milliseconds patience = std::chrono::seconds(3));

}  // namespace loci
