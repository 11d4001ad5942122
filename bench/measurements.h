// What bench/daemon measures. Each measurement makes its vaults, runs daemons of its own, and tells the table what it found; what
// goes wrong ends the program.
#pragma once

#include <string>
#include <vector>

#include "base/file_system.h"
#include "bench/daemon_connection.h"
#include "bench/daemon_process.h"
#include "bench/figures.h"
#include "bench/scale_vault.h"

namespace loci::bench {

struct Options {
  path loci, slow_sync, folder = "/var/tmp";
  size_t saves = 1'000, starts = 20, commands = 40, contexts = 200;
  size_t idle_seconds = 130, add_seconds = 10, search_seconds = 20;
  std::vector<std::string> only;
  bool strict = false;
};

// From a save to the answer that has it.
void measure_saves(const Options& options, Table& table);
// From the fork to the first answer that is known to be fresh.
void measure_starts(const Options& options, Table& table);
void measure_memory(const Options& options, Table& table);
// How often a daemon wakes up that nobody wants anything of.
void measure_idling(const Options& options, Table& table);
// One client and 64 that add as quickly as they are answered, with and without a slow disk.
void measure_additions(const Options& options, Table& table);
// Searches of several clients while others add.
void measure_searches(const Options& options, Table& table);
// `loci add` with and without a daemon.
void measure_commands(const Options& options, Table& table);
// What an agent waits for before it answers, with 100,000 entries: `loci context`, the same from the daemon, and the hook.
void measure_contexts(const Options& options, Table& table);

// --- what they share ---

// A vault that is indexed, and where its daemon runs.
struct Scene {
  Scene(const Options& options, Scale scale);

  World world;
  ScaleVault vault;
};

// Stands in no entry.
inline constexpr const char* unknown_word = "zqxqxqxq";

void wait_until_fresh(DaemonConnection& connection);
// The same over a connection that is closed then.
void wait_until_fresh(const DaemonProcess& daemon);

// Questions of two of these words from so many connections at a time; each asks again `pause` after its answer.
Latencies search_from_clients(const path& socket, size_t clients, const std::vector<std::string>& words,
                              std::chrono::milliseconds pause, Clock::time_point end);

// Until somebody asks again who waits for an answer to change.
inline constexpr std::chrono::microseconds poll_pause{100};
inline constexpr std::chrono::seconds found_patience{20};

std::string in_ms(double value);
std::string percentiles(const Latencies& latencies);

}  // namespace loci::bench
