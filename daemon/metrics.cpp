#include "daemon/metrics.h"

#include <algorithm>
#include <limits>

#include "daemon/metrics_text.h"
#include "daemon/routes.h"

namespace loci {
namespace {

// The method if it is one of ours: what a caller makes up must not become a label.
std::string_view known_method(std::string_view method) {
  for (const std::string_view known : {"GET", "HEAD", "POST", "PATCH", "DELETE"})
    if (method == known) return known;
  return "other";
}

template <size_t Bounds>
void write_histogram(MetricsText& text, MetricsText::Labels labels, const std::array<double, Bounds>& bounds,
                     const Histogram<Bounds>& histogram, std::string_view route, std::string_view method) {
  std::uint64_t below = 0;
  for (size_t i = 0; i <= Bounds; ++i) {
    below += histogram.counts[i];
    const std::string bound = MetricsText::number(i < Bounds ? bounds[i] : std::numeric_limits<double>::infinity());
    if (route.empty())
      text.sample({{"le", bound}}, below, "_bucket");
    else
      text.sample({{"method", method}, {"route", route}, {"le", bound}}, below, "_bucket");
  }
  text.sample(labels, histogram.sum, "_sum");
  text.sample(labels, below, "_count");
}

void write_server(MetricsText& text, const HttpCounters& counters) {
  text.counter("loci_http_connections_total", "Connections that were accepted.", counters.connections);
  text.counter("loci_http_connections_evicted_total", "Connections that were closed to make room.", counters.evicted);
  text.counter("loci_http_refused_total", "Callers of another user, and requests that no route saw.", counters.refused);
  text.gauge("loci_http_connections_open", "Connections that are open.", counters.open);
}

void write_watcher(MetricsText& text, const WatchState& state) {
  text.counter("loci_watcher_events_total", "Events of the file system.", state.events);
  text.counter("loci_watcher_overflows_total", "Times that events were lost.", state.overflows);
  text.gauge("loci_watcher_watches", "Folders that are watched.", state.watches);
  text.gauge("loci_watcher_polling", "1 if the vault is polled, because events do not come.", state.polling ? 1 : 0);
}

void write_index_loop(MetricsText& text, IndexLoop& index) {
  const IndexLoopState state = index.state();
  text.counter("loci_reconciles_total", "Times that changed files were taken into the index.", state.reconciles);
  text.counter("loci_files_changed_total", "Files that were new, changed or gone.", state.files_changed);
  text.family("loci_rescans_total", "counter", "Scans of the whole vault, by what asked for them.");
  for (const auto& [reason, times] : state.rescans_by_reason) text.sample({{"reason", reason}}, times);
  if (const auto freshness = index.freshness())
    text.gauge("loci_pending_files", "Files that changed and are not in the index yet.", freshness->pending_files);
}

}  // namespace

Respond Metrics::counted(const HttpRequest& request, Respond respond) {
  const auto begun = std::chrono::steady_clock::now();
  return [this, begun, route = route_of(request.path), method = known_method(request.method),
          respond = std::move(respond)](HttpResponse response) {
    count(route, method, response.status, std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count());
    respond(std::move(response));
  };
}

void Metrics::count(std::string_view route, std::string_view method, int status, double seconds) {
  requests_.with([&](Requests& requests) {
    Requests::Of& of = requests.by_route[{route, method}];
    ++of.by_class[static_cast<size_t>(std::clamp(status / 100, 0, 5))];
    of.latency.add(latency_bounds, seconds);
  });
}

void Metrics::batch_stored(size_t entries) {
  batches_.with([&](auto& batches) { batches.add(batch_bounds, static_cast<double>(entries)); });
}

std::string Metrics::text(IndexLoop& index, const Watcher& watcher, const HttpServer& server) const {
  MetricsText text;
  requests_.with([&](const Requests& requests) {
    text.family("loci_http_requests_total", "counter", "Requests that were answered, by class of status.");
    for (const auto& [key, of] : requests.by_route)
      for (size_t i = 0; i < of.by_class.size(); ++i)
        if (of.by_class[i] > 0)
          text.sample({{"method", key.second}, {"route", key.first}, {"status", std::to_string(i) + "xx"}}, of.by_class[i]);
    text.family("loci_http_request_duration_seconds", "histogram", "Time to the answer.");
    for (const auto& [key, of] : requests.by_route)
      write_histogram(text, {{"method", key.second}, {"route", key.first}}, latency_bounds, of.latency, key.first, key.second);
  });
  batches_.with([&](const auto& batches) {
    text.family("loci_add_batch_entries", "histogram", "Entries that were stored with one write.");
    write_histogram(text, {}, batch_bounds, batches, {}, {});
  });
  write_server(text, server.counters());
  write_watcher(text, watcher.state());
  write_index_loop(text, index);
  return text.take();
}

std::string index_metrics(IndexReader& reader, const FactCounts& facts) {
  const auto count = [](std::int64_t value) { return static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0)); };
  MetricsText text;
  const LayerCounts layers = reader.layers();
  text.family("loci_entries", "gauge", "Entries that count, by layer.");
  text.sample({{"layer", "L0"}}, count(layers.L0));
  text.sample({{"layer", "L1"}}, count(layers.L1));
  text.sample({{"layer", "L2"}}, count(layers.L2));
  text.family("loci_facts", "gauge", "Facts of the archive, by state.");
  text.sample({{"state", "pending"}}, count(facts.pending));
  text.sample({{"state", "settled"}}, count(facts.settled));
  text.sample({{"state", "deleted"}}, count(facts.deleted));
  const IndexInfo info = reader.info();
  text.gauge("loci_index_generation", "The generation of the index.", count(info.generation));
  text.gauge("loci_index_bytes", "The size of the index.", info.bytes);
  text.gauge("loci_index_entries", "Entries in the index, with those that no longer count.", count(info.entries));
  return text.take();
}

}  // namespace loci
