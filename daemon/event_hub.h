// Tells whoever listens what has changed: agents that subscribed over MCP, and whoever follows GET /memory/events, the panel among
// them. Nobody says what an event is about: when something may have changed, the hub looks at how everything is, and each listener
// is told what is other than when it was told last, whoever changed it. Changes that come while listeners are told are one more
// look; without listeners there is none. Owns a thread, on which it looks and calls. Any thread may call any of these.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/synchronized.h"
#include "http/workers.h"

namespace loci {

struct Event {
  std::string name;
  Json data;
};
using Events = std::vector<Event>;

class EventHub {
 public:
  // With what is news to this listener, which may be nothing. False: nobody listens any more, forget it. Must not call the hub.
  using Listener = std::function<bool(const Events&)>;
  using Look = std::function<Events()>;  // how everything is

  explicit EventHub(Look look = [] { return Events(); }) : look_(std::move(look)) {}
  ~EventHub() { stop(); }

  // It is called once soon, with how everything is.
  void listen(Listener listener);

  // Never wait. The index has taken in these files, or, with none named, any: besides what a look finds, listeners get an event
  // `files` with {"v":1,"files":[…]}, or null for any.
  void index_changed(const std::vector<std::string>& files = {});
  void something_changed();
  void stop();  // nobody is called any more when it returns

  static constexpr size_t most_listeners = 256;  // the one that has listened longest goes
  static constexpr size_t most_files = 1'000;    // of one event; more are any

 private:
  struct Told {
    Listener listener;
    std::map<std::string, std::string> last = {};  // event -> data, as it was told
    bool is_new = true;
  };
  struct Changed {
    bool any = false, is_some = false;
    std::set<std::string> files;
  };
  struct State {
    std::vector<Told> listeners;
    Changed changed;
    bool is_due = false, is_looking = false, is_stopped = false;  // looking: the listeners are on their way
  };

  void tell();
  static bool tell_one(Told& told, const Events& now, const Changed& changed);

  Look look_;
  Synchronized<State> state_;
  Workers thread_{1};
};

}  // namespace loci
