// In-process search latency over a vault: indexes it into a temporary state folder, asks every query, prints percentiles.
//
// usage: retrieval_bench VAULT [--queries FILE] [--rounds N] [--limit N] [--threads 0|1] [--precise 0|1] [--hits FILE] [--now N]
//
// --queries has one query a line; without it, three queries of common words are asked. --hits gets one line of JSON a query with
// the ids of hits with what makes their scores and the sessions of threads, for scoring and comparing outside. --now is the
// time in it (milliseconds since 1970), to ask the same twice.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/json.h"
#include "indexer/indexer.h"
#include "recall/search.h"

namespace loci {
namespace {

struct Arguments {
  std::string vault, queries, hits;
  size_t rounds = 3, limit = 20;
  bool threads = true, precise = false;
  std::int64_t now = 0;
};

Arguments parse(int count, char** values) {
  Arguments arguments;
  for (int i = 1; i < count; ++i) {
    const std::string name = values[i];
    if (!name.starts_with("--") || i + 1 == count) {
      arguments.vault = name;
      continue;
    }
    const std::string value = values[++i];
    if (name == "--queries") arguments.queries = value;
    if (name == "--hits") arguments.hits = value;
    if (name == "--rounds") arguments.rounds = std::stoul(value);
    if (name == "--limit") arguments.limit = std::stoul(value);
    if (name == "--now") arguments.now = std::stoll(value);
    if (name == "--threads") arguments.threads = value != "0";
    if (name == "--precise") arguments.precise = value != "0";
  }
  return arguments;
}

std::vector<std::string> read_lines(const std::string& file) {
  std::vector<std::string> lines;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) lines.push_back(line);
  return lines;
}

template <typename T>
T check(Result<T> result) {
  if (result) return std::move(*result);
  std::fprintf(stderr, "retrieval_bench: %s\n", result.error().message.c_str());
  std::exit(1);
}

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

// All that explains a hit: two programs that rank alike print the same.
std::array<double, 15> parts_of(const Hit& hit) {
  const auto& [own, thread, recency, trust, parts, vector, of_neighbours, similarity] = hit.why;
  return {hit.score,        own,         thread,
          recency,          trust,       parts.own,
          parts.neighbours, parts.order, parts.thread,
          parts.coverage,   parts.role,  parts.time,
          parts.bound,      parts.words, parts.has_all ? 1.0 : 0.0};
}

std::string shown(const std::string& query, const SearchResult& result) {
  Json line = Json::object(), hits = Json::array(), threads = Json::array();
  for (const Hit& hit : result.hits) hits.push_back(hit.entry.id);
  Json why = Json::array();
  for (const Hit& hit : result.hits)
    for (const double part : parts_of(hit)) why.push_back(part);
  for (const ThreadHit& thread : result.threads) threads.push_back(thread.session);
  line.set("query", query);
  line.set("hits", std::move(hits));
  line.set("threads", std::move(threads));
  line.set("why", std::move(why));
  line.set("confident", result.confident);
  line.set("relevance", result.hits.empty() ? 0.0 : result.hits[0].why.bm25 + result.hits[0].why.thread);
  return to_string(line);
}

void run(const Arguments& arguments, const path& state) {
  Environment environment = Environment::from_process();
  environment.state_home = state;
  environment.config_home = state;
  const Vault vault = check(Vault::open(arguments.vault, environment, real_file_system(), system_clock()));
  auto start = std::chrono::steady_clock::now();
  {
    Indexer indexer = check(Indexer::open(vault, std::chrono::seconds(10)));
    check(indexer.reconcile());
  }
  std::printf("indexed in %.0f ms\n", milliseconds_since(start));

  IndexReader reader = check(IndexReader::open(vault.state_folder()));
  auto queries = arguments.queries.empty() ? std::vector<std::string>{"deploy redis cache", "deploy", "server config docker kernel"}
                                           : read_lines(arguments.queries);
  SearchOptions options;
  options.limit = arguments.limit;
  options.threads = arguments.threads;
  options.precise = arguments.precise;
  options.history = true;
  const Instant now = arguments.now != 0 ? Instant(std::chrono::milliseconds(arguments.now)) : system_clock().now();
  std::ofstream hits(arguments.hits);
  std::vector<double> took;
  for (size_t round = 0; round < arguments.rounds; ++round)
    for (const std::string& query : queries) {
      start = std::chrono::steady_clock::now();
      const SearchResult result = check(search(reader, parse_query(query), options, now));
      took.push_back(milliseconds_since(start));
      if (round == 0 && hits) hits << shown(query, result) << '\n';
    }
  std::ranges::sort(took);
  if (took.empty()) return;
  std::printf("searches=%zu p50_ms=%.3f p95_ms=%.3f max_ms=%.3f\n", took.size(), took[took.size() / 2],
              took[took.size() * 95 / 100], took.back());
}

}  // namespace
}  // namespace loci

int main(int count, char** values) {
  const auto arguments = loci::parse(count, values);
  if (arguments.vault.empty()) {
    std::fprintf(stderr,
                 "usage: retrieval_bench VAULT [--queries FILE] [--rounds N] [--limit N] [--threads 0|1] [--precise 0|1] [--hits "
                 "FILE] [--now N]\n");
    return 2;
  }
  std::string folder = (std::filesystem::temp_directory_path() / "loci-bench-XXXXXX").string();
  if (!mkdtemp(folder.data())) return 1;
  loci::run(arguments, folder);
  std::filesystem::remove_all(folder);
  return 0;
}
