#include "vault/layout/never_send.h"

#include <algorithm>

#include "base/unicode.h"

namespace loci {
namespace {

constexpr std::string_view project_prefix = "project:";
constexpr std::string_view blanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const size_t begin = std::min(text.find_first_not_of(blanks), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

bool is_bare_word(std::string_view rule) { return rule.find_first_of("/*?[\\") == std::string_view::npos; }

bool is_tag_or_below(std::string_view tag, std::string_view rule) {
  return tag.starts_with(rule) && (tag.size() == rule.size() || tag[rule.size()] == '/');
}

}  // namespace

NeverSend::NeverSend(const std::vector<std::string>& rules) {
  std::vector<std::string> patterns;
  for (const std::string& written : rules) {
    const std::string_view rule = trimmed(written);
    add(rule);
    if (!rule.starts_with('#') && !rule.starts_with('!') && !rule.starts_with(project_prefix)) patterns.emplace_back(rule);
  }
  paths_ = PathRules(patterns);
}

void NeverSend::add(std::string_view rule) {
  if (rule.starts_with('#')) {
    rule.remove_prefix(1);
    while (rule.ends_with('/')) rule.remove_suffix(1);
    if (!rule.empty()) tags_.push_back(fold(rule));
  } else if (rule.starts_with(project_prefix)) {
    const std::string_view project = trimmed(rule.substr(project_prefix.size()));
    if (!project.empty()) projects_.push_back(fold(project));
  } else if (!rule.empty() && !rule.starts_with('!') && is_bare_word(rule)) {
    tags_.push_back(fold(rule));
    projects_.push_back(fold(rule));
  }
}

bool NeverSend::matches(const std::vector<std::string>& tags, const std::string& project, const std::string& file) const {
  if (!projects_.empty() && !project.empty() && std::ranges::find(projects_, fold(project)) != projects_.end()) return true;
  if (!tags_.empty())
    for (const std::string& written : tags) {
      const std::string tag = fold(written);
      if (std::ranges::any_of(tags_, [&](const std::string& rule) { return is_tag_or_below(tag, rule); })) return true;
    }
  return covers(paths_, file);
}

}  // namespace loci
