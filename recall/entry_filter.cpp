#include "recall/entry_filter.h"

#include <algorithm>

namespace loci {
namespace {

template <typename T>
bool allows(const std::vector<T>& allowed, const T& value) {
  return allowed.empty() || std::ranges::find(allowed, value) != allowed.end();
}

// An empty list allows everything. False if the two have nothing in common.
template <typename T>
bool intersect(std::vector<T>& into, const std::vector<T>& other) {
  if (into.empty()) {
    into = other;
    return true;
  }
  std::erase_if(into, [&](const T& value) { return !allows(other, value); });
  return !into.empty();
}

bool agree(std::string& into, const std::string& other) {
  if (into.empty()) into = other;
  return other.empty() || into == other;
}

void narrow(EntryFilter& into, const EntryFilter& other) {
  if (other.since) into.since = into.since ? std::max(*into.since, *other.since) : *other.since;
  if (other.until) into.until = into.until ? std::min(*into.until, *other.until) : *other.until;
}

}  // namespace

std::optional<EntryFilter> both(const EntryFilter& a, const EntryFilter& b) {
  EntryFilter filter = a;
  const bool possible = intersect(filter.layers, b.layers) && intersect(filter.kinds, b.kinds) &&
                        intersect(filter.sources, b.sources) && agree(filter.project, b.project) &&
                        agree(filter.session, b.session) && agree(filter.task, b.task) && agree(filter.file, b.file);
  if (!possible) return std::nullopt;
  for (const std::string& tag : b.tags)
    if (std::ranges::find(filter.tags, tag) == filter.tags.end()) filter.tags.push_back(tag);
  narrow(filter, b);
  filter.inactive = a.inactive || b.inactive;
  return filter;
}

bool is_empty(const EntryFilter& filter) {
  return filter.layers.empty() && filter.kinds.empty() && filter.sources.empty() && !filter.since && !filter.until &&
         !needs_rows(filter);
}

bool needs_rows(const EntryFilter& filter) {
  return !filter.tags.empty() || !filter.project.empty() || !filter.session.empty() || !filter.task.empty() || !filter.file.empty();
}

bool passes(const EntryFilter& filter, const EntryColumns& columns) {
  if (!columns.active && !filter.inactive) return false;
  if (!allows(filter.layers, columns.layer) || !allows(filter.kinds, columns.kind) || !allows(filter.sources, columns.source))
    return false;
  if (!filter.since && !filter.until) return true;
  if (columns.at == std::numeric_limits<std::int64_t>::min()) return false;
  const Instant at{std::chrono::milliseconds(columns.at)};
  return (!filter.since || at >= *filter.since) && (!filter.until || at < *filter.until);
}

bool asks_for_history(const EntryFilter& filter) {
  const bool kind = std::ranges::any_of(filter.kinds, [](EntryKind k) { return k != EntryKind::fact; });
  return kind || !filter.layers.empty() || !filter.session.empty() || filter.since || filter.until;
}

}  // namespace loci
