#include "vault/layout/ignore.h"

#include <algorithm>
#include <limits>

#include "base/byte_order_mark.h"

namespace loci {
namespace {

bool ends_with_in_any_case(std::string_view name, std::string_view lower_suffix) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return name.size() > lower_suffix.size() &&
         std::ranges::equal(name.substr(name.size() - lower_suffix.size()), lower_suffix, {}, lower);
}

// Trailing blanks do not count, but for one that is escaped.
std::string_view without_trailing_blanks(std::string_view line) {
  while (line.ends_with(' ')) {
    const auto blank = line.rbegin();
    const auto backslashes = std::find_if(blank + 1, line.rend(), [](char c) { return c != '\\'; }) - (blank + 1);
    if (backslashes % 2 == 1) break;
    line.remove_suffix(1);
  }
  return line;
}

}  // namespace

NameClass classify_name(std::string_view name) {
  using enum NameClass;
  if (name.starts_with('.')) return hidden;
  if (name.ends_with('~') || name.ends_with(".bak") || name.ends_with(".swp") || name == "4913") return backup;
  if (name.size() > 1 && name.starts_with('#') && name.ends_with('#')) return backup;
  for (const std::string_view mark : {".sync-conflict-", "conflicted copy", ".loci-conflict-"})
    if (name.find(mark) != std::string_view::npos) return conflict;
  return counts;
}

bool has_markdown_suffix(std::string_view name) {
  return ends_with_in_any_case(name, ".md") || ends_with_in_any_case(name, ".markdown");
}

PathRules::PathRules(const std::vector<std::string>& patterns) {
  for (const std::string& pattern : patterns) add(pattern, std::numeric_limits<size_t>::max());
}

PathRules PathRules::from_file(std::string_view bytes, size_t most) {
  take_byte_order_mark(bytes);
  PathRules rules;
  while (!bytes.empty()) {
    const size_t end = std::min(bytes.find('\n'), bytes.size());
    std::string_view line = bytes.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    rules.add(line, most);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return rules;
}

void PathRules::add(std::string_view line, size_t most) {
  line = without_trailing_blanks(line);
  if (line.empty() || line.starts_with('#')) return;
  const bool takes_back = line.starts_with('!');
  if (takes_back) line.remove_prefix(1);
  const bool folders_only = line.ends_with('/');
  if (folders_only) line.remove_suffix(1);
  if (line.empty() || line == "/") return;
  if (rules_.size() >= most || line.size() > longest_pattern) {
    ++left_out_;
    return;
  }
  rules_.push_back({PathPattern(line), takes_back, folders_only});
}

PathRules::Verdict PathRules::verdict(std::string_view path, bool is_folder) const {
  for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule)
    if ((is_folder || !rule->folders_only) && rule->pattern.matches(path))
      return rule->takes_back ? Verdict::taken_back : Verdict::ignored;
  return Verdict::none;
}

bool covers(const PathRules& rules, std::string_view path) {
  if (rules.empty()) return false;
  for (size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1))
    if (rules.verdict(path.substr(0, slash), true) == PathRules::Verdict::ignored) return true;
  return rules.verdict(path, false) == PathRules::Verdict::ignored;
}

}  // namespace loci
