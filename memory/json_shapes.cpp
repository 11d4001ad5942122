#include "memory/json_shapes.h"

#include <algorithm>
#include <cmath>
#include <ranges>

namespace loci {
namespace {

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

// Four digits behind the point: enough to see an order, and equal on every machine.
Json rounded(double value) { return Json(std::round(value * 10000) / 10000); }

Json number_or_null(const std::optional<std::int64_t>& number) { return number ? Json(*number) : Json(); }

Json places_to_json(const std::vector<EntryPlace>& places) {
  Json out = Json::array();
  for (const EntryPlace& place : places | std::views::take(most_places_shown)) {
    Json one = Json::object();
    one.add_unchecked("file", place.file);
    one.add_unchecked("line", place.line);
    out.push_back(std::move(one));
  }
  return out;
}

// Shares of the highest possible relevance that add up, and factors.
Json parts_to_json(const RelevanceParts& parts) {
  Json out = Json::object();
  out.add_unchecked("own", rounded(parts.own / parts.bound));
  out.add_unchecked("neighbours", rounded(parts.neighbours / parts.bound));
  out.add_unchecked("order", rounded(parts.order / parts.bound));
  out.add_unchecked("thread", rounded(parts.thread / parts.bound));
  out.add_unchecked("coverage", rounded(parts.coverage));
  out.add_unchecked("role", rounded(parts.role));
  out.add_unchecked("time", rounded(parts.time));
  return out;
}

Json recalls_of(const Entry& entry, const RecallCounts* recalls) {
  if (!recalls) return {};
  const auto found = recalls->by_id.find(entry.id);
  return found == recalls->by_id.end() ? Json(0) : Json(found->second.times);
}

bool same_turn(const Turn& turn, const Entry& entry) {
  return !entry.session.empty() && entry.turn && turn.session == entry.session && turn.number == entry.turn;
}

void add_said(std::string& said, const std::string& text) {
  if (!said.empty()) said += "\n\n";
  said += text;
}

}  // namespace

Json versioned() {
  Json out = Json::object();
  out.add_unchecked("v", 1);
  return out;
}

Json time_to_json(const std::optional<Instant>& instant) { return instant ? Json(format_rfc3339(*instant)) : Json(); }

Json entry_to_json(const Entry& entry, const RecallCounts* recalls) {
  const EntryPlace first = entry.places.empty() ? EntryPlace{} : entry.places.front();
  Json out = Json::object();
  out.add_unchecked("id", entry.id);
  out.add_unchecked("layer", name_of(entry.layer));
  out.add_unchecked("kind", name_of(entry.kind));
  out.add_unchecked("text", entry.text);
  out.add_unchecked("source", name_of(entry.source));
  out.add_unchecked("confidence", entry.confidence.value_or(default_confidence(entry.source)));
  out.add_unchecked("at", time_to_json(entry.at));
  out.add_unchecked("updated", text_or_null(entry.updated));
  out.add_unchecked("file", first.file);
  out.add_unchecked("line", first.line);
  out.add_unchecked("line_end", first.line_end);
  out.add_unchecked("places", places_to_json(entry.places));
  out.add_unchecked("place_count", entry.places.size());
  out.add_unchecked("hash", entry.hash);
  out.add_unchecked("role", text_or_null(entry.role));
  out.add_unchecked("section", entry.section);
  out.add_unchecked("tags", entry.tags);
  out.add_unchecked("project", text_or_null(entry.project));
  out.add_unchecked("task", text_or_null(entry.task));
  out.add_unchecked("session", text_or_null(entry.session));
  out.add_unchecked("turn", number_or_null(entry.turn));
  out.add_unchecked("status", entry.active ? "active" : "inactive");
  out.add_unchecked("recalls", recalls_of(entry, recalls));
  out.add_unchecked("first_seen", text_or_null(entry.first_seen));
  out.add_unchecked("sources", entry.sources);
  out.add_unchecked("from", entry.from);
  return out;
}

Json entries_to_json(const std::vector<Entry>& entries, const RecallCounts* recalls) {
  Json out = Json::array();
  for (const Entry& entry : entries) out.push_back(entry_to_json(entry, recalls));
  return out;
}

Json hit_to_json(const Hit& hit, const RecallCounts* recalls) {
  Json why = Json::object();
  why.add_unchecked("bm25", rounded(hit.why.bm25));
  why.add_unchecked("thread", rounded(hit.why.thread));
  why.add_unchecked("recency", rounded(hit.why.recency));
  why.add_unchecked("trust", rounded(hit.why.trust));
  why.add_unchecked("parts", parts_to_json(hit.why.relevance));
  if (hit.why.vector > 0) {
    why.add_unchecked("vector", rounded(hit.why.vector));
    if (hit.why.of_neighbours > 0) why.add_unchecked("vector_of_neighbours", rounded(hit.why.of_neighbours));
    if (hit.why.similarity) why.add_unchecked("similarity", rounded(*hit.why.similarity));
  }
  Json out = entry_to_json(hit.entry, recalls);
  out.add_unchecked("score", rounded(hit.score));
  out.add_unchecked("why", std::move(why));
  out.add_unchecked("snippet", hit.snippet);
  return out;
}

Json search_to_json(const std::string& query, const SearchResult& result, bool threads, const IndexState& index,
                    const RecallCounts* recalls) {
  Json out = versioned();
  out.add_unchecked("query", query);
  Json hits = Json::array();
  for (const Hit& hit : result.hits) hits.push_back(hit_to_json(hit, recalls));
  out.add_unchecked("hits", std::move(hits));
  if (threads) {
    Json list = Json::array();
    for (const ThreadHit& thread : result.threads) {
      Json one = Json::object();
      one.add_unchecked("session", thread.session);
      one.add_unchecked("score", rounded(thread.score));
      one.add_unchecked("hits", thread.hits);
      list.push_back(std::move(one));
    }
    out.add_unchecked("threads", std::move(list));
  }
  out.add_unchecked("confident", result.confident);
  out.add_unchecked("from_history", result.from_history);
  if (!result.read_as.empty()) {
    Json read = Json::object();
    for (const auto& [typed, as] : result.read_as) read.set(typed, as);
    out.add_unchecked("read_as", std::move(read));
  }
  Json state = Json::object();
  state.add_unchecked("generation", index.info.generation);
  state.add_unchecked("pending_files", static_cast<std::int64_t>(index.freshness.pending_files));
  state.add_unchecked("checked_at", time_to_json(index.freshness.checked_at));
  out.add_unchecked("index", std::move(state));
  out.add_unchecked("took_ms", std::round(result.took_ms * 1000) / 1000);
  return out;
}

Json list_to_json(const std::vector<Entry>& entries, const std::string& next, const RecallCounts* recalls) {
  Json out = versioned();
  out.add_unchecked("entries", entries_to_json(entries, recalls));
  out.add_unchecked("next", text_or_null(next));
  return out;
}

std::vector<Turn> turns_of(const std::vector<Entry>& entries) {
  std::vector<Turn> turns;
  for (const Entry& entry : entries) {
    auto turn = std::ranges::find_if(turns, [&](const Turn& known) { return same_turn(known, entry); });
    if (turn == turns.end()) {
      turns.push_back(Turn{entry.id, entry.session, entry.turn, {}, {}, entry.at, {}});
      turn = turns.end() - 1;
    }
    turn->entries.push_back(entry);
  }
  for (Turn& turn : turns) {
    std::ranges::reverse(turn.entries);  // said first, stands first
    turn.id = turn.entries.front().id;
    turn.at = turn.entries.front().at;
    for (const Entry& entry : turn.entries) add_said(entry.role == "assistant" ? turn.assistant : turn.user, entry.text);
  }
  return turns;
}

Json turns_to_json(const std::vector<Turn>& turns, const std::string& next) {
  Json list = Json::array();
  for (const Turn& turn : turns) list.push_back(turn_to_json(turn));
  Json out = versioned();
  out.add_unchecked("turns", std::move(list));
  out.add_unchecked("next", text_or_null(next));
  return out;
}

Json turn_to_json(const Turn& turn) {
  Json out = Json::object();
  out.add_unchecked("id", turn.id);
  out.add_unchecked("session", text_or_null(turn.session));
  out.add_unchecked("turn", number_or_null(turn.number));
  out.add_unchecked("user", text_or_null(turn.user));
  out.add_unchecked("assistant", text_or_null(turn.assistant));
  out.add_unchecked("at", time_to_json(turn.at));
  return out;
}

Json report_to_json(const ReconcileReport& report) {
  const auto number = [](size_t count) { return Json(static_cast<std::int64_t>(count)); };
  Json value = versioned();
  value.add_unchecked("files_seen", number(report.files_seen));
  value.add_unchecked("files_read", number(report.files_read));
  value.add_unchecked("files_changed", number(report.files_changed));
  value.add_unchecked("files_removed", number(report.files_removed));
  value.add_unchecked("entries_added", number(report.entries_added));
  value.add_unchecked("entries_changed", number(report.entries_changed));
  value.add_unchecked("entries_removed", number(report.entries_removed));
  value.add_unchecked("rebuilt", report.rebuilt);
  value.add_unchecked("rebuild_reason", report.rebuild_reason);
  return value;
}

Json session_to_json(const SessionSummary& session) {
  Json out = Json::object();
  out.add_unchecked("session", session.id);
  out.add_unchecked("entries", session.entries);
  out.add_unchecked("turns", session.turns);
  out.add_unchecked("first", time_to_json(session.first));
  out.add_unchecked("last", time_to_json(session.last));
  out.add_unchecked("project", text_or_null(session.project));
  return out;
}

Json problem_to_json(const Problem& problem) {
  Json out = Json::object();
  out.add_unchecked("file", problem.file);
  out.add_unchecked("line", problem.line);
  out.add_unchecked("code", problem.code);
  out.add_unchecked("message", problem.message);
  if (!problem.entries.empty()) out.add_unchecked("entries", problem.entries);
  return out;
}

Json problems_to_json(const std::vector<Problem>& problems) {
  Json out = Json::array();
  for (const Problem& problem : problems) out.push_back(problem_to_json(problem));
  return out;
}

}  // namespace loci
