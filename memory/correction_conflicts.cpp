#include "memory/correction_conflicts.h"

#include <algorithm>
#include <optional>

#include "parser/text_hash.h"
#include "vault/logs/chronicle.h"

namespace loci {
namespace {

constexpr size_t shown_words = 60;  // bytes, about

std::string shortened(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  if (text.size() <= shown_words) return text;
  const size_t end = text.rfind(' ', shown_words);
  return text.substr(0, end == std::string::npos ? 0 : end) + " …";
}

bool says_one_of(const std::vector<Entry>& versions, const Entry& entry) {
  return std::ranges::any_of(versions,
                             [&](const Entry& known) { return normalise_loosely(known.text) == normalise_loosely(entry.text); });
}

// What a person sees of a fact is the entry that it was folded into.
std::string as_seen(const Chronicle& chronicle, const std::string& id) {
  const LedgerEntry* line = chronicle.latest_line(id);
  if (!line || line->outcome == LedgerEntry::Outcome::undone || line->entry.empty()) return id;
  return line->into.empty() ? line->entry : line->into;
}

Result<std::optional<Entry>> active_entry(Memory& memory, const std::string& id) {
  auto found = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(id, 1); }));
  if (found.empty() || found.front().id != id || !found.front().active) return std::nullopt;
  return std::move(found.front());
}

// What stands of a correction by now: itself, or what took its place since.
Result<std::vector<Entry>> standing_versions(Memory& memory, const Chronicle& chronicle, const std::string& correction) {
  std::vector<Entry> standing;
  std::vector<std::string> ids{correction};
  for (size_t i = 0; i < ids.size(); ++i) {
    auto version = TRY(active_entry(memory, as_seen(chronicle, ids[i])));
    if (!version) version = TRY(active_entry(memory, ids[i]));
    if (version) standing.push_back(std::move(*version));
    if (!chronicle.is_removed(ids[i])) continue;
    for (const std::string_view next : chronicle.successors_of(ids[i]))
      if (std::ranges::find(ids, next) == ids.end()) ids.emplace_back(next);
  }
  return standing;
}

CorrectionConflict& conflict_of(std::vector<CorrectionConflict>& conflicts, const std::string& id) {
  const auto known = std::ranges::find(conflicts, id, &CorrectionConflict::id);
  return known != conflicts.end() ? *known : conflicts.emplace_back(id);
}

}  // namespace

Result<std::vector<CorrectionConflict>> correction_conflicts(Memory& memory) {
  std::vector<CorrectionConflict> conflicts;
  const auto chronicle = TRY(Chronicle::read(memory.vault()));
  for (const Chronicle::Corrections& twice : chronicle.corrected_twice()) {
    CorrectionConflict& conflict = conflict_of(conflicts, as_seen(chronicle, twice.id));
    for (const std::string& id : twice.by)
      for (Entry& version : TRY(standing_versions(memory, chronicle, id)))
        if (!says_one_of(conflict.versions, version)) conflict.versions.push_back(std::move(version));
  }
  std::erase_if(conflicts, [](const CorrectionConflict& conflict) { return conflict.versions.size() < 2; });
  return conflicts;
}

Problem problem_of(const CorrectionConflict& conflict) {
  std::string says;
  std::vector<std::string> named{conflict.id};
  for (const Entry& version : conflict.versions) {
    says += (says.empty() ? "\"" : " and \"") + shortened(version.text) + "\" (" + version.id + ")";
    named.push_back(version.id);
  }
  const EntryPlace& place = conflict.versions.front().places.front();
  return {place.file, place.line, "correction-conflict",
          "two machines corrected '" + conflict.id + "' differently, " + says +
              ": 'loci resolve' asks, 'loci forget ID' takes one away",
          std::move(named)};
}

}  // namespace loci
