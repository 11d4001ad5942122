// The prompts of consolidation: files of the project (prompts/), versioned by their names, built into the program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vault/rewrite/init.h"

namespace loci {

// Generated at build time.
const std::vector<TemplateFile>& consolidation_prompts();

// The words of one, "decide-1.md"; empty if there is none of that name.
inline std::string prompt_named(std::string_view name) {
  for (const TemplateFile& file : consolidation_prompts())
    if (file.name == name) return std::string(file.bytes);
  return {};
}

}  // namespace loci
