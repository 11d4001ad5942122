#include "memory/correction_conflicts.h"

#include <algorithm>

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

}  // namespace

Result<std::vector<CorrectionConflict>> correction_conflicts(Memory& memory) {
  std::vector<CorrectionConflict> conflicts;
  const auto chronicle = TRY(Chronicle::read(memory.vault()));
  for (const Chronicle::Corrections& twice : chronicle.corrected_twice()) {
    CorrectionConflict conflict{twice.id, {}};
    for (const std::string& id : twice.by) {
      auto found = memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(id, 1); });
      if (!found) return std::unexpected(found.error());
      if (found->empty() || found->front().id != id || !found->front().active) continue;
      if (!says_one_of(conflict.versions, found->front())) conflict.versions.push_back(std::move(found->front()));
    }
    if (conflict.versions.size() > 1) conflicts.push_back(std::move(conflict));
  }
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
