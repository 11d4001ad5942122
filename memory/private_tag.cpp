#include "memory/private_tag.h"

#include <algorithm>

#include "base/counted.h"

namespace loci {

OpenPrivateTag::OpenPrivateTag(const Config& config) : rules_(config.never_send), usual_({"#" + std::string(usual_private_tag)}) {}

bool OpenPrivateTag::is_on(const std::vector<std::string>& tags, const std::string& project, const std::string& file,
                           std::string_view text) const {
  const auto names = [&](const NeverSend& by) { return by.matches(tags, project, file) || by.matches_text(text); };
  return names(usual_) && !names(rules_);
}

bool OpenPrivateTag::is_on(const NewEntry& entry) const {
  return is_on(entry.metadata.tags, entry.metadata.project, {}, entry.text);
}

bool OpenPrivateTag::is_on(const Entry& entry) const {
  return std::ranges::all_of(entry.places,
                             [&](const EntryPlace& place) { return is_on(entry.tags, entry.project, place.file, entry.text); });
}

std::vector<std::string> OpenPrivateTag::warnings(const std::vector<NewEntry>& entries) const {
  const auto open = static_cast<size_t>(std::ranges::count_if(entries, [&](const NewEntry& entry) { return is_on(entry); }));
  return open == 0 ? std::vector<std::string>() : std::vector{warning(open)};
}

std::string OpenPrivateTag::warning(size_t entries) {
  return counted(entries, "entry bears", "entries bear") +
         " the tag private, which no rule of [privacy] never_send names here: agents are given what bears it until you add "
         "\"#private\"";
}

}  // namespace loci
