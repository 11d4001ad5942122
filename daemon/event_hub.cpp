#include "daemon/event_hub.h"

#include <iterator>
#include <utility>

#include "memory/json_shapes.h"

namespace loci {

void EventHub::listen(Listener listener) {
  state_.with([&](State& state) {
    if (state.is_stopped) return;
    if (state.listeners.size() >= most_listeners) state.listeners.erase(state.listeners.begin());
    state.listeners.push_back({std::move(listener)});
  });
  something_changed();
}

void EventHub::index_changed(const std::vector<std::string>& files) {
  state_.with([&](State& state) {
    Changed& changed = state.changed;
    changed.is_some = true;
    changed.files.insert(files.begin(), files.end());
    changed.any = changed.any || files.empty() || changed.files.size() > most_files;
    if (changed.any) changed.files.clear();
  });
  something_changed();
}

void EventHub::something_changed() {
  const bool is_first = state_.with([](State& state) {
    if (state.is_stopped) return false;
    if (state.listeners.empty() && !state.is_looking) {
      state.changed = {};
      return false;
    }
    return !std::exchange(state.is_due, true);
  });
  if (is_first) thread_.post([this] { tell(); });
}

// Listeners are taken out meanwhile: who is added while others look is not lost, and is not called for what came before.
void EventHub::tell() {
  Changed changed;
  auto listeners = state_.with([&](State& state) {
    state.is_due = false;
    state.is_looking = true;
    changed = std::exchange(state.changed, {});
    return std::exchange(state.listeners, {});
  });
  const Events now = look_();
  std::erase_if(listeners, [&](Told& told) { return !tell_one(told, now, changed); });
  state_.with([&](State& state) {
    state.is_looking = false;
    if (state.is_stopped) return;
    state.listeners.insert(state.listeners.begin(), std::make_move_iterator(listeners.begin()),
                           std::make_move_iterator(listeners.end()));
  });
}

bool EventHub::tell_one(Told& told, const Events& now, const Changed& changed) {
  Events news;
  for (const Event& event : now) {
    std::string data = to_string(event.data);
    std::string& last = told.last[event.name];
    if (last == data) continue;
    last = std::move(data);
    news.push_back(event);
  }
  if (const bool is_new = std::exchange(told.is_new, false); changed.is_some && !is_new) {
    Json data = versioned();
    data.add_unchecked("files", changed.any ? Json() : Json(std::vector<std::string>(changed.files.begin(), changed.files.end())));
    news.push_back({"files", std::move(data)});
  }
  return told.listener(news);
}

void EventHub::stop() {
  auto listeners = state_.with([](State& state) {
    state.is_stopped = true;
    return std::exchange(state.listeners, {});
  });
  thread_.stop();
}

}  // namespace loci
