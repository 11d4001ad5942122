#include "daemon/sync_loop.h"

#include "base/counted.h"
#include "base/log.h"
#include "base/out_of_memory.h"
#include "sync/sync_vault.h"

namespace loci {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds first_after{10};  // what changed while no daemon ran is in the index by then
constexpr std::chrono::hours never{24 * 365};

void log_done(const Synced& done) {
  const Exchanged& exchanged = done.exchanged;
  if (exchanged.sent == GitDifference{} && exchanged.received == GitDifference{}) return;
  log_notice("sync: " + counted(exchanged.sent.files, "file", "files") + " sent, " + std::to_string(exchanged.received.files) +
             " received, " + std::to_string(exchanged.conflicts.size()) + " with something to resolve");
}

}  // namespace

SyncLoop::SyncLoop(Memory memory, std::chrono::milliseconds interval)
    : memory_(std::move(memory)),
      interval_(interval),
      next_(interval.count() > 0 ? steady_clock::now() + std::min<steady_clock::duration>(first_after, interval)
                                 : steady_clock::now() + never) {}

bool SyncLoop::step() {
  ++rounds_;
  bool stopped = false;
  shared_.wait(
      next_, [](const Shared& shared) { return shared.stopped || shared.nudged; },
      [&](Shared& shared) {
        shared.nudged = false;
        stopped = shared.stopped;
      });
  if (stopped) return false;
  if (steady_clock::now() < next_) return true;
  sync();
  next_ = steady_clock::now() + (interval_.count() > 0 ? steady_clock::duration(interval_) : steady_clock::duration(never));
  return true;
}

void SyncLoop::sync() {
  ExchangeOptions options;
  options.stop = stop_.get_token();
  running_ = true;
  const auto done = within_memory("sync", [&] { return sync_vault(memory_, options); });
  running_ = false;
  memory_.drop_reader();  // an old snapshot keeps the index's log from being emptied
  const std::string trouble = done || stop_.stop_requested() ? std::string() : done.error().message;
  if (!trouble.empty() && trouble != trouble_) log_warning("sync: " + trouble);
  trouble_ = trouble;
  if (done) log_done(*done);
}

void SyncLoop::stop() {
  stop_.request_stop();
  shared_.change([](Shared& shared) { shared.stopped = true; });
}

void SyncLoop::nudge() {
  shared_.change([](Shared& shared) { shared.nudged = true; });
  if (running_) ++rounds_;
}

}  // namespace loci
