#include "memory/private_tag.h"

#include "base/counted.h"

namespace loci {

OpenPrivateTag::OpenPrivateTag(const Config& config) : rules_(config.never_send), usual_({"#" + std::string(usual_private_tag)}) {}

bool OpenPrivateTag::is_on(const std::vector<std::string>& tags, const std::string& project, const std::string& file,
                           std::string_view text) const {
  const auto names = [&](const NeverSend& by) { return by.matches(tags, project, file) || by.matches_text(text); };
  return names(usual_) && !names(rules_);
}

std::string OpenPrivateTag::warning(size_t entries) {
  return counted(entries, "entry bears", "entries bear") +
         " the tag private, which no rule of [privacy] never_send names here: agents are given what bears it until you add "
         "\"#private\"";
}

}  // namespace loci
