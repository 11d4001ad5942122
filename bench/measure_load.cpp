#include <unistd.h>

#include <atomic>
#include <random>
#include <thread>

#include "bench/measurements.h"

namespace loci::bench {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// --- many add ---

struct Additions {
  double a_second = 0;
  Latencies latencies;
  size_t not_searchable = 0;
};

Additions add_from_clients(const path& socket, size_t clients, seconds duration) {
  std::vector<Latencies> latencies(clients);
  std::atomic<size_t> not_searchable = 0;
  const auto start = Clock::now(), end = start + duration;
  {
    std::vector<std::jthread> threads;
    for (size_t client = 0; client < clients; ++client)
      threads.emplace_back([&, client] {
        DaemonConnection connection(socket);
        for (std::uint64_t number = 0; Clock::now() < end; ++number) {
          const std::string text = sentence((client << 32) + number, 15);
          const auto asked = Clock::now();
          if (!connection.add(text)) ++not_searchable;
          latencies[client].add(milliseconds_since(asked));
        }
      });
  }
  Additions all{0, {}, not_searchable};
  for (const Latencies& one : latencies) all.latencies.add(one);
  all.a_second = static_cast<double>(all.latencies.count()) * 1e3 / milliseconds_since(start);
  return all;
}

std::string shown(const Additions& added) {
  return digits(added.a_second, 0) + " a second, " + percentiles(added.latencies) +
         (added.not_searchable == 0 ? "" : ", not searchable at once: " + std::to_string(added.not_searchable));
}

}  // namespace

void measure_additions(const Options& options, Table& table) {
  for (const bool slow : {true, false}) {
    if (slow && options.slow_sync.empty()) continue;
    Scene scene(options, {});
    if (slow) scene.world.preload = options.slow_sync;
    const DaemonProcess daemon(scene.world);
    wait_until_fresh(daemon);
    const std::string disk = slow ? "every sync 5 ms longer" : "the disk as it is";
    const auto one = add_from_clients(daemon.socket(), 1, seconds(options.add_seconds));
    table.tell("1 client adding, " + disk, "", shown(one));
    const auto many = add_from_clients(daemon.socket(), 64, seconds(options.add_seconds));
    constexpr double one_sync_an_append = 1e3 / 5;
    const bool met = !slow || (many.a_second >= 5 * one_sync_an_append && many.latencies.percentile(0.99) <= 250);
    table.tell("64 clients adding, " + disk, slow ? ">= 1000/s, p99 <= 250 ms" : "", shown(many), met);
    table.tell("  times as many as 1 client", slow ? ">= 5" : "", digits(many.a_second / one.a_second, 1),
               !slow || many.a_second >= 5 * one.a_second);
  }
}

// --- searching while others add ---

Latencies search_from_clients(const path& socket, size_t clients, const std::vector<std::string>& words, milliseconds pause,
                              Clock::time_point end) {
  std::vector<Latencies> latencies(clients);
  {
    std::vector<std::jthread> threads;
    for (size_t client = 0; client < clients; ++client)
      threads.emplace_back([&, client] {
        DaemonConnection connection(socket);
        std::mt19937_64 random(client);
        while (Clock::now() < end) {
          const std::string query = words[random() % words.size()] + ' ' + words[random() % words.size()];
          const auto asked = Clock::now();
          (void)connection.search(query);
          latencies[client].add(milliseconds_since(asked));
          if (pause.count() > 0) std::this_thread::sleep_for(pause);
        }
      });
  }
  Latencies all;
  for (const Latencies& one : latencies) all.add(one);
  return all;
}

namespace {

// `a_second` of them from a few connections, at the times at which they are due. Returns how many were made.
size_t add_at_a_pace(const path& socket, double a_second, Clock::time_point end) {
  constexpr size_t connections = 4;
  std::atomic<size_t> made = 0;
  std::vector<std::jthread> threads;
  for (size_t which = 0; which < connections; ++which)
    threads.emplace_back([&, which] {
      DaemonConnection connection(socket);
      const auto step = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(connections / a_second));
      std::uint64_t number = 0;
      for (auto due = Clock::now() + step * which / connections; due < end; due += step) {
        std::this_thread::sleep_until(due);
        (void)connection.add(sentence((which << 32) + number++ + 77, 15));
        ++made;
      }
    });
  threads.clear();
  return made;
}

double a_second(size_t count, size_t duration) { return static_cast<double>(count) / static_cast<double>(duration); }

}  // namespace

void measure_searches(const Options& options, Table& table) {
  struct Load {
    size_t clients;
    milliseconds pause;
    double adds_a_second;
    bool is_judged = false;
  };
  constexpr Load loads[] = {
      {1, milliseconds(0), 0}, {8, milliseconds(0), 0}, {8, milliseconds(50), 100}, {8, milliseconds(0), 100, true}};
  const Scene scene(options, {});
  const DaemonProcess daemon(scene.world);
  wait_until_fresh(daemon);
  for (const auto& [name, words] : {std::pair{"two words, 3 to 50 entries match", &scene.vault.rare_words},
                                    {"two common words, a tenth and more match", &scene.vault.common_words}})
    for (const Load& load : loads) {
      const auto duration = load.is_judged ? options.search_seconds : options.search_seconds / 4;
      const auto end = Clock::now() + seconds(duration);
      const auto before = daemon.activity();
      size_t made = 0;
      std::jthread adding([&] {
        if (load.adds_a_second > 0) made = add_at_a_pace(daemon.socket(), load.adds_a_second, end);
      });
      const auto latencies = search_from_clients(daemon.socket(), load.clients, *words, load.pause, end);
      adding.join();
      const double busy_ms =
          1e3 * static_cast<double>(daemon.activity().ticks - before.ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
      const std::string pause = load.pause.count() > 0 ? ", " + std::to_string(load.pause.count()) + " ms between searches" : "";
      table.tell((load.is_judged ? "" : "  ") + std::to_string(load.clients) + " clients, " + name + pause,
                 load.is_judged ? "p99 <= 10 ms" : "",
                 percentiles(latencies) + "; " + digits(a_second(latencies.count(), duration), 0) + " searches and " +
                     digits(a_second(made, duration), 0) + " adds a second, " +
                     in_ms(busy_ms / static_cast<double>(latencies.count())) + " of processor time a search",
                 !load.is_judged || latencies.percentile(0.99) <= 10);
    }
}

namespace {

// --- commands ---

Latencies add_by_command(const World& world, size_t times) {
  Latencies latencies;
  for (size_t i = 0; i < times; ++i) {
    const auto start = Clock::now();
    world.run({"add", sentence(i, 15)});
    latencies.add(milliseconds_since(start));
  }
  return latencies;
}

}  // namespace

void measure_commands(const Options& options, Table& table) {
  const Scene scene(options, {});
  const std::string name = "loci add, start to exit, 10,000 files, ";
  table.tell(name + "without a daemon", "", percentiles(add_by_command(scene.world, options.commands)));
  const DaemonProcess daemon(scene.world);
  DaemonConnection connection(daemon.socket());
  wait_until_fresh(connection);
  table.tell(name + "with a daemon", "", percentiles(add_by_command(scene.world, options.commands)));
}

}  // namespace loci::bench
