#include "vault/layout/never_send.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/unicode.h"
#include "parser/entry_text.h"
#include "parser/parser.h"
#include "parser/tag_marks.h"
#include "parser/tag_names.h"
#include "parser/tags.h"

namespace loci {
namespace {

// What a rule is, and the name in it: of a path as it is written, else as a person sees it (parser/tag_names.h).
struct Form {
  enum class Kind : std::uint8_t { tag, project, path, bare_word, taken_back, unknown } kind = Kind::unknown;
  std::string name;
};
using Kind = Form::Kind;

// Without white space and what is not shown at its ends.
std::string_view trimmed(std::string_view text) {
  const auto is_nothing = [](char32_t c) { return is_white_space(c) || is_unseen(c); };
  size_t begin = 0, end = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t here = at;
    if (is_nothing(decode_code_point(text, at))) continue;
    if (end == 0) begin = here;
    end = at;
  }
  return text.substr(begin, end - begin);
}

bool is_bare_word(std::string_view rule) { return rule.find_first_of("/*?[\\") == std::string_view::npos; }

std::string tag_in(std::string_view seen) {
  if (seen.starts_with('#')) seen.remove_prefix(1);
  while (seen.ends_with('/')) seen.remove_suffix(1);
  return std::string(seen);
}

// "tag:NAME": a word of letters in front of a colon says what is behind it. A path may hold one where it is told to be a path.
std::optional<Form> form_with_prefix(std::string_view seen) {
  const size_t colon = seen.find(':');
  if (colon == std::string_view::npos || !is_bare_word(seen.substr(0, colon))) return std::nullopt;
  const std::string_view prefix = trimmed(seen.substr(0, colon));
  const std::string_view name = trimmed(seen.substr(colon + 1));
  if (prefix == "tag") return Form{Kind::tag, tag_in(name)};
  if (prefix == "project") return Form{Kind::project, std::string(name)};
  return Form{Kind::unknown, {}};
}

Form form_of(std::string_view written) {
  const std::string seen = name_seen(written);
  if (seen.starts_with('!')) return {Kind::taken_back, {}};
  if (seen.starts_with('#')) return {Kind::tag, tag_in(seen)};
  if (const auto form = form_with_prefix(seen)) return *form;
  const std::string_view rule = trimmed(written);
  return {is_bare_word(rule) ? Kind::bare_word : Kind::path, std::string(rule)};
}

// Not where a second mark, a wildcard or a list was written.
bool can_be_tag(std::string_view name) {
  return name.find_first_of("#*?,;|\"\\") == std::string_view::npos && !name.starts_with('/');
}

// The path of a vault that is meant: without the machine's root, and without parts that no path in a vault has.
std::string in_vault(std::string_view path) {
  std::string clean;
  while (!path.empty()) {
    const std::string_view part = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(part.size() + 1, path.size()));
    if (part.empty() || part == "." || part == ".." || (clean.empty() && part == "~")) continue;
    clean += (clean.empty() ? "" : "/") + std::string(part);
  }
  return clean;
}

// A slash at the start says only where the one name behind it stands; at the end, that it is a folder.
std::string reason_against_path(std::string_view path) {
  std::string_view inner = path;
  if (inner.ends_with('/')) inner.remove_suffix(1);
  if (inner.starts_with('/') && inner.find('/', 1) == std::string_view::npos) inner.remove_prefix(1);
  const std::string meant = in_vault(inner);
  if (meant.empty() || meant != inner)
    return "which no path in a vault is like: " +
           (meant.empty() ? "name something in it" : "write " + meant + ", from the vault's own folder");
  if (!PathPattern(inner).can_match()) return "which is no pattern: a [ without its ] or a \\ at the end needs a \\ in front";
  return {};
}

bool is_tag_or_below(std::string_view tag, std::string_view rule) {
  return tag.starts_with(rule) && (tag.size() == rule.size() || tag[rule.size()] == '/');
}

// The names under which a tag is found, of a rule: a text ends it before a mark ("#c++"), whoever wrote the rule means it too.
void add_tag_rules(std::vector<std::string>& rules, std::string_view name) {
  const std::string tag = tag_name(name);
  if (tag.empty()) return;
  rules.push_back(tag);
  if (tag.contains(' ')) return;
  for (const std::string& in_text : find_tags("#" + tag)) rules.push_back(tag_name(in_text));
}

}  // namespace

std::string reason_against_rule(std::string_view rule) {
  const Form form = form_of(rule);
  const auto because = [&](const std::string& reason) { return "has '" + std::string(rule) + "', " + reason; };
  if (form.kind == Kind::taken_back)
    return because("but nothing takes a rule back: leave it out, and write rules that name only what is private");
  if (form.kind == Kind::unknown)
    return because("which is no rule: write #NAME or tag:NAME, project:NAME, or a path (**/a:b.md if there is a colon in it)");
  if (form.name.empty()) return because("which names nothing");
  if (form.kind == Kind::tag) {
    if (const std::string tag(trimmed(form.name)); tag != form.name)
      return because("which no tag has: write " + (tag.empty() ? "#NAME" : '#' + tag));
    if (tag_name(form.name).empty()) return because("which names nothing");
    if (!can_be_tag(form.name))
      return because("which no tag has: write #NAME, one rule a tag; the tags below it are meant with it");
    return {};
  }
  if (form.kind == Kind::project) return {};
  const std::string reason = reason_against_path(form.name);
  return reason.empty() ? reason : because(reason);
}

NeverSend::NeverSend(const std::vector<std::string>& rules) {
  std::vector<std::string> patterns;
  for (const std::string& written : rules) {
    const auto [kind, name] = form_of(written);
    if (name.empty()) continue;
    if (kind == Kind::tag || kind == Kind::bare_word) add_tag_rules(tags_, name);
    if (kind == Kind::project || kind == Kind::bare_word) projects_.push_back(name_seen(name));
    if (kind == Kind::path || kind == Kind::bare_word) patterns.push_back(name);
  }
  paths_ = PathRules(patterns);
}

bool NeverSend::has_tag(std::string_view written) const {
  const std::vector<std::string> readings = tag_readings(written);
  return std::ranges::any_of(readings, [&](const std::string& tag) {
    return std::ranges::any_of(tags_, [&](const std::string& rule) { return is_tag_or_below(tag, rule); });
  });
}

bool NeverSend::matches(const std::vector<std::string>& tags, const std::string& project, const std::string& file) const {
  if (!projects_.empty() && std::ranges::find(projects_, name_seen(project)) != projects_.end()) return true;
  if (!tags_.empty() && tags.size() >= most_tags) return true;
  if (!tags_.empty() && std::ranges::any_of(tags, [&](const std::string& tag) { return has_tag(tag); })) return true;
  return covers(paths_, file);
}

bool NeverSend::matches_text(std::string_view text) const {
  if (tags_.empty()) return false;
  return text.ends_with(more_tags) || has_mark(text, MarksIn::prose, [&](std::string_view name) { return has_tag(name); });
}

}  // namespace loci
