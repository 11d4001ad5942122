#include "context/prompts.h"

namespace loci {

std::string context_prompt(std::string_view name) {
  for (const TemplateFile& file : context_prompts())
    if (file.name == name) return std::string(file.bytes.substr(0, file.bytes.find_last_not_of('\n') + 1));
  return {};
}

}  // namespace loci
