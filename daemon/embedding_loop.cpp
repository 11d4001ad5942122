#include "daemon/embedding_loop.h"

#include <algorithm>

#include "base/log.h"
#include "base/out_of_memory.h"

namespace loci {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds first_rest{5}, longest_rest{600};
constexpr std::chrono::minutes rest_at_limit{30};  // another day, or another limit, comes
constexpr int rest_of_pass = 10;                   // times what a pass took: many small changes are looked at together

}  // namespace

bool EmbeddingLoop::step() {
  ++rounds_;
  const bool may_start = steady_clock::now() >= not_before_;
  bool stopped = false, changed = false;
  shared_.wait(
      may_start ? std::nullopt : std::optional(not_before_),
      [&](const Shared& shared) { return shared.stopped || shared.nudged || (may_start && shared.changed); },
      [&](Shared& shared) {
        shared.nudged = false;
        stopped = shared.stopped;
        changed = shared.changed;
        if (may_start) shared.changed = false;
      });
  if (stopped) return false;
  if (!may_start || !changed) return true;
  const auto begin = steady_clock::now();
  running_ = true;
  shared_.with([](Shared& shared) { shared.state.running = true; });
  const Status passed = within_memory("make vectors", [&] { return pass(); });
  running_ = false;
  memory_.drop_reader();  // an old snapshot keeps the index's log from being emptied
  plan_next(passed, steady_clock::now() - begin);
  return true;
}

Status EmbeddingLoop::pass() {
  if (!model_) model_ = TRY(open_model_());
  return make_missing_vectors(memory_, *model_, stop_.get_token(), [&](const VectorCounts& counts) {
    ++rounds_;
    shared_.with([&](Shared& shared) { shared.state.counts = counts; });
  });
}

void EmbeddingLoop::plan_next(const Status& passed, steady_clock::duration took) {
  failures_ = passed ? 0 : failures_ + 1;
  steady_clock::duration rest = took * rest_of_pass;
  bool again = false;
  shared_.with([&](Shared& shared) {
    const bool is_news = !passed && shared.state.error != passed.error().message;
    shared.state.running = false;
    shared.state.error = passed ? std::nullopt : std::optional(passed.error().message);
    again = !passed || !shared.state.counts.all_seen;
    shared.changed |= again;
    if (is_news && !stop_.stop_requested()) log_warning("vectors: " + passed.error().message);
  });
  if (again && passed) rest = rest_at_limit;
  if (!passed) {
    rest = std::min<steady_clock::duration>(first_rest * (1 << std::min(failures_ - 1, 10)), longest_rest);
    if (const auto asked = model_ ? model_->retry_after() : std::nullopt) rest = std::max<steady_clock::duration>(rest, *asked);
  }
  not_before_ = steady_clock::now() + rest;
}

void EmbeddingLoop::stop() {
  stop_.request_stop();
  shared_.change([](Shared& shared) { shared.stopped = true; });
}

void EmbeddingLoop::index_changed() {
  shared_.change([](Shared& shared) { shared.changed = true; });
}

EmbeddingLoop::State EmbeddingLoop::state() {
  return shared_.with([](const Shared& shared) { return shared.state; });
}

void EmbeddingLoop::nudge() {
  shared_.change([](Shared& shared) { shared.nudged = true; });
  if (running_) ++rounds_;
}

}  // namespace loci
