#include <algorithm>
#include <cstdio>

#include "capture/pauses.h"
#include "cli/command.h"
#include "cli/entry_text.h"
#include "cli/filter_options.h"
#include "embeddings/embedder.h"
#include "memory/json_shapes.h"
#include "memory/search_log.h"
#include "operations/search.h"
#include "recall/query.h"
#include "recall/search.h"
#include "vault/logs/recall_log.h"

namespace loci::cli {
namespace {

constexpr PositionalSpec search_positionals[] = {{"QUERY", ValueKind::text, true, true}};
constexpr auto search_option_specs =
    joined(search_parameters, std::to_array<OptionSpec>({{"--jsonl", "", ValueKind::none, "print one JSON hit a line"}}));

Result<SearchOptions> search_options(const Arguments& arguments, const Config& config, Instant now) {
  SearchOptions wanted;
  wanted.limit = TRY(limit_from(arguments, static_cast<size_t>(config.recall.limit), most_hits));
  wanted.threads = arguments.has("--threads");
  wanted.history = arguments.has("--history");
  wanted.inactive = arguments.has("--inactive");
  wanted.precise = arguments.has("--precise");
  wanted.recency_half_life_days = config.recall.recency_half_life_days;
  wanted.recency_floor = config.recall.recency_floor;
  wanted.filter = filter_from(arguments, now);
  return wanted;
}

std::string score_text(double score) {
  char text[16];
  std::snprintf(text, sizeof text, "%.2f", score);
  return text;
}

// What the vectors of its neighbours gave is a part of what vectors gave.
std::string vector_text(const HitReasons& why) {
  std::string made_of;
  if (why.similarity) made_of = "similarity " + score_text(*why.similarity);
  if (why.of_neighbours > 0) made_of += (made_of.empty() ? "" : ", ") + ("neighbours " + score_text(why.of_neighbours));
  return "by vector " + score_text(why.vector) + " (" + made_of + ")";
}

// The first four add up; the rest multiply.
std::string why_text(const HitReasons& why) {
  const RelevanceParts& parts = why.relevance;
  std::string text = "own " + score_text(parts.own / parts.bound);
  for (const auto& [name, part] : {std::pair{"neighbours", parts.neighbours}, {"order", parts.order}, {"thread", parts.thread}})
    text += std::string(" + ") + name + " " + score_text(part / parts.bound);
  for (const auto& [name, factor] : {std::pair{"coverage", parts.coverage},
                                     {"role", parts.role},
                                     {"time", parts.time},
                                     {"recency", why.recency},
                                     {"trust", why.trust}})
    text += std::string(", ") + name + " " + score_text(factor);
  if (why.vector > 0) text += "; " + vector_text(why);
  return text;
}

void print_for_a_person(Output& out, const Clock& clock, const SearchResult& result, bool explain) {
  if (result.hits.empty()) out.line("nothing found");
  for (const Hit& hit : result.hits) {
    out.line(out.styled(Style::score, score_text(hit.score)) + "  " + out.styled(Style::id, hit.entry.id) + "  " +
             out.styled(Style::place, place_text(hit.entry)) + "  " + out.styled(Style::dim, time_text(clock, hit.entry.at)) +
             (hit.entry.active ? "" : "  inactive"));
    if (explain) out.line("      " + out.styled(Style::dim, why_text(hit.why)));
    out.line("      " + one_line(hit.snippet, 400));
  }
  if (!result.threads.empty()) out.line("\nsessions:");
  for (const ThreadHit& thread : result.threads)
    out.line(out.styled(Style::score, score_text(thread.score)) + "  " + printable(thread.session) + "  " +
             out.styled(Style::dim, std::to_string(thread.hits.size()) + (thread.hits.size() == 1 ? " hit" : " hits")));
  for (const auto& [typed, read] : result.read_as) out.note("'" + typed + "' stands nowhere and was read as '" + read + "'");
  if (result.from_history) out.note("some of this is from the history: no fact answers by itself");
  if (!result.hits.empty() && !result.confident) out.note("nothing matches well: the answer may not be in this memory");
}

void print_as_json(const Invocation& invocation, Memory& memory, const std::string& query, const SearchResult& result,
                   const Freshness& freshness) {
  const auto counts = read_recall_counts(memory.vault());
  const RecallCounts* recalls = counts ? &*counts : nullptr;
  if (invocation.arguments.has("--jsonl")) {
    for (const Hit& hit : result.hits) invocation.out.value(hit_to_json(hit, recalls));
    return;
  }
  auto reader = memory.reader();
  const IndexInfo info = reader ? (*reader)->info() : IndexInfo{};
  invocation.out.value(search_to_json(query, result, invocation.arguments.has("--threads"), IndexState{info, freshness}, recalls));
}

Result<int> run_search(Invocation& invocation) {
  auto memory = TRY(invocation.open_memory());
  const std::string text = invocation.arguments.joined();
  const SearchQuery query = parse_query(text);
  auto wanted = TRY(search_options(invocation.arguments, memory.vault().config(), invocation.clock.now()));
  const auto embedder = wanted.precise ? nullptr : Embedder::of(memory.vault(), invocation.environment);
  const auto similar = embedder ? embedder->similar_to(query.text) : nullptr;
  wanted.similar = similar.get();
  const auto answer = TRY(invocation.ask_fresh<SearchResult>(
      memory, [&](IndexReader& reader) { return search(reader, query, wanted, invocation.clock.now()); }));
  const auto& [result, freshness] = answer;
  for (const std::string& ignored : query.ignored) invocation.out.note("'" + ignored + "' means nothing and was left out");
  if (invocation.out.json() || invocation.arguments.has("--jsonl"))
    print_as_json(invocation, memory, text, result, freshness);
  else
    print_for_a_person(invocation.out, invocation.clock, result, invocation.arguments.has("--explain"));
  const auto session = invocation.arguments.text("--asked-in");
  // Who asks, a person or an agent in their shell, nobody can tell.
  if (invocation.out.flush() && may_be_noted(memory.vault(), session, text)) log_search(memory, text, result, session);
  return 0;
}

}  // namespace

constinit const Command search_command = {
    "search",
    "Find entries, best first",
    "A query is plain words, and if you like \"a phrase\", -not, prefix*, tag:x, project:y, source:user, kind:turn,\n"
    "layer:L2, session:s, task:t, since:2026-05, until:7d. Nothing that you type is an error. Put -- in front of a query that\n"
    "starts with a dash.",
    search_positionals,
    search_option_specs,
    run_search};

}  // namespace loci::cli
