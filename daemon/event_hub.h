// Tells whoever listens that the memory has changed: agents that subscribed over MCP, and whoever follows GET /memory/events. It
// says only that, and listeners look for themselves; changes that come while they look are one more look. Owns a thread, on which
// they are called. Any thread may call any of these.
#pragma once

#include <functional>
#include <vector>

#include "base/synchronized.h"
#include "http/workers.h"

namespace loci {

class EventHub {
 public:
  // False: nobody listens any more, forget it. Must not call the hub.
  using Listener = std::function<bool()>;

  ~EventHub() { stop(); }

  // It is called once soon: for what changed between its own first look and now.
  void listen(Listener listener);
  void index_changed();  // never waits
  void stop();           // nobody is called any more when it returns

  static constexpr size_t most_listeners = 256;  // the one that has listened longest goes

 private:
  void tell();

  struct State {
    std::vector<Listener> listeners;
    bool is_due = false, is_looking = false, is_stopped = false;  // looking: the listeners are on their way
  };
  Synchronized<State> state_;
  Workers thread_{1};
};

}  // namespace loci
