// What the daemon counts, as Prometheus reads it: requests, batches of additions, the watcher, the index. Numbers and names of our
// own only: no text of a memory, no query, no path. Any thread.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/synchronized.h"
#include "daemon/index_loop.h"
#include "http/message.h"
#include "http/server.h"
#include "indexer/index_reader.h"
#include "watcher/watcher.h"

namespace loci {

// How often values fell below each bound.
template <size_t Bounds>
struct Histogram {
  std::array<std::uint64_t, Bounds + 1> counts{};  // the last one: above all bounds
  double sum = 0;

  void add(const std::array<double, Bounds>& bounds, double value) {
    size_t bucket = 0;
    while (bucket < Bounds && value > bounds[bucket]) ++bucket;
    ++counts[bucket];
    sum += value;
  }
};

class Metrics {
 public:
  static constexpr std::array<double, 12> latency_bounds{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5};
  static constexpr std::array<double, 8> batch_bounds{1, 2, 4, 8, 16, 32, 64, 256};

  // `respond`, and counts the request when it is called: by method, route and class of status, with the time since now.
  Respond counted(const HttpRequest& request, Respond respond);
  // An append stored so many entries.
  void batch_stored(size_t entries);

  std::string text(IndexLoop& index, const Watcher& watcher, const HttpServer& server) const;

 private:
  struct Requests {
    // By route (a constant of route_of) and method.
    struct Of {
      std::array<std::uint64_t, 6> by_class{};  // [2] of 2xx
      Histogram<latency_bounds.size()> latency;
    };
    std::map<std::pair<std::string_view, std::string_view>, Of> by_route;
  };

  void count(std::string_view route, std::string_view method, int status, double seconds);

  mutable Synchronized<Requests> requests_;
  mutable Synchronized<Histogram<batch_bounds.size()>> batches_;
};

// What the index itself can tell: entries by layer, facts by state, its generation and size.
std::string index_metrics(IndexReader& reader, const FactCounts& facts);

}  // namespace loci
