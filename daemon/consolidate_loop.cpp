#include "daemon/consolidate_loop.h"

#include <utility>

#include "base/log.h"
#include "base/out_of_memory.h"
#include "consolidate/shapes.h"

namespace loci {
namespace {

// Numbers and ids only: no text of a memory goes into the log.
void log_run(const Consolidated& done) {
  if (!done.ran || !done.run) return;
  std::string text = "consolidation " + done.run->run + ": ";
  const auto outcomes = outcomes_of(*done.run);
  if (outcomes.empty()) text += "nothing settled";
  for (const auto& [outcome, count] : outcomes) text += std::to_string(count) + " " + std::string(outcome) + " ";
  if (done.failure)
    log_warning(text + "; failed: " + done.failure->message);
  else
    log_notice(text);
}

}  // namespace

ConsolidateLoop::ConsolidateLoop(Surroundings surroundings) : around_(std::move(surroundings)), memory_(around_.open_memory()) {
  plan_next_look();
}

void ConsolidateLoop::plan_next_look() {
  next_look_ = std::chrono::steady_clock::now() + around_.interval;
  shared_.with([&](Shared& shared) { shared.state.next_check = memory_.now() + around_.interval; });
}

// What a killed run left is finished long before anybody could take it for a person's doing.
void ConsolidateLoop::finish_leftovers() {
  const auto facts = memory_.bring_up_to_date() ? gate_facts(memory_) : std::unexpected(Error{});
  if (facts && facts->is_unfinished)
    if (const auto done = run(false); !done) log_warning("consolidation: " + done.error().message);
  memory_.drop_reader();
}

bool ConsolidateLoop::step() {
  if (rounds_++ == 0) finish_leftovers();
  std::deque<Request> requests;
  bool stopped = false;
  shared_.wait(
      next_look_, [](const Shared& shared) { return shared.stopped || shared.nudged || !shared.requests.empty(); },
      [&](Shared& shared) {
        requests.swap(shared.requests);
        shared.nudged = false;
        stopped = shared.stopped;
      });
  if (stopped) {
    for (Request& request : requests) request.done(fail(ErrorCode::refused, "the daemon is stopping", "ask again in a moment"));
    return false;
  }
  for (Request& request : requests) request.done(run(request.force));
  if (std::chrono::steady_clock::now() >= next_look_) {
    if (const auto done = run(false); !done) log_warning("consolidation: " + done.error().message);
    plan_next_look();
  }
  return true;
}

Result<Consolidated> ConsolidateLoop::run(bool force) {
  ConsolidateOptions options;
  options.force = force;
  options.stop = stop_.get_token();
  options.progress = [this](const Progress& progress) {
    ++rounds_;
    shared_.with([&](Shared& shared) { shared.state.work = progress; });
    around_.state_changed();
  };
  shared_.with([](Shared& shared) { shared.state.running = true; });
  around_.state_changed();
  auto done = within_memory("consolidate", [&] { return consolidate(memory_, around_.open_language_model, options); });
  shared_.with([](Shared& shared) {
    shared.state.running = false;
    shared.state.work.reset();
  });
  around_.state_changed();
  memory_.drop_reader();  // an old snapshot keeps the index's log from being emptied
  if (done) log_run(*done);
  return done;
}

void ConsolidateLoop::stop() {
  stop_.request_stop();
  shared_.change([](Shared& shared) { shared.stopped = true; });
}

void ConsolidateLoop::ask(bool force, Done done) {
  bool refused = false;
  shared_.change([&](Shared& shared) {
    refused = shared.stopped;
    if (!refused) shared.requests.push_back({force, std::move(done)});
  });
  if (refused) done(fail(ErrorCode::refused, "the daemon is stopping", "ask again in a moment"));
}

ConsolidateLoop::State ConsolidateLoop::state() {
  return shared_.with([](Shared& shared) { return shared.state; });
}

void ConsolidateLoop::nudge() {
  bool running = false;
  shared_.change([&](Shared& shared) {
    shared.nudged = true;
    running = shared.state.running;
  });
  if (running) ++rounds_;
}

}  // namespace loci
