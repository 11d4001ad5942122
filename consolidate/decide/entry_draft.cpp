#include "consolidate/decide/entry_draft.h"

#include <algorithm>

#include "consolidate/decide/history.h"

namespace loci {
namespace {

void add_unique(std::vector<std::string>& list, const std::string& value) {
  if (!value.empty() && std::ranges::find(list, value) == list.end()) list.push_back(value);
}

void add_all(std::vector<std::string>& list, const std::vector<std::string>& values) {
  for (const std::string& value : values) add_unique(list, value);
}

std::string earlier_of(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return a.empty() ? b : a;
  return std::min(a, b);
}

}  // namespace

EntryDraft EntryDraft::of(const DurableEntry& entry) {
  EntryDraft draft;
  draft.own = entry.source;
  draft.planned.id = entry.id;
  draft.planned.before_hash = entry.hash;
  draft.planned.file = entry.file;
  draft.planned.text = entry.text;
  draft.state = entry.state;
  draft.project = entry.project;
  Metadata& metadata = draft.planned.metadata;
  metadata.source = entry.source;
  metadata.tags = entry.tags;
  metadata.about = entry.about;
  metadata.first_seen = entry.first_seen;
  metadata.updated = entry.updated;
  metadata.sources = entry.sources;
  metadata.from = entry.from;
  return draft;
}

void EntryDraft::rest_on(const std::string& hash, Source source) {
  const auto [known, is_first] = rests_on.emplace(hash, source);
  if (!is_first) known->second = std::max(known->second, source);
}

void EntryDraft::join(const Fact& fact, const std::vector<std::string>& ended) {
  Metadata& metadata = planned.metadata;
  if (!std::ranges::binary_search(ended, fact.id)) add_unique(metadata.from, fact.id);
  add_unique(metadata.sources, fact.day);
  add_all(metadata.tags, fact.tags);
  add_all(metadata.about, fact.about);
  metadata.first_seen = earlier_of(metadata.first_seen, fact.day);
  said.emplace_back(fact.source, fact.day);
  belong_to(fact.project);
  planned.facts.push_back({fact.id, fact.hash, fact.text, fact.day, fact.source});
}

void EntryDraft::absorb(const DurableEntry& gone) {
  Metadata& metadata = planned.metadata;
  add_all(metadata.from, gone.from);
  add_all(metadata.sources, gone.sources);
  add_all(metadata.tags, gone.tags);
  add_all(metadata.about, gone.about);
  metadata.first_seen = earlier_of(metadata.first_seen, gone.first_seen);
  metadata.updated = std::max(metadata.updated, gone.updated);
  belong_to(gone.project);
  if (const auto equal = rests_on.find(gone.hash); equal != rests_on.end()) rest_on(gone.hash, gone.source);
  if (own) own = std::min(*own, gone.source);
}

void EntryDraft::finish() {
  Metadata& metadata = planned.metadata;
  metadata.id = planned.id;
  write_state(metadata, state);
  metadata.project = project.value_or(std::string());
  std::ranges::sort(metadata.sources);
  if (own) metadata.source = own;
  if (is_rewritten && !rests_on.empty())
    metadata.source = std::ranges::min_element(rests_on, {}, [](const auto& one) { return one.second; })->second;
  // The newest day that was said, whenever this run is; an echo that ranks lower makes nothing newer.
  for (const auto& [source, day] : said)
    if (source >= metadata.source) metadata.updated = std::max(metadata.updated, day);
}

}  // namespace loci
