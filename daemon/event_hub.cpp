#include "daemon/event_hub.h"

#include <iterator>
#include <utility>

namespace loci {

void EventHub::listen(Listener listener) {
  state_.with([&](State& state) {
    if (state.is_stopped) return;
    if (state.listeners.size() >= most_listeners) state.listeners.erase(state.listeners.begin());
    state.listeners.push_back(std::move(listener));
  });
  index_changed();
}

void EventHub::index_changed() {
  const bool is_first = state_.with([](State& state) {
    if (state.is_stopped || (state.listeners.empty() && !state.is_looking)) return false;
    return !std::exchange(state.is_due, true);
  });
  if (is_first) thread_.post([this] { tell(); });
}

// Listeners are taken out meanwhile: who is added while others look is not lost, and is not called for what came before.
void EventHub::tell() {
  auto listeners = state_.with([](State& state) {
    state.is_due = false;
    state.is_looking = true;
    return std::exchange(state.listeners, {});
  });
  std::erase_if(listeners, [](const Listener& listener) { return !listener(); });
  state_.with([&](State& state) {
    state.is_looking = false;
    if (state.is_stopped) return;
    state.listeners.insert(state.listeners.begin(), std::make_move_iterator(listeners.begin()),
                           std::make_move_iterator(listeners.end()));
  });
}

void EventHub::stop() {
  auto listeners = state_.with([](State& state) {
    state.is_stopped = true;
    return std::exchange(state.listeners, {});
  });
  thread_.stop();
}

}  // namespace loci
