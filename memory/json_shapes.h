// Entries, hits and answers as JSON: the stable shapes that the command line prints and the daemon will serve ("v":1).
// What is not known is null; a list that is empty is []. Pure.
#pragma once

#include <string>
#include <vector>

#include "base/file_system.h"
#include "base/json.h"
#include "indexer/entry.h"
#include "indexer/index_reader.h"
#include "memory/memory.h"
#include "recall/search.h"
#include "vault/layout/problem.h"
#include "vault/logs/recall_log.h"

namespace loci {

// An object that starts with "v":1.
Json versioned();

// A text that stands in thousands of places is shown with the first of them, and their number.
inline constexpr size_t most_places_shown = 20;

// `recalls` is null in a shape whose caller did not count them.
Json entry_to_json(const Entry& entry, const RecallCounts* recalls = nullptr);
Json entries_to_json(const std::vector<Entry>& entries, const RecallCounts* recalls = nullptr);

Json hit_to_json(const Hit& hit, const RecallCounts* recalls = nullptr);

struct IndexState {
  IndexInfo info;
  Freshness freshness;
};
Json search_to_json(const std::string& query, const SearchResult& result, bool threads, const IndexState& index,
                    const RecallCounts* recalls = nullptr);

// One page; `next` is the cursor of the page after it, or empty.
Json list_to_json(const std::vector<Entry>& entries, const std::string& next, const RecallCounts* recalls = nullptr);

// A turn is up to two entries with one number: what the user said and what the assistant said.
struct Turn {
  std::string id;  // of its first entry
  std::string session;
  std::optional<std::int64_t> number;
  std::string user, assistant;
  std::optional<Instant> at;
  std::vector<Entry> entries;
};
// `entries` newest first, as IndexReader::recent gives them; so are the turns. An entry without a role is the user's.
std::vector<Turn> turns_of(const std::vector<Entry>& entries);
Json turn_to_json(const Turn& turn);
Json turns_to_json(const std::vector<Turn>& turns, const std::string& next);  // one page

// What a reconcile did; `rebuild_reason` is empty if nothing was rebuilt.
Json report_to_json(const ReconcileReport& report);

Json session_to_json(const SessionSummary& session);
Json problem_to_json(const Problem& problem);
Json problems_to_json(const std::vector<Problem>& problems);

// The instant as RFC 3339, or null.
Json time_to_json(const std::optional<Instant>& instant);

}  // namespace loci
