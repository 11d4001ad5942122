#include "parser/entry_steps.h"

#include <algorithm>
#include <unordered_map>

#include "parser/conflict_lines.h"
#include "parser/core_file.h"
#include "parser/entry_edit.h"
#include "parser/entry_edits.h"
#include "parser/text_hash.h"

namespace loci {
namespace {

using Kind = EntryEdit::Kind;

// Of one id the first entry counts.
class Versions {
 public:
  explicit Versions(std::string_view file) : file_(file), parsed_(parse(file)) {
    for (const ParsedEntry& entry : parsed_.entries) by_id_.emplace(entry.id, &entry);
  }

  const ParsedFile& parsed() const { return parsed_; }
  std::string of(std::string_view id) const {
    const auto known = by_id_.find(id);
    if (known == by_id_.end()) return {};
    return std::string(file_.substr(known->second->begin, known->second->end - known->second->begin));
  }
  int line_of(std::string_view id) const {
    const auto known = by_id_.find(id);
    return known == by_id_.end() ? 0 : known->second->line;
  }
  bool is_first(const ParsedEntry& entry) const {
    const auto known = by_id_.find(entry.id);
    return known != by_id_.end() && known->second == &entry;
  }

 private:
  std::string_view file_;
  ParsedFile parsed_;
  std::unordered_map<std::string_view, const ParsedEntry*> by_id_;
};

// None if the markdown is no entry any more: it was purged.
std::optional<EntryEdit> edit_of(const EntryStep& step) {
  if (step.to.empty()) return EntryEdit{.kind = Kind::remove, .id = step.id};
  const ParsedFile wanted = parse(step.to);
  if (wanted.entries.empty() || !wanted.entries.front().metadata) return std::nullopt;
  const ParsedEntry& entry = wanted.entries.front();
  EntryEdit edit{step.from.empty() ? Kind::append : Kind::replace, step.id, *entry.metadata, entry.text};
  edit.metadata.sum.clear();
  edit.metadata.end = false;
  return edit;
}

// That of the text which loci wrote there, where a person has typed another one since; empty if nobody has.
std::string sum_of_edited(const std::string& markdown) {
  const ParsedFile parsed = parse(markdown);
  if (parsed.entries.empty() || !parsed.entries.front().metadata) return {};
  const ParsedEntry& entry = parsed.entries.front();
  return entry.metadata->sum == sum_from_hash(entry.hash) ? std::string() : entry.metadata->sum;
}

// A line that shows an entry stands between the markers of MEMORY.md, where there are any.
std::optional<NewCoreLine> core_line_of(const EntryEdit& edit, bool has_core) {
  if (!has_core || edit.kind != Kind::append || edit.metadata.ref.empty()) return std::nullopt;
  NewCoreLine line{edit.metadata.ref, as_core_line(edit.text)};
  return can_be_core_line(line) ? std::optional(std::move(line)) : std::nullopt;
}

// Blanks at the ends of lines are nobody's words.
bool is_same(const std::string& stands, const std::string& step) {
  if (stands == step || stands.empty() || step.empty()) return stands == step;
  const ParsedFile one = parse(stands), other = parse(step);
  if (one.entries.empty() || other.entries.empty()) return false;
  return one.entries.front().metadata == other.entries.front().metadata && one.entries.front().hash == other.entries.front().hash;
}

}  // namespace

std::vector<EntryStep> steps_between(std::string_view from, std::string_view to) {
  const Versions before(from), after(to);
  std::vector<EntryStep> steps;
  for (const ParsedEntry& entry : before.parsed().entries) {
    if (!before.is_first(entry)) continue;
    EntryStep step{entry.id, before.of(entry.id), after.of(entry.id)};
    const bool is_told = entry.metadata.has_value() || step.to.empty();
    if (is_told && step.from != step.to) steps.push_back(std::move(step));
  }
  for (const ParsedEntry& entry : after.parsed().entries)
    if (entry.metadata && after.is_first(entry) && before.of(entry.id).empty()) steps.push_back({entry.id, {}, after.of(entry.id)});
  return steps;
}

bool has_any_of(std::string_view now, const std::vector<EntryStep>& steps) {
  const Versions present(now);
  return std::ranges::any_of(steps,
                             [&](const EntryStep& step) { return !step.to.empty() && is_same(present.of(step.id), step.to); });
}

Result<Stepped> apply_steps(std::string_view now, const std::vector<EntryStep>& steps) {
  const Versions present(now);
  const auto& problems = present.parsed().problems;
  if (std::ranges::find(problems, "invalid-utf8", &ParseProblem::code) != problems.end())
    return fail(ErrorCode::refused, "the file is not UTF-8, and is not rewritten");
  Stepped stepped;
  const bool has_core = read_core(now).has_value();
  const auto held = has_core ? lines_in_conflict(now) : std::set<int>();
  std::vector<std::pair<std::string, std::string>> sums;
  std::vector<EntryEdit> edits;
  std::vector<NewCoreLine> core_lines;
  for (const EntryStep& step : steps) {
    const std::string stands = present.of(step.id);
    const bool is_there = is_same(stands, step.to);
    const auto edit =
        !is_there && !held.contains(present.line_of(step.id)) && is_same(stands, step.from) ? edit_of(step) : std::nullopt;
    (edit || is_there ? stepped.done : stepped.kept).push_back(step.id);
    if (!edit) continue;
    if (auto line = core_line_of(*edit, has_core))
      core_lines.push_back(std::move(*line));
    else
      edits.push_back(*edit);
    if (std::string sum = sum_of_edited(step.to); !sum.empty()) sums.emplace_back(step.id, std::move(sum));
  }
  stepped.bytes = now;
  if (!edits.empty()) stepped.bytes = std::move(TRY(apply_entry_edits(now, present.parsed(), edits)).bytes);
  for (const auto& [id, sum] : sums) stepped.bytes = TRY(set_entry_sum(stepped.bytes, id, sum));
  if (!core_lines.empty()) stepped.bytes = TRY(replace_core_lines(stepped.bytes, {}, core_lines));
  return stepped;
}

}  // namespace loci
