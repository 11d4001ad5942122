#include "vault/layout/ignore.h"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <span>

namespace loci {
namespace {

constexpr std::string_view any_folders = "**";

bool ends_with_in_any_case(std::string_view name, std::string_view lower_suffix) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return name.size() > lower_suffix.size() &&
         std::ranges::equal(name.substr(name.size() - lower_suffix.size()), lower_suffix, {}, lower);
}

// One segment of a path, copied so that it ends in a NUL for fnmatch. A name has at most NAME_MAX bytes.
class Segment {
 public:
  explicit Segment(std::string_view text) : fits_(text.size() < buffer_.size()) {
    if (fits_) *std::ranges::copy(text, buffer_.begin()).out = '\0';
  }
  bool matches(const std::string& pattern) const { return fits_ && ::fnmatch(pattern.c_str(), buffer_.data(), 0) == 0; }

 private:
  std::array<char, 256> buffer_;
  bool fits_;
};

// Both are matched from the left. `**` first tries to stand for nothing, then for one folder more each time; only the last `**`
// has to be tried again, because whatever an earlier one takes less, the last one can take more.
bool matches(std::span<const std::string> pattern, std::string_view path) {
  std::span<const std::string> retry_pattern;
  std::string_view retry_path;
  bool can_retry = false;
  while (true) {
    if (!pattern.empty() && pattern.front() == any_folders) {
      pattern = pattern.subspan(1);
      if (pattern.empty()) return !path.empty();  // "a/**" is everything below a, not a itself
      can_retry = true;
      retry_pattern = pattern;
      retry_path = path;
      continue;
    }
    if (pattern.empty() && path.empty()) return true;
    const size_t size = std::min(path.find('/'), path.size());
    if (!pattern.empty() && !path.empty() && Segment(path.substr(0, size)).matches(pattern.front())) {
      pattern = pattern.subspan(1);
      path.remove_prefix(std::min(size + 1, path.size()));
      continue;
    }
    const size_t slash = retry_path.find('/');
    if (!can_retry || slash == std::string_view::npos) return false;
    retry_path.remove_prefix(slash + 1);
    pattern = retry_pattern;
    path = retry_path;
  }
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
  for (const std::string& pattern : patterns) add(pattern);
}

PathRules PathRules::from_file(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  PathRules rules;
  while (!bytes.empty()) {
    const size_t end = std::min(bytes.find('\n'), bytes.size());
    std::string_view line = bytes.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    rules.add(line);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return rules;
}

void PathRules::add(std::string_view line) {
  line = without_trailing_blanks(line);
  if (line.empty() || line.starts_with('#')) return;
  Rule rule;
  if (line.starts_with('!')) {
    rule.takes_back = true;
    line.remove_prefix(1);
  }
  if (line.ends_with('/')) {
    rule.folders_only = true;
    line.remove_suffix(1);
  }
  if (line.find('/') == std::string_view::npos) rule.segments.emplace_back(any_folders);
  if (line.starts_with('/')) line.remove_prefix(1);
  if (line.empty()) return;
  for (size_t begin = 0; begin <= line.size();) {
    const size_t end = std::min(line.find('/', begin), line.size());
    rule.segments.emplace_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  rules_.push_back(std::move(rule));
}

PathRules::Verdict PathRules::verdict(std::string_view path, bool is_folder) const {
  for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule)
    if ((is_folder || !rule->folders_only) && matches(rule->segments, path))
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
