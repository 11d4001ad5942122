// What loci itself tells an agent: files of the project (prompts/), versioned by their names, built into the program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vault/rewrite/init.h"

namespace loci {

// Generated at build time.
const std::vector<TemplateFile>& context_prompts();

// The words of one, without a line end behind them; empty if there is none of that name.
std::string context_prompt(std::string_view name);

}  // namespace loci
