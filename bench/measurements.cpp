#include "bench/measurements.h"

#include <thread>

namespace loci::bench {
namespace {

// A file that is younger when it is indexed is hashed again by the next scan, as its clock tick may not be over.
constexpr std::chrono::milliseconds clock_tick_is_over{2'100};

}  // namespace

Scene::Scene(const Options& options, Scale scale) : world{options.loci, options.folder / "world", options.folder / "vault", {}} {
  for (const path& folder : {world.folder, world.vault}) {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
  }
  std::filesystem::create_directories(world.folder / "run");
  vault = make_scale_vault(world.vault, scale);
  std::this_thread::sleep_for(clock_tick_is_over);
  world.run({"reindex"});
}

void wait_until_fresh(DaemonConnection& connection) {
  const auto start = Clock::now();
  while (!is_fresh(connection.search(unknown_word, 1))) {
    if (Clock::now() - start > found_patience) give_up("the daemon's index does not get fresh");
    std::this_thread::sleep_for(poll_pause);
  }
}

void wait_until_fresh(const DaemonProcess& daemon) {
  DaemonConnection connection(daemon.socket());
  wait_until_fresh(connection);
}

std::string in_ms(double value) { return digits(value) + " ms"; }

std::string percentiles(const Latencies& latencies) {
  return "p50 " + in_ms(latencies.median()) + ", p99 " + in_ms(latencies.percentile(0.99)) + ", max " + in_ms(latencies.max());
}

}  // namespace loci::bench
