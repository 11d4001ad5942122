// How long clustering takes: synthetic facts beside synthetic entries, words as rare and as common as in texts (Zipf), topic keys
// on some. Prints milliseconds of the best of three rounds and the shape of the clusters.
//
// usage: cluster_bench [FACTS ENTRIES]...        default: 1000 10000  1000 100000
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "consolidate/decide/clusters.h"
#include "consolidate/decide/operations.h"
#include "parser/text_hash.h"

namespace loci {
namespace {

class Author {
 public:
  std::string text() {
    std::string text;
    const size_t words = 6 + number_below(12);
    for (size_t i = 0; i < words; ++i) text += (i == 0 ? "word" : " word") + std::to_string(rank());
    return text;
  }

  std::vector<std::string> about() {
    std::vector<std::string> keys;
    if (number_below(2) == 0) keys.push_back("topic " + std::to_string(number_below(300)));
    return keys;
  }

 private:
  size_t number_below(size_t end) { return std::uniform_int_distribution<size_t>(0, end - 1)(random_); }
  // Log-uniform ranks: the n-th word is about 1/n as common as the first.
  size_t rank() { return static_cast<size_t>(std::pow(50'000.0, std::uniform_real_distribution<double>(0, 1)(random_))); }

  std::mt19937 random_{42};
};

Material material_of(size_t facts, size_t entries) {
  Author author;
  Material material;
  for (size_t i = 0; i < facts; ++i) {
    Fact fact;
    fact.id = "f" + std::to_string(i);
    fact.text = author.text();
    fact.hash = stored_text_hash(fact.text);
    fact.about = author.about();
    material.facts.push_back(std::move(fact));
  }
  for (size_t i = 0; i < entries; ++i) {
    DurableEntry entry;
    entry.id = "e" + std::to_string(i);
    entry.text = author.text();
    entry.hash = stored_text_hash(entry.text);
    entry.about = author.about();
    material.entries.push_back(std::move(entry));
  }
  return material;
}

template <typename Work>
double best_milliseconds(Work&& work) {
  double best = 0;
  for (int round = 0; round < 3; ++round) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const double taken = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    best = round == 0 ? taken : std::min(best, taken);
  }
  return best;
}

void measure(size_t facts, size_t entries) {
  const Material material = material_of(facts, entries);
  std::vector<size_t> all_facts(facts), all_entries(entries);
  std::iota(all_facts.begin(), all_facts.end(), size_t{0});
  std::iota(all_entries.begin(), all_entries.end(), size_t{0});

  std::vector<Cluster> clusters;
  const double clustering = best_milliseconds([&] { clusters = make_clusters(material, all_facts, {}); });
  const double builtin = best_milliseconds([&] { builtin_decision(material, {all_facts, all_entries, {}}); });
  size_t largest = 0;
  for (const Cluster& cluster : clusters) largest = std::max(largest, cluster.facts.size());
  std::printf("%6zu facts %7zu entries: clusters %7.1f ms (%zu, the largest of %zu facts), builtin decision %5.1f ms\n", facts,
              entries, clustering, clusters.size(), largest, builtin);
}

}  // namespace
}  // namespace loci

int main(int count, char** values) {
  std::vector<std::pair<size_t, size_t>> sizes;
  for (int i = 1; i + 1 < count; i += 2)
    sizes.emplace_back(std::strtoul(values[i], nullptr, 10), std::strtoul(values[i + 1], nullptr, 10));
  if (sizes.empty()) sizes = {{1'000, 10'000}, {1'000, 100'000}};
  for (const auto& [facts, entries] : sizes) loci::measure(facts, entries);
}
