#include "operations/search.h"

#include <algorithm>

#include "base/unicode.h"
#include "capture/pauses.h"
#include "memory/json_shapes.h"
#include "memory/search_log.h"
#include "operations/shapes.h"
#include "operations/visible.h"
#include "recall/query.h"

namespace loci {
namespace {

using shapes::Type;

constexpr auto parameters = joined(
    std::to_array<Parameter>({{"--q", "QUERY", ValueKind::text,
                               "plain words, \"a phrase\", -not, prefix*, tag:x, project:y, since:2026-05", false, "query", true}}),
    search_parameters);

constexpr Field why_shape[] = {
    {"bm25", Type::number}, {"thread", Type::number}, {"recency", Type::number}, {"trust", Type::number}};
constexpr auto hit_shape = [] {
  constexpr Field own[] = {
      {"score", Type::number}, {"why", Type::object, shapes::programs, why_shape}, {"snippet", Type::text, shapes::programs}};
  std::array<Field, std::size(shapes::entry) + std::size(own)> all{};
  std::ranges::copy(shapes::entry, all.begin());
  std::ranges::copy(own, all.begin() + std::size(shapes::entry));
  return all;
}();
constexpr Field thread_shape[] = {{"session"}, {"score", Type::number}, {"hits", Type::texts}};
constexpr Field shape[] = {
    {"query"},
    {"hits", Type::objects, Field::For::everybody, Shape(hit_shape)},
    {"threads", Type::objects, Field::For::everybody, thread_shape},
    {"confident", Type::flag},
    {"from_history", Type::flag},
    {"read_as", Type::object},
    {"index", Type::object, shapes::programs, shapes::index_state},
    {"took_ms", Type::number, shapes::programs},
};

Result<SearchOptions> options_from(const Values& values, const Config& config, Instant now) {
  SearchOptions wanted;
  wanted.filter = TRY(filter_from(values, now));
  wanted.limit = values.number_or("limit", static_cast<size_t>(config.recall.limit));
  wanted.threads = values.flag("threads");
  wanted.history = values.flag("history");
  wanted.inactive = values.flag("inactive");
  wanted.precise = values.flag("precise");
  wanted.recency_half_life_days = config.recall.recency_half_life_days;
  wanted.recency_floor = config.recall.recency_floor;
  return wanted;
}

// Threads of which nothing may be seen are not there; of the others only the hits that may.
Status keep_seen_threads(Memory& memory, Visible& visible, std::vector<ThreadHit>& threads) {
  for (ThreadHit& thread : threads) {
    std::vector<std::string> seen;
    for (std::string& id : thread.hits) {
      const auto found = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(id, 1); }));
      if (!found.empty() && TRY(visible.sees(found.front()))) seen.push_back(std::move(id));
    }
    thread.hits = std::move(seen);
  }
  std::erase_if(threads, [](const ThreadHit& thread) { return thread.hits.empty(); });
  return {};
}

// A word that was read as another one must not tell what only hidden entries say.
void keep_seen_words(SearchResult& result) {
  std::erase_if(result.read_as, [&](const auto& word) {
    return std::ranges::none_of(result.hits, [&](const Hit& hit) { return fold(hit.entry.text).contains(fold(word.second)); });
  });
}

// Without what the caller may not see: whether there is an answer, too, what is left tells.
Status keep_seen(Memory& memory, Visible& visible, SearchResult& result) {
  std::vector<Hit> seen;
  for (Hit& hit : result.hits)
    if (TRY(visible.sees(hit.entry))) seen.push_back(std::move(hit));
  result.hits = std::move(seen);
  result.confident = std::ranges::any_of(result.hits, &Hit::confident);
  keep_seen_words(result);
  return keep_seen_threads(memory, visible, result.threads);
}

Result<std::pair<SearchResult, Freshness>> ask(const OperationCall& call, Visible& visible, const SearchQuery& query,
                                               SearchOptions wanted) {
  Memory& memory = call.memory;
  const size_t limit = wanted.limit;
  const auto question = [&](IndexReader& reader) { return search(reader, query, wanted, memory.now()); };
  auto [result, freshness] = TRY(memory.ask_fresh<SearchResult>(question, call.progress));
  if (visible.sees_all()) return std::pair(std::move(result), std::move(freshness));
  while (true) {
    const bool is_all = result.hits.size() < wanted.limit;
    TRY(keep_seen(memory, visible, result));
    if (result.hits.size() > limit) result.hits.resize(limit);
    if (is_all || result.hits.size() == limit) return std::pair(std::move(result), std::move(freshness));
    wanted.limit *= 4;
    result = TRY(memory.ask<SearchResult>(question));
  }
}

Result<Answer> run(const OperationCall& call) {
  Memory& memory = call.memory;
  const std::string text = call.values.text("query");
  auto wanted = TRY(options_from(call.values, memory.vault().config(), memory.now()));
  const SearchQuery query = parse_query(text);
  const auto similar = call.around.similar && !wanted.precise ? call.around.similar(memory, query.text) : nullptr;
  wanted.similar = similar.get();
  Visible visible(memory, call.actor);
  const auto [result, freshness] = TRY(ask(call, visible, query, wanted));
  auto* reader = TRY(memory.reader());
  const std::string session = call.values.text("asked_in");
  // A person's page searches at every key press.
  if (call.actor != Actor::person && may_be_noted(memory.vault(), session, text)) log_search(memory, text, result, session);
  const auto recalls = call.around.recalls.of(memory.vault());
  return Answer{search_to_json(text, result, wanted.threads, {reader->info(), freshness}, recalls.get()), false, {}};
}

}  // namespace

constinit const MemoryOperation search_operation = {
    .name = "search",
    .method = "GET",
    .path = "/memory/search",
    .tool = "memory_search",
    .title = "Search memory",
    .summary =
        "Find memories by words, best first. Use it before answering about the user, their projects, decisions or what was said "
        "earlier. Say that you do not know when `confident` is false and no hit answers. Cite a hit as (file:line).",
    .parameters = parameters,
    .shape = shape,
    .effect = MemoryOperation::Effect::reads,
    .run = run,
};

}  // namespace loci
